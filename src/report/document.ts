import type { ApplyEvent } from '../core/apply/apply-event.ts'
import type { Blocked, Change, Plan } from '../core/change.ts'
import type { Comparison } from '../core/comparison.ts'
import type { Exportable } from '../core/live.ts'
import type { LiveEdit } from '../core/live-edits/live-edit.ts'
import type { FoundDrift } from '../core/plan/found-drift.ts'
import type { ShownRun } from '../core/record/history.ts'
import type { PlanMeta, SavedPlan } from '../core/record/plan-file.ts'
import type { ObjectOutcome, RunCommand } from '../core/record/run.ts'
import type { Profile } from '../model/connection.ts'
import type { Problem, ShownObject } from '../model/problem.ts'
import type { JsonObject } from '../model/text/json.ts'
import type { Members, ObjectOf } from '../schema/json-schema.ts'
import type * as checks from '../schema/printed-checks.ts'
import type * as edits from '../schema/printed-edits.ts'
import type * as others from '../schema/printed-edits.ts'

/**
 * The result of a command: plain data with everything that any format shows. A command builds one and hands
 * it over; it does not know the format.
 */
export type Document =
  | PlanDocument
  | SavedPlanDocument
  | DriftDocument
  | RunDocument
  | ValidationDocument
  | ExportDocument
  | EditDocument
  | EvaluationDocument
  | TestsDocument
  | ComparisonDocument
  | ReferencesDocument
  | StaleDocument
  | HistoryDocument
  | DoctorDocument
  | SandboxDocument
  | QuirksDocument
  | InitDocument
  | UnlockDocument
  | InstallationDocument
  | CallDocument
  | OperationsDocument
  | FailureDocument

/** The members that `--json` prints of a document, as its schema has them. */
type Printed<M extends Members> = Omit<ObjectOf<M>, 'errors'>

/** `vexil call`: an answer of the service. */
export interface CallDocument extends Printed<typeof others.call> {
  readonly is: 'call'
}

/** `vexil call` without a name: the operations. */
export interface OperationsDocument extends Printed<typeof others.operations> {
  readonly is: 'operations'
}

/** `vexil compare`. */
export interface ComparisonDocument {
  readonly is: 'comparison'
  readonly exitCode: number
  readonly comparison: Comparison
  /** Whether it compares live objects, and not declarations. */
  readonly isLive: boolean
  /** The place of each environment, if it was read. */
  readonly places: Readonly<Record<string, string>>
  /** Whether what is equal is listed too. */
  readonly showsEqual: boolean
}

/** `vexil doctor`: without answers if no request was possible. */
export interface DoctorDocument extends Printed<typeof checks.doctor> {
  readonly is: 'doctor'
  readonly exitCode: number
}

/** Which service it is, and what this build knows of it. */
export type FoundService = NonNullable<DoctorDocument['service']>
/** Whether the service has objects of a kind for this key. `refused`: it has, and another key may get them. */
export type OfferedKind = NonNullable<DoctorDocument['kinds']>[number]
/** Whether the key may do one thing that Vexil does. */
export type Permission = NonNullable<DoctorDocument['permissions']>[number]
export type FoundLimits = NonNullable<DoctorDocument['limits']>
export type Check = DoctorDocument['checks'][number]
/** `not_checked` never counts as `ok`. */
export type Verdict = Check['verdict']

/** `vexil promote`, `vexil ramp`, `vexil retire`, `vexil pull` and `vexil fmt`: files of declarations with something changed in them. */
export interface EditDocument {
  readonly is: 'edit'
  readonly exitCode: number
  /** Whether nothing was written. */
  readonly isDryRun: boolean
  readonly files: readonly {
    /** Relative to the working directory. */
    readonly path: string
    /** What changes in it, as `diff -u` writes it. */
    readonly diff: string
    /** Set if the file is removed, since it is empty now. */
    readonly removed?: true
  }[]
  readonly objects: Printed<typeof edits.edit>['objects']
  readonly ramp?: RampedCondition
  /** Of `vexil pull`: what was changed in the product, and is declared now. */
  readonly pull?: PulledEdits
  /** Of `vexil retire`: the progress of a removal. */
  readonly retire?: Retirement
  /** What else is to be known of it: a line each. */
  readonly notes: readonly string[]
  /** What to run next. */
  readonly next?: string
}

