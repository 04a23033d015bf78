import type { Client, ClientConfig, Pool, PoolConfig, QueryResultRow } from 'pg'
import type { Runtime } from '../model/runtime.ts'
import { migrations } from './migrations.ts'
import { failing, load, StoreError } from './store-error.ts'

export interface DatabaseOptions {
  /** `postgres://user@host:5432/name`. Without a password, PGPASSWORD and `.pgpass` count, as for psql. */
  readonly address: string
  readonly runtime: Runtime
  /** The most connections of the pool. */
  readonly connections?: number
}

/** A connection to PostgreSQL, with the tables of the current version. Every failure is a `StoreError`. */
export class Database {
  readonly runtime: Runtime
  readonly #pool: Pool
  readonly #connect: () => Promise<Client>

  private constructor(runtime: Runtime, pool: Pool, connect: () => Promise<Client>) {
    this.runtime = runtime
    this.#pool = pool
    this.#connect = connect
  }

  /** Connects, and brings the tables up to date. */
  static async open({ address, runtime, connections = 4 }: DatabaseOptions): Promise<Database> {
    const pg = await load(() => import('pg'), 'pg')
    const config = {
      connectionString: address,
      ...patience,
      application_name: 'vexil',
    } satisfies ClientConfig
    const pool = new pg.default.Pool({
      ...config,
      max: connections,
      idleTimeoutMillis: 30_000,
      // A program that uses the library ends without closing the store.
      allowExitOnIdle: true,
      // PgBouncer refuses it as a parameter of the connection.
      verify: (client, done) => client.query(limitStatements, error => done(error)),
    } satisfies PoolConfig)
    // An idle connection that ends is replaced at the next query.
    pool.on('error', () => {})
    const database = new Database(runtime, pool, async () => {
      const client = new pg.default.Client(config)
      client.on('error', () => {})
      await failing(() => client.connect())
      await failing(() => client.query(limitStatements))
      return client
    })
    try {
      await database.#migrate()
      return database
    } catch (error) {
      await database.close()
      throw error
    }
  }

  async query<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    return (await failing(() => this.#pool.query<Row>(text, [...values]))).rows
  }

  /** For pg-boss, which wants the whole result, and reads the errors of the driver. */
  executeSql(
    text: string,
    values: readonly unknown[],
  ): Promise<{ readonly rows: readonly QueryResultRow[] }> {
    return this.#pool.query(text, [...values])
  }

  /** Runs statements in one transaction: all of them, or none. */
  async transaction<Made>(run: (query: Database['query']) => Promise<Made>): Promise<Made> {
    const client = await failing(() => this.#pool.connect())
    let broken: Error | undefined
    const query: Database['query'] = async (text, values = []) =>
      (await failing(() => client.query(text, [...values]))).rows
    try {
      await query('begin')
      const made = await run(query)
      await query('commit')
      return made
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** Runs something that makes tables, while no other replica does. */
  making<Made>(run: () => Promise<Made>): Promise<Made> {
    return this.transaction(async query => {
      await query(`select pg_advisory_xact_lock(${makingLock})`)
      return run()
    })
  }

  /** A connection of its own, for advisory locks. The caller ends it. */
  session(): Promise<Client> {
    return this.#connect()
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  /** Steps run under a lock, so that replicas that start together do not meet. Nothing goes backward. */
  async #migrate(): Promise<void> {
    const known = migrations.length
    if ((await this.#version()) === known) return
    await this.transaction(async query => {
      await query(`select pg_advisory_xact_lock(${makingLock})`)
      await query('create schema if not exists vexil')
      await query('create table if not exists vexil.version (version integer not null)')
      const [{ version } = { version: 0 }] = await query<{ version: number }>(
        'select version from vexil.version',
      )
      if (version > known) throw newer(version)
      for (const step of migrations.slice(version)) await query(step)
      await query('delete from vexil.version')
      await query('insert into vexil.version values ($1)', [known])
    })
  }

  /** The version of the tables; 0 if there are none. */
  async #version(): Promise<number> {
    const [found] = await this.query<{ found: string | null }>(`select to_regclass('vexil.version') as found`)
    if (!found?.found) return 0
    const [row] = await this.query<{ version: number }>('select version from vexil.version')
    const version = row?.version ?? 0
    if (version > migrations.length) throw newer(version)
    return version
  }
}

/** Any number that no other program uses. */
const makingLock = 7_305_148_291

const patience = {
  connectionTimeoutMillis: 5_000,
  // A little longer than the server.
  query_timeout: 35_000,
  keepAlive: true,
} as const

/** The server ends a statement that takes longer. */
const limitStatements = 'set statement_timeout = 30000'

function newer(version: number): StoreError {
  return new StoreError(
    `the store has tables of a newer Vexil (version ${version}, this one knows ${migrations.length}); update Vexil`,
    false,
  )
}
