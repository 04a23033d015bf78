import type { Runtime } from '../../../src/model/runtime.ts'

/** A world whose time passes only by waiting in it: `sleep` moves the clock and returns. */
export interface VirtualWorld extends Runtime {
  /** How long each sleep was asked to be. */
  readonly slept: readonly number[]
  advance(ms: number): void
}

export function aWorld({ random = () => 0.5 }: { readonly random?: () => number } = {}): VirtualWorld {
  let now = Date.parse('2024-03-01T12:00:00Z')
  let names = 0
  const slept: number[] = []
  return {
    slept,
    now: () => now,
    advance(ms) {
      now += ms
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      slept.push(ms)
      now += ms
      await Promise.resolve()
      signal?.throwIfAborted()
    },
    random,
    uniqueId: () => `name-${++names}`,
  }
}

/** A world whose time passes only when the test says so; whoever sleeps waits for that. */
export function aHeldWorld(): VirtualWorld {
  const runtime = aWorld()
  const slept: number[] = []
  let sleepers: { readonly until: number; readonly wake: () => void }[] = []
  return {
    ...runtime,
    slept,
    advance(ms) {
      runtime.advance(ms)
      const due = sleepers.filter(({ until }) => until <= runtime.now())
      sleepers = sleepers.filter(({ until }) => until > runtime.now())
      for (const { wake } of due) wake()
    },
    sleep(ms, signal) {
      slept.push(ms)
      return new Promise((resolve, reject) => {
        sleepers.push({ until: runtime.now() + ms, wake: resolve })
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    },
  }
}
