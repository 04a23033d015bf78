import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { RateLimiter } from '../../../src/api/send.ts'
import { aClient } from '../support/client.ts'
import { aServer, json } from '../support/server.ts'
import { aHeldWorld, aWorld } from '../support/virtual-runtime.ts'

/** Lets everything run that does not have to wait. */
async function settle() {
  for (let round = 0; round < 5; round++) await setImmediate()
}

/** How many of so many requests leave at once. */
async function leavingAtOnce(pace: RateLimiter, requests = 20): Promise<number> {
  let left = 0
  const controllers = Array.from({ length: requests }, () => new AbortController())
  const waits = controllers.map(({ signal }) =>
    pace.enter(signal).then(
      () => {
        left += 1
      },
      () => {},
    ),
  )
  await settle()
  for (const controller of controllers) controller.abort()
  await Promise.all(waits)
  for (let index = 0; index < left; index++) pace.leave()
  return left
}

describe('the pace', () => {
  it('lets as many requests be under way as the parallelism says', async () => {
    expect(await leavingAtOnce(new RateLimiter({ parallelism: 3, runtime: aWorld() }))).toBe(3)
  })

  it('lets requests leave in the order in which they came', async () => {
    const pace = new RateLimiter({ parallelism: 1, runtime: aWorld() })
    const order: number[] = []
    const requests = [1, 2, 3].map(async n => {
      await pace.enter()
      order.push(n)
      pace.leave()
    })
    await Promise.all(requests)
    expect(order).toEqual([1, 2, 3])
  })

  it('halves what may be under way once for all that left together', async () => {
    const pace = new RateLimiter({ parallelism: 8, runtime: aWorld() })
    const together = await Promise.all(Array.from({ length: 8 }, () => pace.enter()))
    for (const slot of together) {
      pace.throttled(slot)
      pace.leave()
    }
    expect([pace.limit, await leavingAtOnce(pace)]).toEqual([4, 4])
  })

  it('never falls below one request', async () => {
    const pace = new RateLimiter({ parallelism: 3, runtime: aWorld() })
    for (let round = 0; round < 5; round++) {
      pace.throttled(await pace.enter())
      pace.leave()
    }
    expect(pace.limit).toBe(1)
  })

  it('comes back by about one request for as many successes as may be under way', async () => {
    const pace = new RateLimiter({ parallelism: 8, runtime: aWorld() })
    pace.throttled(await pace.enter())
    const limits: number[] = []
    for (let successes = 0; successes < 40; successes++) {
      pace.succeeded()
      limits.push(pace.limit)
    }
    expect(limits.slice(0, 5)).toEqual([4, 4, 4, 4, 5])
    expect(limits.at(-1)).toBe(8)
  })

  it('lets nothing leave during a pause', async () => {
    const runtime = aWorld()
    const pace = new RateLimiter({ parallelism: 8, runtime })
    pace.pause(5000)
    const before = runtime.now()
    await Promise.all([pace.enter(), pace.enter()])
    expect(runtime.now() - before).toBe(5000)
  })

  it('keeps to a rate after the first burst', async () => {
    const runtime = aWorld()
    const pace = new RateLimiter({ parallelism: 100, rate: { requests: 4, perMs: 1000 }, runtime })
    const start = runtime.now()
    const left: number[] = []
    for (let request = 0; request < 8; request++) {
      await pace.enter()
      left.push(runtime.now() - start)
      pace.leave()
    }
    expect(left).toEqual([0, 0, 0, 0, 250, 500, 750, 1000])
  })

  it('forgets a request whose signal is aborted, and lets the others go on', async () => {
    const pace = new RateLimiter({ parallelism: 1, runtime: aWorld() })
    await pace.enter()
    const controller = new AbortController()
    const gone = pace.enter(controller.signal).catch(error => error)
    const next = pace.enter()
    controller.abort(new Error('enough'))
    expect(await gone).toEqual(new Error('enough'))
    pace.leave()
    expect(await next).toEqual({ reductions: 0 })
  })
})

describe('a client that is throttled', () => {
  it('stops everything until the wait is over and goes on with fewer requests at once', async () => {
    const runtime = aHeldWorld()
    const startedAt = runtime.now()
    const leftAt: number[] = []
    const refused = gate(8)
    const held = gate(4)
    const server = await aServer(async (_, response, index) => {
      leftAt.push(runtime.now() - startedAt)
      if (index < 8) return json(response, 429, {}, { 'retry-after': '30' })
      // Four of the next ones are held together: were a fifth let out, it would be seen.
      if (index < 12) await held.arrive()
      json(response, 200, { id: 1 })
    })
    const onRequest = ({ status }: { status?: number }) => void (status === 429 && refused.arrive())
    const client = aClient({ baseUrl: server.url, runtime, parallelism: 8, onRequest })
    const reads = Promise.all(Array.from({ length: 16 }, (_, id) => client.feature_flag.read({ id })))
    await refused.open
    await settle()
    runtime.advance(29_999)
    await settle()
    expect(server.received).toHaveLength(8)
    runtime.advance(1)
    await reads
    expect(leftAt).toEqual([...Array(8).fill(0), ...Array(16).fill(30_000)])
    expect(held.most).toBe(4)
  })
})

/** Opens once so many have arrived; `most` is how many waited together. */
function gate(size: number) {
  let arrived = 0
  let waiting = 0
  let most = 0
  let release = () => {}
  const open = new Promise<void>(resolve => {
    release = resolve
  })
  return {
    open,
    get most() {
      return most
    },
    async arrive() {
      arrived += 1
      waiting += 1
      most = Math.max(most, waiting)
      if (arrived === size) release()
      await open
      waiting -= 1
    },
  }
}
