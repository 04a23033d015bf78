import { randomUUID } from 'node:crypto'
import { realRuntime } from '../../src/core/real-runtime.ts'
import type { Runtime } from '../../src/model/runtime.ts'

export interface TestRuntime extends Runtime {
  /** How long everything together has slept, in milliseconds. */
  readonly sleptMs: number
}

/** A world whose time passes only by sleeping, so that nothing waits and every run is the same. */
export function testRuntime(startMs = Date.UTC(2026, 0, 1)): TestRuntime {
  let nowMs = startMs
  let sleptMs = 0
  let seed = 1
  return {
    get sleptMs() {
      return sleptMs
    },
    now: () => nowMs,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      nowMs += ms
      sleptMs += ms
      // Gives way, as a real timer would.
      await new Promise(resolve => setImmediate(resolve))
      signal?.throwIfAborted()
    },
    random() {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    },
    // Two commands of one test share a folder, so their runs must not have one name.
    uniqueId: () => randomUUID(),
  }
}

/** The real clock, but nobody waits: it is put forward by each sleep, which takes a millisecond. */
export function hurriedRuntime(): Runtime {
  let aheadMs = 0
  return {
    ...realRuntime,
    now: () => Date.now() + aheadMs,
    async sleep(ms, signal) {
      await realRuntime.sleep(Math.min(ms, 1), signal)
      aheadMs += ms
    },
  }
}
