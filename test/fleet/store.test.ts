import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LockOwner } from '../../src/core/apply/locks.ts'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { openStore, type Store, StoreError } from '../../src/fleet/index.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** The shared store on a real PostgreSQL. */

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const target = { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' }
const owner: LockOwner = {
  id: 'one',
  user: 'ada',
  host: 'laptop',
  system: 's',
  pid: 1,
  command: 'apply',
  since: 0,
}

async function using<Made>(
  address: string,
  count: number,
  use: (...stores: Store[]) => Promise<Made>,
): Promise<Made> {
  const stores = await Promise.all(
    Array.from({ length: count }, () => openStore({ address, runtime: realRuntime })),
  )
  try {
    return await use(...stores)
  } finally {
    await Promise.all(stores.map(store => store.close()))
  }
}

describe('the tables', () => {
  it('are made once by stores that open together', async () => {
    const address = await postgres.database()
    await using(address, 5, async store => {
      expect(await store.database.query('select version from vexil.version')).toEqual([{ version: 1 }])
    })
  })

  it('of a newer version are refused', async () => {
    const address = await postgres.database()
    await using(address, 1, async () => {})
    await postgres.run(address, 'update vexil.version set version = 99')
    await expect(openStore({ address, runtime: realRuntime })).rejects.toThrow(
      'the store has tables of a newer Vexil (version 99, this one knows 1); update Vexil',
    )
  })
})

describe('a lock', () => {
  it('is held by one of many, and is free when it is released', async () => {
    const address = await postgres.database()
    await using(address, 4, async (...stores) => {
      const taken = await Promise.all(stores.map(({ locks }) => locks.acquire('place', owner)))
      const held = taken.filter(each => each.is === 'held')
      expect(held).toHaveLength(1)
      expect(taken.filter(each => each.is === 'refused' && each.state === 'running')).toHaveLength(3)
      expect(await stores[1]?.locks.acquire('place', owner)).toMatchObject({
        is: 'refused',
        owner: { user: 'ada' },
      })
      expect(await held[0]?.release()).toBe('released')
      expect(await stores[0]?.locks.ownerOf('place')).toBeUndefined()
      const again = await stores[1]?.locks.acquire('place', owner)
      expect(again?.is).toBe('held')
    })
  })

  it('is refused to the process that already has it', async () => {
    const address = await postgres.database()
    await using(address, 1, async ({ locks }) => {
      await locks.acquire('place', owner)
      expect((await locks.acquire('place', owner)).is).toBe('refused')
      expect((await locks.acquire('elsewhere', owner)).is).toBe('held')
    })
  })

  it('is lost with its connection, and the owner hears of it', async () => {
    const address = await postgres.database()
    await using(address, 2, async (first, second) => {
      const lock = await first.locks.acquire('place', owner)
      if (lock.is !== 'held') throw new Error('it was free')
      const lost = new Promise(resolve => lock.lost.addEventListener('abort', resolve))
      await postgres.run(
        address,
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`,
      )
      await lost
      expect(await lock.release()).toBe('lost')
      expect(await second.locks.ownerOf('place')).toBeUndefined()
      // The row shows a beat, so the last requests may still arrive: a successor would wait.
      expect(await first.database.query('select target from vexil.locks')).toEqual([{ target: 'place' }])
      await first.database.query(`update vexil.locks set seen_at = now() - interval '14.7 seconds'`)
      const before = Date.now()
      expect((await second.locks.acquire('place', owner)).is).toBe('held')
      expect(Date.now() - before).toBeGreaterThan(100)
      expect((await first.locks.acquire('other', owner)).is).toBe('held')
    })
  })
})

describe('a store that is down', () => {
  it('is one clear error without its address', async () => {
    const failure = openStore({ address: 'postgres://ada:secret-word@127.0.0.1:9/x', runtime: realRuntime })
    await expect(failure).rejects.toThrow(StoreError)
    await expect(failure).rejects.toMatchObject({
      message: 'the store cannot be reached (ECONNREFUSED)',
      isDown: true,
    })
  })

  it('differs from one that wants a password, or has no TLS', async () => {
    const own = await startPostgres()
    try {
      const address = await own.database()
      const failure = (at: string) => openStore({ address: at, runtime: realRuntime }).catch(error => error)
      expect(await failure(`${address}?sslmode=verify-full`)).toMatchObject({
        message: 'the server of the store has no TLS, which its address asks for',
        isDown: false,
      })
      const [{ hba_file: rules } = {}] = await own.run(address, 'show hba_file')
      await own.run(
        address,
        `alter role postgres password 'one'; copy (select 'host all all all scram-sha-256') to '${rules}'; select pg_reload_conf()`,
      )
      await expect
        .poll(() => failure(address))
        .toMatchObject({
          message: 'the store wants a password; give it in PGPASSWORD, .pgpass or VEXIL_STORE',
          isDown: false,
        })
      expect(await failure(address.replace('postgres@', 'postgres:other@'))).toMatchObject({
        message: 'the store refuses this user or password (28P01)',
        isDown: false,
      })
    } finally {
      await own.stop()
    }
  })

  it('would end a statement that hangs, by a limit that PgBouncer takes too', async () => {
    await using(await postgres.database(), 1, async ({ database }) => {
      const limits = `select setting, source from pg_settings where name = 'statement_timeout'`
      expect(await database.query(limits)).toEqual([{ setting: '30000', source: 'session' }])
    })
  })

  it('names a missing database', async () => {
    const address = (await postgres.database()).replace(/test_\d+$/, 'nowhere')
    await expect(openStore({ address, runtime: realRuntime })).rejects.toMatchObject({
      message: 'the database of the store does not exist (3D000)',
      isDown: false,
    })
  })
})

describe('runs', () => {
  const head = { run: '20261129T100000000Z-aaaaaaaa', target, command: 'apply' as const, startedAt: 0 }

  it('have a journal until they have a record', async () => {
    await using(await postgres.database(), 2, async ({ runs }, other) => {
      const append = await runs.begin(head)
      await append('first\n')
      await append('second\n')
      expect(await other.runs.read([head.run])).toEqual([
        { run: head.run, isJournal: true, text: 'first\nsecond\n' },
      ])
      // Lines of requests that are sent at the same time share a statement.
      await Promise.all(['third\n', 'fourth\n', 'fifth\n'].map(append))
      expect(await other.runs.list(target, 10)).toEqual([
        { run: head.run, declared: null, hasRecord: false, parts: 3 },
      ])
      expect((await other.runs.read([head.run]))[0]?.text).toBe('first\nsecond\nthird\nfourth\nfifth\n')
      expect(await other.runs.withoutRecord([head.run, 'other'])).toEqual([head.run, 'other'])
      await runs.end(head, '{}')
      expect(await other.runs.read([head.run])).toEqual([{ run: head.run, isJournal: false, text: '{}' }])
      expect(await other.runs.list({ ...target, projectId: '2' }, 10)).toEqual([])
      expect(await other.runs.withoutRecord([head.run])).toEqual([])
    })
  })
})

describe('states', () => {
  it('begin and end once, whoever sees them', async () => {
    await using(await postgres.database(), 4, async (...stores) => {
      const note = (isOn: boolean) =>
        Promise.all(
          stores.map(({ states }) =>
            states.note('fleet', 'production', { state: 'drift', isOn, objects: 2 }),
          ),
        )
      expect((await note(false)).filter(Boolean)).toEqual([])
      expect((await note(true)).filter(Boolean)).toEqual([true])
      expect((await note(true)).filter(Boolean)).toEqual([])
      expect((await note(false)).filter(Boolean)).toEqual([true])
      expect(await stores[0]?.states.list(5)).toEqual([
        {
          ...{ environment: 'production', state: 'drift', objects: 2 },
          ...{ begunAt: expect.any(Number), endedAt: expect.any(Number) },
        },
      ])
    })
  })
})

describe('what a job has seen', () => {
  it('does not count against what a younger job has seen', async () => {
    await using(await postgres.database(), 1, async ({ states }) => {
      const note = (isOn: boolean, agoMs: number) =>
        states.note('fleet', 'production', { state: 'failed', isOn, objects: 0 }, agoMs)
      expect(await note(true, 0)).toBe(true)
      expect(await note(false, 3_600_000)).toBe(false)
      expect(await note(false, 0)).toBe(true)
      expect(await note(true, 3_600_000)).toBe(false)
      expect(await states.on('fleet')).toEqual([])
    })
  })
})

describe('the pace of a key', () => {
  it('is one for all runners, and a pause stops all', async () => {
    await using(await postgres.database(), 3, async (...stores) => {
      const place = { baseUrl: 'https://flags.example.com', apiKey: 'phx_canary' }
      const [limits, failures] = [{ perMinute: 10 }, [] as unknown[]]
      const paces = stores.map(store => store.pace(place, limits, error => failures.push(error)))
      const stop = new AbortController()
      let sent = 0
      const all = paces.flatMap(pace =>
        Array.from({ length: 8 }, () => pace.take(stop.signal).then(() => (sent += 1))),
      )
      await expect.poll(() => sent).toBe(10)
      stop.abort()
      await Promise.allSettled(all)
      expect(sent).toBe(10)
      await paces[0]?.pause(60_000)
      const other = stores[1]?.pace({ ...place, apiKey: 'another' }, limits, () => {})
      await other?.take()
      const [row] =
        (await stores[0]?.database.query<{ granted: number; wait_ms: number }>(
          'select * from vexil.take_requests((select key from vexil.pace_pauses), 1, null, null)',
        )) ?? []
      expect(row?.granted).toBe(0)
      expect(row?.wait_ms).toBeGreaterThan(50_000)
      const everything = JSON.stringify(await stores[0]?.database.query('select * from vexil.pace'))
      expect(everything).not.toContain('canary')
      expect(failures).toEqual([])
    })
  })
})