/** A step of a rollout; shares are percentages. */
export type RampedCondition = NonNullable<Printed<typeof edits.edit>['ramp']>

/** What `vexil pull` writes into the files, and what it cannot. */
export interface PulledEdits {
  /** Each with the fields whose declarations now equal the live values. */
  readonly liveEdits: readonly LiveEdit[]
  /** Values that no edit of a file can declare, and why. */
  readonly leftOut: readonly { readonly address: string; readonly reason: string }[]
}

/** `vexil evaluate`. */
export interface EvaluationDocument extends Printed<typeof checks.evaluation> {
  readonly is: 'evaluation'
}

/** The value of one flag for a person. */
export type EvaluatedFlagDocument = EvaluationDocument['flags'][number]

/** A value and its reason; null means that there is none. */
export type Answer = ObjectOf<typeof checks.answer>

/** `vexil export`. */
export interface ExportDocument {
  readonly is: 'export'
  readonly exitCode: number
  /** Each with its environment, if there are several. */
  readonly objects: readonly (Exportable & { readonly environment?: string })[]
  /** The same as declarations, with one note per line. Give a getter: not every format reads it. */
  readonly declarations: {
    /** Everything as one text; undefined if it was written to files. */
    readonly yaml?: string
    /** The paths of those files. */
    readonly written: readonly string[]
    readonly notes: readonly string[]
  }
}

/** `vexil init`. */
export interface InitDocument extends Printed<typeof others.init> {
  readonly is: 'init'
}

/** `vexil terraform install`. */
export interface InstallationDocument extends Printed<typeof others.installation> {
  readonly is: 'installation'
  /** Whether Terraform searches that directory by default. */
  readonly isFoundByItself: boolean
}

/** `vexil unlock`: the removed lock, and its owner; null if none was held. */
export interface UnlockDocument extends Printed<typeof others.unlock> {
  readonly is: 'unlock'
}

/** What a plan is about, for people. */
export interface Heading
  extends Pick<
    PlanMeta,
    'target' | 'environment' | 'commit' | 'dirty' | 'createdAt' | 'requests' | 'base' | 'measured' | 'notes'
  > {
  /** When it is shown, in milliseconds since 1970. Without it only times are shown, and no ages. */
  readonly now?: number
  /** The name of its target, if that is no service: `Terraform 1.11.4, plan.json`. */
  readonly name?: string
}

/** A plan for people; a saved plan has no addresses of unchanged objects. */
export type ShownPlan = Pick<Plan, 'changes' | 'blocked' | 'drift' | 'liveEdits' | 'unchanged'> &
  Partial<Pick<Plan, 'inventory' | 'absent' | 'taggedUndeclared' | 'ownershipTag' | 'groupTypes' | 'owners'>>

/** Who last changed the declaration of an object in git. */
export interface Author {
  readonly name: string
  /** 40 or 64 hex digits. */
  readonly commit: string
  /** When, in milliseconds since 1970. */
  readonly at: number
}

export type Authors = ReadonlyMap<string, Author>

/** `vexil plan`, and the plan that `apply`, `undo`, `claim` and `unclaim` ask about. */
export interface PlanDocument {
  readonly is: 'plan'
  readonly plan: ShownPlan
  readonly meta: Heading
  /** What `--out` saves. It takes as long as making the plan: give a getter that computes it. */
  readonly saved: JsonObject
  /** The name of a plan that is none of the declarations: `undo of run 20261121T020000Z-1f2e3d4c`. */
  readonly deed?: string
  /** Who last changed the declarations of the changes, by address, if it was looked up. */
  readonly authors?: Authors
  /** What else is to be known of it: one line. */
  readonly note?: string
  /** The warnings about the declarations in the plan. Reports list them. */
  readonly warnings?: readonly LocatedProblem[]
  /** What to run next. */
  readonly next?: string
  /** Whether the unchanged addresses are listed. */
  readonly showsUnchanged?: boolean
  /** Why it could not be saved. */
  readonly errors?: readonly Fault[]
}

