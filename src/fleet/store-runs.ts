import type { RunRecord } from '../core/record/run.ts'
import { targetIdentity } from '../core/target.ts'
import type { Database } from './open-store.ts'

/** A run in the shared store. Without a record, it was cut off or still runs. */
export interface StoredRun {
  readonly run: string
  readonly hasRecord: boolean
  /** How many parts its journal has. */
  readonly parts: number
  /** The name of its table of declarations. */
  readonly declared: string | null
}

/** The text of a run: its record, or its journal so far. */
export interface StoredText {
  readonly run: string
  readonly isJournal: boolean
  readonly text: string
}

/** What identifies a run in the store; its record has the same. */
export type StoredHead = Pick<
  RunRecord,
  'run' | 'target' | 'environment' | 'command' | 'startedAt' | 'declared'
>

/**
 * The runs of all runners. A run that was killed has its journal here, since another machine has to know what
 * it may have written. Texts are as in `.vexil/runs`: without keys and without values that settings hide.
 */
export class StoreRuns {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The runs of a target, or of all targets; the newest first. */
  list(target: RunRecord['target'] | undefined, limit: number): Promise<readonly StoredRun[]> {
    return this.#database.query<StoredRun & { [column: string]: unknown }>(
      `select run, declared, record is not null as "hasRecord",
         (select count(*)::integer from vexil.journal_lines lines where lines.run = runs.run) as parts
       from vexil.runs runs where $1::text is null or target = $1 order by run desc limit $2`,
      [target === undefined ? null : targetIdentity(target), limit],
    )
  }

  /** The newest records of all targets, for the audit view. */
  newest(limit: number, environment: string | undefined): Promise<readonly StoredText[]> {
    return this.#database.query<StoredText & { [column: string]: unknown }>(
      `${texts} where $2::text is null or environment = $2 order by run desc limit $1`,
      [limit, environment ?? null],
    )
  }

  /** The texts of these runs; those that are gone are left out. */
  read(runs: readonly string[]): Promise<readonly StoredText[]> {
    return this.#database.query<StoredText & { [column: string]: unknown }>(`${texts} where run = any($1)`, [
      runs,
    ])
  }

  /** Which of these runs have no record in the store. */
  async withoutRecord(runs: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#database.query<{ run: string }>(
      'select run from vexil.runs where run = any($1) and record is not null',
      [runs],
    )
    const found = new Set(rows.map(({ run }) => run))
    return runs.filter(run => !found.has(run))
  }

  /** Begins the journal of a run. The result appends lines, and resolves when the store has them. */
  async begin(head: StoredHead): Promise<(lines: string) => Promise<void>> {
    await this.#database.query(`${insertRun} on conflict do nothing`, [...headValues(head), null])
    let part = 0
    let waiting = ''
    let next: Promise<void> | undefined
    let last = Promise.resolve()
    const store = async () => {
      await last.catch(() => {})
      const lines = waiting
      waiting = ''
      next = undefined
      part += 1
      await this.#database.query('insert into vexil.journal_lines values ($1, $2, $3)', [
        head.run,
        part,
        lines,
      ])
    }
    return lines => {
      waiting += lines
      // Lines that come while one statement runs share the next one.
      if (!next) {
        next = store()
        last = next
      }
      return next
    }
  }

  /** Stores the record of a run in place of its journal. */
  end(head: StoredHead, record: string): Promise<void> {
    return this.#database.transaction(async query => {
      await query(`${insertRun} on conflict (run) do update set record = excluded.record`, [
        ...headValues(head),
        record,
      ])
      await query('delete from vexil.journal_lines where run = $1', [head.run])
    })
  }

  async declared(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database.query<{ name: string; content: string }>(
      'select name, content from vexil.declared where name = any($1)',
      [names],
    )
    return new Map(rows.map(({ name, content }) => [name, content]))
  }

  async keepDeclared(name: string, content: string): Promise<void> {
    await this.#database.query('insert into vexil.declared values ($1, $2) on conflict do nothing', [
      name,
      content,
    ])
  }
}

const insertRun = `insert into vexil.runs (run, target, environment, command, declared, started_at, record)
  values ($1, $2, $3, $4, $5, $6, $7)`

const texts = `select run, record is null as "isJournal", coalesce(record, (
    select string_agg(lines, '' order by part) from vexil.journal_lines lines where lines.run = runs.run
  ), '') as text from vexil.runs runs`

function headValues({
  run,
  target,
  environment,
  command,
  declared,
  startedAt,
}: StoredHead): readonly unknown[] {
  return [
    run,
    targetIdentity(target),
    environment ?? null,
    command,
    declared ?? null,
    new Date(startedAt).toISOString(),
  ]
}
