import { describe, expect, it } from 'vitest'
import { type SimulatedFleet, simulateFleet } from './simulated-fleet.ts'
import { EarliestFirst, VirtualClock } from './virtual-clock.ts'

const unchanged = { reads: 2, writes: 0, cpuMs: 50, statements: 15, databaseMs: 2 }
const small: SimulatedFleet = {
  ...{ work: 'first', environments: 20, keys: 'each', replicas: 1, jobs: 1, everySeconds: 300, seed: 1 },
  ...{ limits: {}, roundTripMs: 2_000 },
  costs: {
    first: { ...unchanged, reads: 3, writes: 200, cpuMs: 300 },
    unchanged,
    changed: { ...unchanged, reads: 4, writes: 2, cpuMs: 60 },
    refusedCpuMs: 2,
    statementMs: { next: 0.2, idle: 0.1, add: 0.3, pace: 0.3, ended: 0.2 },
  },
}

describe('a simulated fleet', () => {
  it('does the same each time', async () => {
    const [left, right] = [await simulateFleet(small), await simulateFleet(small)]
    expect(left).toEqual(right)
    expect(await simulateFleet({ ...small, seed: 2 })).not.toEqual(left)
  })

  it('sends the requests of every environment once', async () => {
    const done = await simulateFleet({ ...small, everySeconds: 24 * 3_600 })
    expect(done).toMatchObject({ remaining: 0, requests: 20 * 203, runs: [1, 1], postponed: 0 })
  })

  it('is so much faster with more replicas, as long as nothing limits it', async () => {
    const one = await simulateFleet(small)
    for (const replicas of [2, 4]) {
      const { wallMs } = await simulateFleet({ ...small, replicas })
      expect(one.wallMs / wallMs / replicas).toBeGreaterThan(0.8)
      expect(one.wallMs / wallMs / replicas).toBeLessThan(1.2)
    }
  })

  it('is no faster with more replicas when one key limits it', async () => {
    const limited: SimulatedFleet = { ...small, keys: 'one', limits: { perHour: 1_500 }, roundTripMs: 150 }
    const [one, four] = [await simulateFleet(limited), await simulateFleet({ ...limited, replicas: 4 })]
    // 20 * 203 requests at 1,500 an hour, the first of them at once.
    expect(one.wallMs / 3_600_000).toBeGreaterThan(2)
    expect(four.wallMs / one.wallMs).toBeGreaterThan(0.95)
    expect(Math.max(one.busiestKey, four.busiestKey)).toBe(1_500)
    expect(one.shares.pace).toBeGreaterThan(0.85)
  })

  it('runs each environment once in each interval', async () => {
    const steady = await simulateFleet({ ...small, work: 'unchanged', roundTripMs: 150, replicas: 2 })
    expect(steady).toMatchObject({ remaining: 0, runs: [12, 12] })
  })

  /** 100 environments with one key. */
  const ofOneKey = { ...small, work: 'unchanged', keys: 'one', environments: 100, jobs: 4 } as const

  it.each([1, 4, 8])(
    'with one key is fair, and puts each job off about once, with %d replicas',
    async replicas => {
      const one: SimulatedFleet = { ...ofOneKey, replicas, roundTripMs: 150 }
      const { runs, postponed, remaining } = await simulateFleet(one)
      expect({ remaining, runs }).toEqual({ remaining: 0, runs: [12, 12] })
      expect(postponed).toBeLessThan(1.2 * 12 * 100)
    },
  )

  it.each([1, 4, 8])(
    'lets environments of one key take turns if there is too much to do, with %d replicas',
    async replicas => {
      const tooMuch: SimulatedFleet = { ...ofOneKey, replicas, roundTripMs: 1_000, everySeconds: 60 }
      const { runs, remaining } = await simulateFleet(tooMuch)
      const [fewest, most] = runs
      expect(remaining).toBe(0)
      expect(most / fewest).toBeLessThan(1.3)
    },
  )

  it('brings a commit to every environment', async () => {
    const commit = await simulateFleet({ ...small, work: 'changed', roundTripMs: 150 })
    expect(commit).toMatchObject({ remaining: 0, runs: [1, 1] })
    // The commit comes 100 seconds after an interval has begun.
    expect(commit.longestWaitMs).toBeGreaterThan(200_000)
    expect(commit.longestWaitMs).toBeLessThan(260_000)
  })
})

describe('virtual time', () => {
  it('passes only when all sleep, and wakes in the order of time', async () => {
    const clock = new VirtualClock(0)
    const seen: string[] = []
    const sleeper = async (name: string, ms: number) => {
      await clock.sleep(ms)
      for (let count = 0; count < 100; count++) await Promise.resolve()
      seen.push(`${name} ${clock.nowMs}`)
      await clock.sleep(10)
      seen.push(`${name} ${clock.nowMs}`)
    }
    await clock.until(Promise.all([sleeper('slow', 15), sleeper('fast', 10), sleeper('same', 10)]))
    expect(seen).toEqual(['fast 10', 'same 10', 'slow 15', 'fast 20', 'same 20', 'slow 25'])
  })

  it('ends a sleep by a signal, and reports tasks that nothing wakes', async () => {
    const clock = new VirtualClock(0)
    const stop = new AbortController()
    const stopped = clock.sleep(1_000, stop.signal).catch(error => error)
    await clock.until(clock.sleep(5).then(() => stop.abort('stop')))
    expect(await stopped).toBe('stop')
    expect(clock.nowMs).toBe(5)
    await expect(clock.until(new Promise(() => {}))).rejects.toThrow('all tasks wait')
  })

  it('orders any numbers', () => {
    const heap = new EarliestFirst<number>()
    const numbers = Array.from({ length: 500 }, (_, at) => (at * 7_919) % 101)
    for (const number of numbers) heap.add(number, number)
    const taken = numbers.map(() => heap.take()?.value)
    expect(taken).toEqual([...numbers].sort((left, right) => left - right))
    expect(heap.take()).toBeUndefined()
  })
})
