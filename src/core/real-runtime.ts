import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Runtime } from '../model/runtime.ts'

export const realRuntime: Runtime = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, { signal })
    } catch (error) {
      // Node wraps the reason; the caller that aborted expects its own.
      signal?.throwIfAborted()
      throw error
    }
  },
  random: () => Math.random(),
  uniqueId: () => randomUUID(),
}
