import { afterAll, beforeAll, expect, it } from 'vitest'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { openStore } from '../../src/fleet/index.ts'
import { Jobs } from '../../src/fleet/jobs.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** The jobs of a fleet, on a real PostgreSQL. */

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

/** Replicas of one fleet, with a connection each. */
async function using(
  count: number,
  use: (...jobs: Jobs[]) => Promise<void>,
  fleet = 'one',
  everySeconds = 86_400,
) {
  const address = await postgres.database()
  const stores = await Promise.all(
    Array.from({ length: count }, () => openStore({ address, runtime: realRuntime })),
  )
  const jobs = await Promise.all(stores.map(({ database }) => Jobs.open({ database, fleet, everySeconds })))
  try {
    await use(...jobs)
  } finally {
    await Promise.all(jobs.map(each => each.close()))
    await Promise.all(stores.map(store => store.close()))
  }
}

it('are one for each environment and interval, whichever replicas add them', async () => {
  await using(4, async (...replicas) => {
    await Promise.all(replicas.map(jobs => jobs.add(['staging', 'production'])))
    const taken = await Promise.all([...replicas, ...replicas].map(jobs => jobs.next()))
    expect(taken.flatMap(job => job?.environment ?? []).sort()).toEqual(['production', 'staging'])
    const [first] = replicas
    for (const job of taken) if (job) await first?.done(job)
    await first?.add(['staging', 'production'])
    expect(await first?.next()).toBeUndefined()
  })
})

it('that are put off come back, and do not keep others waiting', async () => {
  await using(1, async jobs => {
    await jobs?.add(['busy', 'often busy'])
    const taken = [await jobs?.next(), await jobs?.next()].flatMap(job => job ?? [])
    await jobs?.add(['free'])
    for (const job of taken) await jobs?.postpone({ ...job, postponed: job.environment === 'busy' ? 0 : 30 })
    expect(await jobs?.waiting()).toBe(3)
    expect(await jobs?.next()).toMatchObject({ environment: 'free', postponed: 0 })
    await expect.poll(() => jobs?.next()).toMatchObject({ environment: 'busy', postponed: 1 })
    // It waits for 10 seconds.
    expect(await jobs?.next()).toBeUndefined()
  })
})

it('that wait for a key are woken in the order in which they came', async () => {
  await using(1, async jobs => {
    for (const name of ['first', 'second', 'third']) {
      await jobs?.add([name])
      const job = await jobs?.next()
      if (job) await jobs?.postpone(job, name === 'third' ? 'other key' : 'key')
    }
    const woken = async (key: string) => {
      await jobs?.wake(key)
      const job = await jobs?.next()
      return job?.environment
    }
    expect(await jobs?.next()).toBeUndefined()
    expect([await woken('key'), await woken('key'), await woken('key'), await woken('other key')]).toEqual([
      ...['first', 'second', undefined, 'third'],
    ])
  })
})

it('that fail are tried again', async () => {
  await using(1, async jobs => {
    await jobs?.add(['staging'])
    const job = await jobs?.next()
    if (!job) throw new Error('there is a job')
    await jobs?.failed(job)
    expect(await jobs?.waiting()).toBe(1)
  })
})

it('of other fleets are not taken', async () => {
  const address = await postgres.database()
  const store = await openStore({ address, runtime: realRuntime })
  const [one, other] = await Promise.all(
    ['one', 'other'].map(fleet => Jobs.open({ database: store.database, fleet, everySeconds: 60 })),
  )
  await one?.add(['staging'])
  expect(await other?.next()).toBeUndefined()
  expect(await one?.next()).toMatchObject({ environment: 'staging' })
  await Promise.all([one?.close(), other?.close()])
  await store.close()
})

it('are none while the store is down, which is known', async () => {
  const own = await startPostgres()
  const store = await openStore({ address: await own.database(), runtime: realRuntime })
  const jobs = await Jobs.open({ database: store.database, fleet: 'one', everySeconds: 60 })
  await own.crash()
  expect(await jobs.next()).toBeUndefined()
  expect(jobs.failure).toMatchObject({ message: 'the store cannot be reached (ECONNREFUSED)' })
  await own.start()
  expect(await jobs.next()).toBeUndefined()
  expect(jobs.failure).toBeUndefined()
  await jobs.close()
  await store.close()
  await own.stop()
})
