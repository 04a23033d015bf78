import { type Target, targetIdentity } from '../core/target.ts'
import type { NotifiedState } from '../model/connection.ts'
import type { Database } from './open-store.ts'

/** What was seen of one state at the end of a job. */
export interface SeenState {
  readonly state: NotifiedState
  readonly isOn: boolean
  /** How many objects are concerned. */
  readonly objects: number
  readonly reason?: string | undefined
  readonly commit?: string | undefined
}

export interface StateRow {
  readonly environment: string
  readonly state: NotifiedState
  readonly begunAt: Date
  readonly endedAt: Date | null
  readonly objects: number
  readonly reason: string | null
  readonly commit: string | null
}

/** The states of all environments, with their past. */
export class StoreStates {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Notes what was seen. Returns whether it is new: of replicas that see the same, one gets true. */
  async note(target: Target, environment: string, seen: SeenState): Promise<boolean> {
    const { state, isOn, objects, reason = null, commit = null } = seen
    const who = [targetIdentity(target), environment, state]
    const rows = isOn
      ? await this.#database.query<{ isNew: boolean }>(
          `insert into vexil.states (target, environment, state, begun_at, objects, reason, commit)
           values ($1, $2, $3, clock_timestamp(), $4, $5, $6)
           on conflict (target, environment, state) where ended_at is null
           do update set objects = excluded.objects, reason = excluded.reason, commit = excluded.commit
           returning xmax = 0 as "isNew"`,
          [...who, objects, reason, commit],
        )
      : await this.#database.query<{ isNew: boolean }>(
          `update vexil.states set ended_at = clock_timestamp()
           where target = $1 and environment = $2 and state = $3 and ended_at is null returning true as "isNew"`,
          who,
        )
    return rows[0]?.isNew === true
  }

  /** The states that have not ended. */
  on(): Promise<readonly Pick<StateRow, 'environment' | 'state'>[]> {
    return this.#database.query<Pick<StateRow, 'environment' | 'state'> & { [column: string]: unknown }>(
      'select environment, state from vexil.states where ended_at is null',
    )
  }

  /** The newest states, those that have not ended first. */
  list(limit: number): Promise<readonly StateRow[]> {
    return this.#database.query<StateRow & { [column: string]: unknown }>(
      `select environment, state, begun_at as "begunAt", ended_at as "endedAt", objects, reason, commit
       from vexil.states order by ended_at is not null, begun_at desc, id desc limit $1`,
      [limit],
    )
  }
}
