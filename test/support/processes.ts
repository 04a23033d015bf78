import { processesOf } from '../../src/cli/host/processes.ts'

/** The processes of this system, as the program itself sees them: tests start real ones beside their own. */
export const processes = processesOf({
  pid: process.pid,
  platform: process.platform,
  kill: (pid, signal) => process.kill(pid, signal),
})
