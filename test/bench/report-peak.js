// Preloaded into a measured process: tells the parent, as the process ends, the peak resident size in KiB and the
// processor time in microseconds, of all of its threads.
process.channel?.unref()
process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  process.send?.({ peakKb: maxRSS, cpuUs: userCPUTime + systemCPUTime })
})
