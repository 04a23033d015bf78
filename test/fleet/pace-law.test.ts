import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { openStore, type PaceLimits } from '../../src/fleet/index.ts'
import { nothingSent, type Taken, takeRequests } from './pace-law.ts'
import { type Postgres, startPostgres } from './postgres.ts'

const startMs = Date.UTC(2026, 0, 1)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

const limit = (most: number) => fc.option(fc.integer({ min: 1, max: most }), { nil: undefined })
const anyLimits: fc.Arbitrary<PaceLimits> = fc.record({ perMinute: limit(40), perHour: limit(120) })
/** Mostly short pauses, with some that empty a window. */
const pauseMs = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4_000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 4_000, max: 70_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 600_000, max: 4_000_000 }) },
)
const asked = fc.record({ pauseMs, wanted: fc.integer({ min: 1, max: 12 }) })

describe('the function of the store and the law of simulations', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())

  it('answer the same', async () => {
    const store = await openStore({ address: await postgres.database(), runtime: realRuntime })
    let sequences = 0
    try {
      await fc.assert(
        fc.asyncProperty(
          anyLimits,
          fc.array(asked, { minLength: 1, maxLength: 40 }),
          async (limits, questions) => {
            const key = `key ${sequences++}`
            const sent = nothingSent()
            let atMs = startMs
            const times = questions.map(({ pauseMs, wanted }) => {
              atMs += pauseMs
              return { wanted, atMs }
            })
            const expected = times.map(({ wanted, atMs }) => takeRequests(sent, wanted, limits, atMs))
            // One statement for all: the law of SQL is asked in the order of the rows.
            const answers = await store.database.query<Taken>(
              `select taken.granted, taken.wait_ms
             from unnest($2::integer[], $5::bigint[]) with ordinality as asked (wanted, at_ms, number),
             lateral vexil.take_requests($1, wanted, $3, $4, asked.at_ms) as taken order by number`,
              [
                ...[key, times.map(({ wanted }) => wanted), limits.perMinute ?? null, limits.perHour ?? null],
                times.map(({ atMs }) => atMs),
              ],
            )
            expect(answers).toEqual(expected)
          },
        ),
        { numRuns: 300 },
      )
    } finally {
      await store.close()
    }
  })

  it('pause alike', async () => {
    const store = await openStore({ address: await postgres.database(), runtime: realRuntime })
    try {
      await store.database.query(
        `insert into vexil.pace_pauses values ('key', to_timestamp($1::numeric / 1000))`,
        [startMs + 700_000],
      )
      for (const afterMs of [0, 99_999, 100_001, 699_999, 700_000]) {
        const sent = { ...nothingSent(), pausedUntilMs: startMs + 700_000 }
        const answer = await store.database.query('select * from vexil.take_requests($1, 1, 5, null, $2)', [
          'key',
          startMs + afterMs,
        ])
        expect(answer).toEqual([takeRequests(sent, 1, { perMinute: 5 }, startMs + afterMs)])
      }
    } finally {
      await store.close()
    }
  })
})

describe('the law of the pace', () => {
  /** Asks again and again, as `StorePace` does. Returns when each request was sent. */
  const sendFor = (limits: PaceLimits, durationMs: number, wanted: number, firstMs = startMs) => {
    const sent = nothingSent()
    const times: number[] = []
    for (let atMs = firstMs; atMs < firstMs + durationMs; ) {
      const { granted, wait_ms } = takeRequests(sent, wanted, limits, atMs)
      for (let count = 0; count < granted; count++) times.push(atMs)
      atMs += granted > 0 ? 100 : wait_ms
    }
    return times
  }

  const mostWithin = (times: readonly number[], windowMs: number) => {
    let [first, most] = [0, 0]
    for (const [index, time] of times.entries()) {
      while ((times[first] ?? time) <= time - windowMs) first += 1
      most = Math.max(most, index - first + 1)
    }
    return most
  }

  it('never allows more than its limits in any minute or hour', () => {
    fc.assert(
      fc.property(anyLimits, fc.array(asked, { maxLength: 200 }), (limits, questions) => {
        const sent = nothingSent()
        const times: number[] = []
        let atMs = startMs
        for (const { pauseMs, wanted } of questions) {
          atMs += pauseMs
          const { granted } = takeRequests(sent, wanted, limits, atMs)
          for (let count = 0; count < granted; count++) times.push(atMs)
        }
        expect(mostWithin(times, minuteMs)).toBeLessThanOrEqual(limits.perMinute ?? times.length)
        expect(mostWithin(times, hourMs)).toBeLessThanOrEqual(limits.perHour ?? times.length)
      }),
    )
  })

  it('uses at least 90 % of its limit under steady demand', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 600 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 10_000 }),
        (perMinute, wanted, offsetMs) => {
          const minutes = 130
          const times = sendFor({ perMinute }, minutes * minuteMs, wanted, startMs + offsetMs)
          const possible = Math.min(perMinute, (minuteMs / 100) * wanted) * minutes
          expect(times.length).toBeGreaterThanOrEqual(0.9 * possible)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('uses 99 % of the limits of the public service', () => {
    const hours = 20
    const times = sendFor({ perMinute: 480, perHour: 4_800 }, hours * hourMs, 8)
    expect(times.length).toBeGreaterThanOrEqual(0.99 * 4_800 * hours)
    expect(mostWithin(times, minuteMs)).toBe(480)
    expect(mostWithin(times, hourMs)).toBe(4_800)
  })
})
