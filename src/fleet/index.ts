import { Database, type DatabaseOptions } from './open-store.ts'
import { StoreLocks } from './store-locks.ts'
import { type PaceLimits, paceKey, StorePace } from './store-pace.ts'
import { StoreRuns } from './store-runs.ts'
import { StoreStates } from './store-states.ts'

export type { Database } from './open-store.ts'
export { StoreError } from './store-error.ts'
export { type PaceLimits, paceKey } from './store-pace.ts'
export type { StoredHead } from './store-runs.ts'
export type { SeenState } from './store-states.ts'

/** What all runners share: locks, runs with their journals, the pace of each key, states of environments. */
export interface Store {
  readonly database: Database
  readonly locks: StoreLocks
  readonly runs: StoreRuns
  readonly states: StoreStates
  /** The pace of a key. After a failure of the store, requests go on without it, and `onFailure` is called. */
  pace(
    place: { readonly baseUrl: string; readonly apiKey: string },
    limits: PaceLimits,
    onFailure: (error: unknown) => void,
  ): StorePace
  close(): Promise<void>
}

/** Connects to the shared store. Throws a `StoreError`. */
export async function openStore(options: DatabaseOptions): Promise<Store> {
  const database = await Database.open(options)
  const locks = new StoreLocks(database)
  return {
    database,
    locks,
    runs: new StoreRuns(database),
    states: new StoreStates(database),
    pace: ({ baseUrl, apiKey }, limits, onFailure) =>
      new StorePace(database, paceKey(baseUrl, apiKey), limits, onFailure),
    async close() {
      await locks.close()
      await database.close()
    },
  }
}