/** `vexil show`, and the plan that `vexil apply PLAN` carries out. */
export interface SavedPlanDocument {
  readonly is: 'saved_plan'
  readonly plan: SavedPlan
  /** The text of its file. */
  readonly text: string
  readonly authors?: Authors
  readonly next?: string
  /** Shows only its origin: its changes are shown while they are applied. */
  readonly isBrief?: boolean
}

/** `vexil drift`. */
export interface DriftDocument {
  readonly is: 'drift'
  readonly plan: Plan
  readonly found: FoundDrift
  /** Options by which another command reaches the same place: `--env production`. */
  readonly placeOptions?: string
  readonly authors?: Authors
  readonly meta: Heading
  readonly saved: JsonObject
}

/** `vexil validate`. */
export interface ValidationDocument {
  readonly is: 'validation'
  readonly exitCode: number
  readonly files: readonly string[]
  readonly problems: readonly LocatedProblem[]
  /** With `--show`: objects as they are declared for one environment. */
  readonly shown?: readonly ShownObject[]
}

/** A problem with its path and lines. */
export interface LocatedProblem {
  readonly problem: Problem
  /** Its file, relative to the working directory. */
  readonly path?: string
  /** The line that it is about, and the one before. */
  readonly excerpt?: Excerpt
}

export interface Excerpt {
  readonly line: string
  readonly before?: string
}

/** Why any command failed. */
export interface FailureDocument {
  readonly is: 'failure'
  readonly exitCode: number
  /** One line; undefined if everything was reported already. */
  readonly line?: string
  readonly errors: readonly Fault[]
  /** The problems in files that are reported together with it. */
  readonly problems: readonly LocatedProblem[]
  /** The command that failed, and its environment. */
  readonly command?: string
  readonly environment?: string
}

/** A problem in what a person wrote, or a failure of the command, in one shape. */
export type Fault = Omit<Problem, 'severity' | 'isOfWholeFile'> & {
  /** The status of the service's answer, if the service refused. */
  readonly status?: number
  readonly request?: string
}

/** `vexil refs`. Paths are relative to the working directory; lines and columns count from 1. */
export interface ReferencesDocument extends Printed<typeof edits.references> {
  readonly is: 'references'
  readonly exitCode: number
  /** Whether it is about every flag, or about what is unused or declared nowhere. */
  readonly shows: 'references' | 'differences'
  /** How many of the chosen flags are declared present and named nowhere. */
  readonly unused: number
}

/** A run of `apply`, `undo`, `claim` or `unclaim`, as it is known before it begins. */
export interface RunHead {
  readonly command: RunCommand
  /** The target, for readers elsewhere than at the terminal of the run. */
  readonly meta?: Heading
  readonly changes: readonly Change[]
  /** What the plan skips; it is shown again after the run. */
  readonly blocked: readonly Blocked[]
  /** Changes from the product; the skipped ones are shown again too. */
  readonly liveEdits: readonly LiveEdit[]
  /** From the plan: see there. */
  readonly ownershipTag?: string | undefined
  readonly groupTypes?: ShownPlan['groupTypes'] | undefined
  readonly owners?: ShownPlan['owners']
  readonly authors?: Authors
  /** The plan was not shown before: it was saved earlier. */
  readonly isOfSavedPlan?: boolean
}

/** A run and what came of it. */
export interface RunDocument extends RunHead {
  readonly is: 'run'
  readonly events: readonly RunEvent[]
  /** Errors besides those of its changes. */
  readonly errors?: readonly Fault[]
  /** Its record; `isFleeting`: the record exists only while the program runs. */
  readonly kept?: { readonly run: string; readonly path: string; readonly isFleeting?: boolean }
}

