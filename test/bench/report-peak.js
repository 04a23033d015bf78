// Preloaded into a measured process: tells the parent the peak resident size, in KiB, as the process ends.
process.channel?.unref()
process.on('exit', () => {
  process.send?.(process.resourceUsage().maxRSS)
})
