import type { World } from '../../../src/model/world.ts'

/** A world whose time passes only by waiting in it: `sleep` moves the clock and returns. */
export interface VirtualWorld extends World {
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
