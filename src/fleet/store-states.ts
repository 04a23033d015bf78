import type { ShownState } from '../core/record/history.ts'
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

/** The states of all environments, with their past. A fleet is a repository, whatever its replicas. */
export class StoreStates {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Notes what a job has seen that began `agoMs` ago. Returns whether it is new: of replicas that see the same,
   * one gets true. What a younger job has changed stays.
   */
  async note(fleet: string, environment: string, seen: SeenState, agoMs = 0): Promise<boolean> {
    const { state, isOn, objects, reason = null, commit = null } = seen
    const who = [fleet, environment, state, agoMs]
    const rows = isOn
      ? await this.#database.query<{ isNew: boolean }>(
          `insert into vexil.states (fleet, environment, state, begun_at, objects, reason, commit)
           select $1, $2, $3, clock_timestamp(), $5::integer, $6, $7
           where not exists (select 1 from vexil.states where fleet = $1 and environment = $2 and state = $3
             and ended_at > ${began})
           on conflict (fleet, environment, state) where ended_at is null
           do update set objects = excluded.objects, reason = excluded.reason, commit = excluded.commit
           returning xmax = 0 as "isNew"`,
          [...who, objects, reason, commit],
        )
      : await this.#database.query<{ isNew: boolean }>(
          `update vexil.states set ended_at = clock_timestamp()
           where fleet = $1 and environment = $2 and state = $3 and ended_at is null and begun_at <= ${began}
           returning true as "isNew"`,
          who,
        )
    return rows[0]?.isNew === true
  }

  /** The states of a fleet that have not ended. */
  on(fleet: string): Promise<readonly Pick<ShownState, 'environment' | 'state'>[]> {
    return this.#database.query<Pick<ShownState, 'environment' | 'state'> & { [column: string]: unknown }>(
      'select environment, state from vexil.states where fleet = $1 and ended_at is null',
      [fleet],
    )
  }

  /** The newest states, those that have not ended first. */
  async list(limit: number, environment?: string): Promise<readonly ShownState[]> {
    const rows = await this.#database.query<Record<keyof ShownState, unknown> & { readonly begunAt: number }>(
      `select environment, state, objects, reason, commit,
         extract(epoch from begun_at) * 1000 as "begunAt", extract(epoch from ended_at) * 1000 as "endedAt"
       from vexil.states where $2::text is null or environment = $2
       order by ended_at is not null, begun_at desc, id desc limit $1`,
      [limit, environment ?? null],
    )
    // Its columns are the members; the driver gives numbers with a fraction as texts.
    return rows.map(
      row =>
        withoutNulls({
          ...row,
          begunAt: Number(row.begunAt),
          endedAt: row.endedAt && Number(row.endedAt),
        }) as never,
    )
  }
}

/** When the job began, by the clock of the database. */
const began = `clock_timestamp() - $4 * interval '1 millisecond'`

function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}
