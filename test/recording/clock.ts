import type { Runtime } from '../../src/model/runtime.ts'

/**
 * Makes clocks that show one time, each with randomness of its own: what the service draws does not depend on what a
 * client draws. Time passes only by sleeping.
 */
export function aClock(): () => Runtime {
  let nowMs = Date.UTC(2026, 0, 1)
  return () => {
    let seed = 1
    let named = 0
    return {
      now: () => nowMs,
      async sleep(ms, signal) {
        signal?.throwIfAborted()
        nowMs += ms
        // Gives way, as a real timer would.
        await new Promise(resolve => setImmediate(resolve))
        signal?.throwIfAborted()
      },
      random() {
        seed = (seed * 48_271) % 2_147_483_647
        return seed / 2_147_483_647
      },
      uniqueId() {
        named++
        return `${String(named).padStart(8, '0')}-0000-4000-8000-000000000000`
      },
    }
  }
}
