import type { BlockRule, Change } from '../change.ts'
import type { GuardRule } from '../desired.ts'
import type { Target } from '../target.ts'

/** The commands that write. Each of their runs is recorded. */
const runCommands = ['apply', 'undo', 'claim', 'unclaim', 'disable', 'enable'] as const
export type RunCommand = (typeof runCommands)[number]

/** Who started a run, and the source of that name: a variable of the pipeline, `git` or `system`. */
export interface Who {
  readonly name: string
  readonly from: string
}

/** The commit of a run's declarations. Without git there is none. */
export interface RunCommit {
  readonly commit: string
  /** Whether the folder contained anything besides that commit. */
  readonly dirty: boolean
}

/** The facts of a run before it begins: the first line of its journal. */
export interface Run {
  readonly run: string
  readonly command: RunCommand
  readonly environment?: string
  readonly target: Target
  readonly revision?: RunCommit
  readonly who?: Who
  /** Why, in the words of the person who started it: one line. A disable has one. */
  readonly reason?: string
  /** Milliseconds since 1970, by the clock of its machine. */
  readonly startedAt: number
  /** The newest runs of its target that it knew, without their predecessors. It follows them. */
  readonly after?: readonly string[]
  readonly planDigest?: string
  /** The run that this one undoes. */
  readonly undoes?: string
  readonly changes: readonly Change[]
  /** What the plan left out, and by which rule. */
  readonly blocked: readonly Blocked[]
  /** Declared objects that the command line left out. */
  readonly notTargeted: readonly string[]
  /** Fields that were not written because they differ in the product; absent means none. */
  readonly held?: readonly HeldFields[]
  /** Permissions for rules about a run as a whole; absent means none. */
  readonly allowed?: readonly GuardRule[]
  /** How many objects matched their declarations. */
  readonly unchanged: number
  /** The name of the table of declarations: see `declaredDigests`. */
  readonly declared?: string
}

/** Declared fields of one object that a run did not change; `exists` means the object itself. */
export interface HeldFields {
  readonly address: string
  readonly fields: readonly string[]
}

export interface Blocked {
  readonly address: string
  readonly rule: BlockRule
}

const entryOutcomes = ['done', 'already', 'failed', 'pending', 'stale', 'skipped'] as const
export type EntryOutcome = (typeof entryOutcomes)[number]

/**
 * One change of a run, with its result. `id` is the id of the object, also if the run created it. A failed
 * change has an id if its object was written and only its source files were not.
 */
export interface RunEntry {
  readonly change: Change
  readonly outcome: EntryOutcome
  readonly id?: string
  /** For a pending one: the request in the service that waits for approval. */
  readonly changeRequest?: string
  /** Fields that the service accepted but did not store. */
  readonly notKept?: readonly string[]
  /** Requests were sent, and it is unknown whether all, some or none of them took effect. */
  readonly maybeWritten?: true
  /**
   * A request was sent and the run ended, or still runs: it is unknown whether it failed. Only for a run
   * without a record; the writer of a record knows how each change ended.
   */
  readonly brokeOff?: true
}

/** What a run did: enough to find later changes, and to undo it. */
export interface RunRecord extends Omit<Run, 'changes'> {
  /** Unknown for a run that was cut off. */
  readonly finishedAt?: number
  /** Whether it ran to its end: neither cut off nor stopped. */
  readonly isComplete: boolean
  readonly entries: readonly RunEntry[]
}

/** The outcome of one object in a run. */
export const objectOutcomes = [
  ...entryOutcomes,
  'not_known',
  'blocked',
  'held',
  'not_targeted',
  'unchanged',
] as const
export type ObjectOutcome = (typeof objectOutcomes)[number]

/** The outcome of a change's object. */
export function entryOutcome({ outcome, brokeOff }: RunEntry): ObjectOutcome {
  return brokeOff ? 'not_known' : outcome
}

/** Whether a run has or may have written an object, also without its files or in addition to another. */
export function hasWritten({ outcome, id, maybeWritten }: RunEntry): boolean {
  return (
    outcome === 'done' ||
    maybeWritten === true ||
    ((outcome === 'failed' || outcome === 'stale') && id !== undefined)
  )
}

/**
 * The number of objects for each outcome of a run. An object with a held field also counts as held, whatever
 * happened to its other fields.
 */
export function outcomeCounts(record: RunRecord): Readonly<Record<ObjectOutcome, number>> {
  const outcomes = record.entries.map(entryOutcome)
  const of = (wanted: ObjectOutcome) => outcomes.filter(outcome => outcome === wanted).length
  return {
    done: of('done'),
    already: of('already'),
    unchanged: record.unchanged,
    failed: of('failed'),
    pending: of('pending'),
    stale: of('stale'),
    skipped: of('skipped'),
    not_known: of('not_known'),
    blocked: record.blocked.length,
    held: record.held?.length ?? 0,
    not_targeted: record.notTargeted.length,
  }
}
