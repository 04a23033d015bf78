import type { Through } from './service.ts'

/**
 * A network on which whatever is under way at the same time arrives in an order that a seed decides: each request waits
 * until nothing else comes, then any one of the waiting goes first.
 */
export function shuffledBy(seed: number): Through {
  let state = seed * 2 + 1
  const draw = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const waiting: (() => void)[] = []
  let isReleasing = false
  const release = async () => {
    isReleasing = true
    while (waiting.length > 0) {
      // Whoever is about to ask has asked by then.
      for (let turn = 0; turn < turns; turn++) await new Promise(resolve => setImmediate(resolve))
      waiting.splice(draw(waiting.length), 1)[0]?.()
    }
    isReleasing = false
  }
  return handle => async (request, connection) => {
    await new Promise<void>(resolve => {
      waiting.push(resolve)
      if (!isReleasing) void release()
    })
    return handle(request, connection)
  }
}

const turns = 2
