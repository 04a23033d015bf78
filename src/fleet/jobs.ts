import type { Database } from './open-store.ts'
import { failing, load, storeError } from './store-error.ts'

type Boss = import('pg-boss')

/** One environment to reconcile. */
export interface Job {
  readonly id: string
  readonly environment: string
  /** How often it was put off, because its key or its place was in use. */
  readonly postponed: number
  /** The key that it waits for. */
  readonly key?: string
  /** Since when it has waited, by the clock of the replica that put it off first, as a text that sorts. */
  readonly since?: string
}

export interface JobsOptions {
  readonly database: Database
  /** Which fleet: replicas with the same name share the jobs. */
  readonly fleet: string
  /** In whole seconds. An environment gets one job in each interval, whichever replica adds it. */
  readonly everySeconds: number
}

/**
 * The jobs of a fleet, in pg-boss.
 *
 * | event                                   | what happens                                                    |
 * |-----------------------------------------|-----------------------------------------------------------------|
 * | an interval begins                      | one job for each environment that has none waiting              |
 * | a job fails                             | again after 5, 10, 20 seconds or more, three times              |
 * | its key is in use                       | put off until a job of that key ends; the first one comes first |
 * | its place is in use                     | put off for 1 second, then for 2, and later for up to 10        |
 * | its replica is killed                   | the next interval has a new job; the lock is free before that   |
 * | the store is down                       | no jobs until it is back; `failure` is set meanwhile            |
 */
export class Jobs {
  readonly #boss: Boss
  readonly #database: Database
  readonly #queue: string
  readonly #everySeconds: number
  #failure: unknown

  private constructor(
    boss: (failed: (error: unknown) => void) => Boss,
    { database, everySeconds }: JobsOptions,
    queue: string,
  ) {
    this.#database = database
    this.#queue = queue
    this.#everySeconds = everySeconds
    this.#boss = boss(error => {
      this.#failure = error
    })
  }

  static async open(options: JobsOptions): Promise<Jobs> {
    const { database, fleet, everySeconds } = options
    const { default: PgBoss } = await load(() => import('pg-boss'), 'pg-boss@10')
    const queue = `reconcile-${fleet}`
    const make = (noteFailure: (error: unknown) => void) => {
      const boss = new PgBoss({
        schema,
        schedule: false,
        archiveCompletedAfterSeconds: Math.max(3_600, 2 * everySeconds),
        deleteAfterDays: 1,
        // pg-boss 10 reports no job if its question fails, so failures are noted here.
        db: {
          async executeSql(text: string, values: readonly unknown[] = []) {
            try {
              const result = await database.executeSql(text, values)
              noteFailure(undefined)
              return result as { rows: unknown[] }
            } catch (error) {
              noteFailure(storeError(error))
              throw error
            }
          },
        },
      })
      // Without a listener, an error of its maintenance would end the process.
      boss.on('error', () => {})
      return boss
    }
    const jobs = new Jobs(make, options, queue)
    // If replicas make its tables or queues at the same time, all but one fail.
    await database.making(async () => {
      await failing(() => jobs.#boss.start())
      // `short`: at most one job of an environment waits.
      await failing(() => jobs.#boss.createQueue(queue, { name: queue, policy: 'short', ...eachJob }))
    })
    return jobs
  }

  /** Why the last question failed; undefined if it did not. */
  get failure(): unknown {
    return this.#failure
  }

  /** Adds a job for each environment, once for each interval. */
  async add(environments: readonly string[]): Promise<void> {
    const jobs = environments.map(environment => ({
      name: this.#queue,
      data: { environment, postponed: 0 },
      singletonKey: environment,
      singletonSeconds: this.#everySeconds,
      ...eachJob,
    }))
    await failing(() => this.#boss.insert(jobs))
  }

  /** The job that has waited longest; undefined if there is none. */
  async next(): Promise<Job | undefined> {
    const [found] = await this.#boss.fetch<Omit<Job, 'id'>>(this.#queue, { batchSize: 1 })
    return found && { ...found.data, id: found.id }
  }

  async done({ id }: Job): Promise<void> {
    await failing(() => this.#boss.complete(this.#queue, id))
  }

  /** It is tried again, unless it has failed too often in this interval. */
  async failed({ id }: Job): Promise<void> {
    await failing(() => this.#boss.fail(this.#queue, id))
  }

  /** Puts a job off, since its place is in use, or this key. */
  async postpone({ id, environment, postponed, since = this.#now() }: Job, key?: string): Promise<void> {
    // If no job of the key wakes it, such as after a kill, it comes back by itself.
    const longest = Math.min(longestWaitSeconds, this.#everySeconds)
    const startAfter = key === undefined ? Math.min(10, 1 + postponed) : longest
    const again = { environment, postponed: postponed + 1, ...(key !== undefined && { key, since }) }
    const options = { singletonKey: environment, startAfter, ...eachJob }
    const added = await failing(() => this.#boss.send(this.#queue, again, options))
    // The next interval has added one already. It takes the place of this one in the order.
    if (added === null && key !== undefined)
      await this.#database.query(
        `update ${schema}.job set data = $3, start_after = now() + $4 * interval '1 second'
         where name = $1 and singleton_key = $2 and state = 'created'`,
        [this.#queue, environment, JSON.stringify(again), startAfter],
      )
    await failing(() => this.#boss.complete(this.#queue, id))
  }

  /** Starts the job of each fleet that has waited longest for a key, since the key is free now. */
  async wake(key: string): Promise<void> {
    // pg-boss cannot change when a job starts.
    await this.#database.query(
      `update ${schema}.job set start_after = now() where (name, id) in (
         select distinct on (name) name, id from ${schema}.job where state = 'created' and data->>'key' = $1
         order by name, data->>'since', id)`,
      [key],
    )
  }

  #now(): string {
    return new Date(this.#database.runtime.now()).toISOString()
  }

  /** How many jobs wait. */
  waiting(): Promise<number> {
    return failing(() => this.#boss.getQueueSize(this.#queue))
  }

  /** Stops the maintenance. Running jobs are those of the caller. */
  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false })
  }
}

const schema = 'vexil_jobs'
const longestWaitSeconds = 300

const eachJob = { retryLimit: 3, retryDelay: 5, retryBackoff: true, expireInSeconds: 12 * 3_600 } as const
