import type { ApplyEvent } from '../../core/apply/apply-event.ts'
import type { Blocked, Change, LeftOut } from '../../core/change.ts'
import type { LiveEdit } from '../../core/live-edits/live-edit.ts'
import type { ToldRun } from '../../core/record/history.ts'
import type { ObjectOutcome, RunCommand } from '../../core/record/run.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { Authors, Heading, ShownPlan } from './plan.ts'
import type { Fault } from './problems.ts'

/** A run of `apply`, `undo`, `claim` or `unclaim`, as it is known before it begins. */
export interface RunHead {
  readonly command: RunCommand
  /** Where, for those who are told of it elsewhere than where it was begun. */
  readonly meta?: Heading
  readonly changes: readonly Change[]
  /** What the plan leaves out; it is told once more beside what was done. */
  readonly blocked: readonly Blocked[]
  /** What was changed in the product: what is left out of it is told once more as well. */
  readonly liveEdits: readonly LiveEdit[]
  /** Both sides of what the plan leaves out, where they are at hand. */
  readonly leftOut?: readonly LeftOut[]
  /** That of the plan: see there. */
  readonly ownershipTag?: string | undefined
  readonly groupTypes?: ShownPlan['groupTypes'] | undefined
  readonly owners?: ShownPlan['owners']
  readonly authors?: Authors
  /** Nobody has been shown the plan: it was saved earlier. */
  readonly isOfSavedPlan?: boolean
}

/** A run and what came of it. */
export interface RunDocument extends RunHead {
  readonly is: 'run'
  readonly events: readonly RunEvent[]
  /** What went wrong beside its changes. */
  readonly errors?: readonly Fault[]
  /** Where it is on record; `isFleeting`: not for longer than the program runs. */
  readonly kept?: { readonly run: string; readonly path: string; readonly isFleeting?: boolean }
}

type FailedEvent = Extract<ApplyEvent, { type: 'change_failed' }>

/** One event of a run; `line` is what its journal says of it. */
export type RunEvent = { readonly line: JsonObject } & (
  | Exclude<ApplyEvent, FailedEvent>
  | (Omit<FailedEvent, 'error'> & { readonly failure: ChangeFailure })
)

/** What a failure means to whoever reads of it. */
export interface ChangeFailure {
  /** What went wrong and what to do about it, on one line. */
  readonly text: string
  /** The same without the request, where other changes fail for the same reason: a key that may not write, say. */
  readonly shared?: string
  /** Whether the same request would be refused again. */
  readonly isFinal: boolean
  /** How long the service asks to be left alone. */
  readonly waitMs?: number
  readonly fault: Fault
}

/** `vexil history`; with the outcomes where one run was asked for. */
export interface HistoryDocument {
  readonly is: 'history'
  readonly runs: readonly ToldRun[]
  readonly outcomes?: Readonly<Record<string, ObjectOutcome>>
}