type FailedEvent = Extract<ApplyEvent, { type: 'change_failed' }>

/** One event of a run; `line` is its line in the journal. */
export type RunEvent = { readonly line: JsonObject } & (
  | Exclude<ApplyEvent, FailedEvent>
  | (Omit<FailedEvent, 'error'> & { readonly failure: ChangeFailure })
)

/** The meaning of a failure for readers. */
export interface ChangeFailure {
  /** What went wrong and what to do about it, on one line. */
  readonly text: string
  /** The same without the request, if other changes fail for the same reason, as with a read-only key. */
  readonly shared?: string
  /** Whether the same request would be refused again. */
  readonly isFinal: boolean
  /** How long the service asks clients to wait. */
  readonly waitMs?: number
  readonly fault: Fault
}

/** `vexil history`; with the outcomes if one run was chosen. */
export interface HistoryDocument {
  readonly is: 'history'
  readonly runs: readonly ShownRun[]
  readonly outcomes?: Readonly<Record<string, ObjectOutcome>>
}

/** `vexil sandbox`, as soon as it listens. */
export interface SandboxDocument extends Printed<typeof others.sandbox> {
  readonly is: 'sandbox'
  readonly profile: Profile
  readonly projects: readonly number[]
}

/** `vexil sandbox quirks`: every behaviour that a sandbox can be set to. */
export interface QuirksDocument extends Printed<typeof others.quirks> {
  readonly is: 'quirks'
}

export type ShownQuirk = QuirksDocument['quirks'][number]

/** `vexil retire` without a flag. */
export interface StaleDocument extends Printed<typeof edits.staleFlags> {
  readonly is: 'stale_flags'
  readonly exitCode: number
  /** When it is shown, in milliseconds since 1970. */
  readonly now: number
  /** Whether there are other environments. */
  readonly isPart: boolean
}

/** A flag that is stale in some environment at least. */
export type StaleFlag = StaleDocument['flags'][number]
/** A flag in one environment in which it is declared. */
export type StaleIn = StaleFlag['environments'][number]
/** Why a flag has outlived its use. */
export type StaleReason = StaleFlag['reasons'][number]
/** What is live of a flag, with `--activity`. */
export type LiveState = NonNullable<StaleIn['live']>

/** `vexil test`. */
export interface TestsDocument {
  readonly is: 'tests'
  readonly exitCode: number
  /** The only environment, if one was chosen. */
  readonly environment?: string
  /** The result of every test, once for each environment that it is run in. */
  readonly results: readonly Pick<TestedCase, 'address' | 'verdict'>[]
  /** The same with all that is known of each; computed only for formats that show it. */
  readonly tests: readonly TestedCase[]
  /** The same in words. */
  readonly inWords: readonly TestResult[]
  /** The failed tests, and coverage that is too low. */
  readonly problems: readonly LocatedProblem[]
  /** What tests reach, if it was requested. */
  readonly coverage?: CoverageDocument
  /** What the service and each SDK answer, if it was requested. */
  readonly matrix?: AnswerMatrix
}

export type AnswerMatrix = NonNullable<Printed<typeof checks.tests>['matrix']>
export type TestedCase = Printed<typeof checks.tests>['tests'][number]
/** How much of the conditions and variants of flags the people of tests reach. */
export type CoverageDocument = NonNullable<Printed<typeof checks.tests>['coverage']>
export type MissedFlag = CoverageDocument['missed'][number]

/** A test for people: nothing in it is from environment variables. */
export interface TestResult extends Pick<TestedCase, 'address' | 'environment' | 'verdict' | 'source'> {
  /** A name or an id in quotes, or `somebody`. */
  readonly person: string
  /** What they have to get, what they get, and why: a few words each. */
  readonly expected: string
  readonly got: string
  readonly why: string
}

/** `vexil retire`: the progress of a removal. */
export type Retirement = NonNullable<Printed<typeof edits.edit>['retire']>
