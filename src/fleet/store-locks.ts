import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Client } from 'pg'
import {
  type HeldLock,
  type LockOwner,
  lockFileText,
  type RefusedLock,
  readLockFile,
  sharedStore,
} from '../core/apply/locks.ts'
import type { Database } from './open-store.ts'
import { failing, StoreError } from './store-error.ts'

/** How often the owner of locks shows that it is connected, in milliseconds. */
const beatMs = 4_000
/** An owner without an answer for this long counts as cut off, and stops by itself. */
const silentMs = 4_000
/** After a lost connection, the last requests of its owner may still arrive. A successor waits as long. */
const graceMs = 15_000

/**
 * Locks of the shared store: advisory locks of PostgreSQL, all on one connection of this process.
 *
 * | the owner                     | the lock                                                                   |
 * |-------------------------------|----------------------------------------------------------------------------|
 * | ends                          | is released, and its row is deleted                                        |
 * | is killed                     | ends with its connection; the row stays, so a successor waits 15 s         |
 * | loses its connection          | the same; the owner gets `lost` within 8 s, and cuts off its requests      |
 * | runs, but its machine is gone | the server notices the dead connection within 20 s                         |
 */
export class StoreLocks {
  readonly #database: Database
  #session: Promise<Session> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Takes a lock by its name. Waits only for the last requests of an owner that was cut off. */
  async acquire(name: string, owner: LockOwner): Promise<StoreLock | RefusedLock> {
    const session = await this.#reserve(name)
    if (!session) return this.#refused(name)
    try {
      const [row] = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
        keyOf(name),
      ])
      if (!row?.taken) {
        giveUp(session, name)
        return await this.#refused(name)
      }
      const [before] = await session.query<{ wait_ms: number }>(
        `select ceil(extract(epoch from seen_at - clock_timestamp()) * 1000)::integer + $2 as wait_ms
         from vexil.locks where target = $1`,
        [name, graceMs],
      )
      if (before && before.wait_ms > 0) await this.#database.runtime.sleep(before.wait_ms, session.lost)
      await session.query(
        `insert into vexil.locks values ($1, $2, clock_timestamp())
         on conflict (target) do update set owner = excluded.owner, seen_at = excluded.seen_at`,
        [name, lockFileText(owner)],
      )
      session.held.add(name)
    } catch (error) {
      session.end()
      throw error
    }
    return {
      is: 'held',
      lost: session.lost,
      release: async () => {
        if (session.lost.aborted) return 'lost'
        session.held.delete(name)
        try {
          await session.query('delete from vexil.locks where target = $1', [name])
          await session.query('select pg_advisory_unlock($1)', [keyOf(name)])
        } catch {
          session.end()
          return 'lost'
        }
        giveUp(session, name)
        return 'released'
      },
    }
  }

  /** The owner of a lock that is held now. */
  async ownerOf(name: string): Promise<LockOwner | undefined> {
    const key = keyOf(name)
    const [row] = await this.#database.query<{ owner: string }>(
      `select owner from vexil.locks where target = $1 and exists (
         select from pg_locks join pg_database on pg_database.oid = pg_locks.database
         where datname = current_database() and locktype = 'advisory' and objsubid = 1
         and ((classid::bigint << 32) | objid::bigint) = $2::bigint)`,
      [name, key],
    )
    return row && readLockFile(row.owner)
  }

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined)
    session?.end()
  }

  async #refused(name: string): Promise<RefusedLock> {
    return { is: 'refused', place: sharedStore, owner: await this.ownerOf(name), state: 'running' }
  }

  /**
   * The connection of all locks, with this name reserved; undefined if this process has the lock already, since
   * the database would give the same connection the same lock twice.
   */
  async #reserve(name: string): Promise<Session | undefined> {
    for (;;) {
      const opening = this.#session ?? openSession(this.#database)
      this.#session = opening
      const session = await opening.catch((error: unknown) => {
        if (this.#session === opening) this.#session = undefined
        throw error
      })
      if (!session.lost.aborted) {
        if (session.taken.has(name)) return undefined
        session.taken.add(name)
        return session
      }
      if (this.#session === opening) this.#session = undefined
    }
  }
}

/** Without a lock there is no connection, so that it does not keep a program from ending. */
function giveUp(session: Session, name: string): void {
  session.taken.delete(name)
  if (session.taken.size === 0) session.end()
}

export type StoreLock = HeldLock & Required<Pick<HeldLock, 'lost'>>

interface Session {
  readonly query: <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  /** The locks of this connection, and those that it is taking. */
  readonly taken: Set<string>
  /** Those whose row shows that this process is connected. */
  readonly held: Set<string>
  readonly lost: AbortSignal
  end(): void
}

async function openSession(database: Database): Promise<Session> {
  const client = await database.session()
  const lost = new AbortController()
  // Each lock listens to it; Node warns of a leak from eleven listeners on.
  setMaxListeners(0, lost.signal)
  const [taken, held] = [new Set<string>(), new Set<string>()]
  const end = () => {
    if (lost.signal.aborted) return
    lost.abort(new StoreError('the connection to the shared store was lost, and its locks with it', true))
    client.end().catch(() => {})
  }
  client.on('error', end)
  client.on('end', end)
  let last: Promise<unknown> = Promise.resolve()
  const query: Session['query'] = async (text, values = []) => {
    // The driver warns of a statement that is sent while another one runs.
    const asked = last.then(() => failing(() => client.query(text, [...values])))
    last = asked.catch(() => {})
    // Its rows are as the statement names them.
    return (await asked).rows as never
  }
  // The server must notice a machine that is gone, and must not end a connection that only holds a lock.
  for (const setting of [
    'tcp_keepalives_idle = 5',
    'tcp_keepalives_interval = 5',
    'tcp_keepalives_count = 3',
  ])
    await query(`set ${setting}`)
  await query(`set tcp_user_timeout = 20000`)
  await query('set idle_session_timeout = 0')
  const session = { query, taken, held, lost: lost.signal, end }
  void beat(database, client, session)
  return session
}

/** Shows again and again that this process is connected. Ends the session as soon as it gets no answer. */
async function beat(
  { runtime }: Database,
  client: Client,
  { query, held, lost, end }: Session,
): Promise<void> {
  try {
    while (!lost.aborted) {
      await runtime.sleep(beatMs, lost)
      const answered = new AbortController()
      const silent = runtime.sleep(silentMs, answered.signal).then(
        () => true,
        () => false,
      )
      const beating = query('update vexil.locks set seen_at = clock_timestamp() where target = any($1)', [
        [...held],
      ])
      const isSilent = await Promise.race([silent, beating.then(() => false)])
      answered.abort()
      if (isSilent) break
    }
  } catch {
    // It was lost, or `end` was called.
  }
  // A dead connection would wait for an answer to its farewell.
  client.connection?.stream?.destroy?.()
  end()
}

/** The number of an advisory lock, as the text of a signed 64-bit integer. */
function keyOf(name: string): string {
  return String(createHash('sha256').update(`vexil lock ${name}`).digest().readBigInt64BE())
}
