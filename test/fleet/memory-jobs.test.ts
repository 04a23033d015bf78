import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { openStore, type Store } from '../../src/fleet/index.ts'
import { type Job, Jobs } from '../../src/fleet/jobs.ts'
import { MemoryJobs } from './memory-jobs.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** The queue of simulations does what pg-boss does. */

let postgres: Postgres
let store: Store
let jobs: Jobs
const everySeconds = 86_400
beforeAll(async () => {
  postgres = await startPostgres()
  store = await openStore({ address: await postgres.database(), runtime: realRuntime })
  jobs = await Jobs.open({ database: store.database, fleet: 'simulated', everySeconds })
})
afterAll(async () => {
  await jobs.close()
  await store.close()
  await postgres.stop()
})

/** Delays are over. */
const startAll = `update vexil_jobs.job set start_after = now() - interval '1 second' where state < 'active'`
/** The jobs of this interval become those of an earlier one. */
const shift = (days: number) =>
  `update vexil_jobs.job set singleton_on = singleton_on - interval '${days} days'
   where singleton_on > now() - interval '2 days'`

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ is: fc.constant('add'), environment: fc.integer({ min: 0, max: 5 }) }),
  },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('next') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constantFrom('done', 'failed', 'postpone', 'wait'),
      which: fc.nat({ max: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constantFrom('delays', 'interval', 'wake') }) },
)

it('gives the same jobs in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async steps => {
      await store.database.query('delete from vexil_jobs.job')
      let nowMs = Date.UTC(2026, 0, 1)
      let intervals = 2
      const model = new MemoryJobs({ everySeconds, now: () => nowMs, random: () => 0.5 })
      const running: { readonly real: Job; readonly modelled: Job }[] = []
      for (const step of steps) {
        nowMs += 1
        if ('environment' in step) {
          await Promise.all([jobs, model].map(queue => queue.add([`env-${step.environment}`])))
        } else if ('which' in step) {
          const [job] = running.splice(step.which % Math.max(1, running.length), 1)
          const act = (queue: Pick<Jobs, 'done' | 'failed' | 'postpone'>, one: Job) =>
            step.is === 'wait' ? queue.postpone(one, 'key') : queue[step.is](one)
          if (job) await Promise.all([act(jobs, job.real), act(model, job.modelled)])
        } else if (step.is === 'wake') {
          await Promise.all([jobs, model].map(queue => queue.wake('key')))
        } else if (step.is === 'next') {
          const [real, modelled] = await Promise.all([jobs.next(), model.next()])
          const known = (job: Job | undefined) => job && { ...job, id: '', since: job.since !== undefined }
          expect(known(modelled)).toEqual(known(real))
          if (real && modelled) running.push({ real, modelled })
        } else {
          if (step.is === 'interval') await store.database.query(shift(intervals++))
          await store.database.query(startAll)
          nowMs += step.is === 'interval' ? everySeconds * 1000 : 400_000
        }
        expect(await model.waiting()).toBe(Number(await jobs.waiting()))
      }
    }),
    { numRuns: 40 },
  )
})

it('adds all environments at once, and each only once', async () => {
  await store.database.query('delete from vexil_jobs.job')
  const names = Array.from({ length: 30 }, (_, at) => `env-${at}`)
  const model = new MemoryJobs({ everySeconds, now: () => Date.UTC(2026, 0, 1), random: Math.random })
  const drained = await Promise.all(
    [jobs, model].map(async queue => {
      await queue.add(names)
      await queue.add(names)
      const found: string[] = []
      for (let job = await queue.next(); job; job = await queue.next()) found.push(job.environment)
      return found.sort()
    }),
  )
  expect(drained).toEqual([[...names].sort(), [...names].sort()])
})
