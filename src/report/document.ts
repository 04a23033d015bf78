import type { ApplyEvent } from '../core/apply/apply-event.ts'
import type { Blocked, Change, Plan } from '../core/change.ts'
import type { Comparison } from '../core/comparison.ts'
import type { Exportable } from '../core/live.ts'
import type { LiveEdit } from '../core/live-edits/live-edit.ts'
import type { FoundDrift } from '../core/plan/found-drift.ts'
import type { ShownRun, ShownState } from '../core/record/history.ts'
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
 * The result of a command: plain data with everything that any format shows. The command that builds a
 * document does not know the format.
 */
export type Document = SingleDocument | EnvironmentsDocument

/** The result of a command for one environment, or for a repository. */
export type SingleDocument =
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
  | EnvironmentListDocument
  | FailureDocument

/** A command for several environments. */
export interface EnvironmentsDocument {
  readonly is: 'environments'
  readonly command: string
  readonly exitCode: number
  /** The selection in words: `prod-*, shard 2/8`. */
  readonly asked: string
  /** In the order of vexil.yaml; empty for a shard without environments. */
  readonly environments: readonly EnvironmentResult[]
  /** The problems of files in all documents. A problem of only some environments names them. */
  readonly problems: readonly LocatedProblem[]
}

export interface EnvironmentResult {
  readonly name: string
  readonly exitCode: number
  /** The usual document of the command, or its failure. */
  readonly document?: SingleDocument
}

/** `vexil envs`. */
export interface EnvironmentListDocument extends Printed<typeof others.environmentList> {
  readonly is: 'environment_list'
}

/** The members of a document in `--json` output, as in its schema. */
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
  /** Whether live objects are compared, not declarations. */
  readonly isLive: boolean
  /** The target of each environment, if it was read. */
  readonly places: Readonly<Record<string, string>>
  /** Whether equal objects are listed too. */
  readonly showsEqual: boolean
}

/** `vexil doctor`. It has no answers if no request was possible. */
export interface DoctorDocument extends Printed<typeof checks.doctor> {
  readonly is: 'doctor'
  readonly exitCode: number
}

/** The recognized service, and the facts about it in this build. */
export type FoundService = NonNullable<DoctorDocument['service']>
/** Whether the service offers the kind to this key. `refused`: it does, but the key may not read it. */
export type OfferedKind = NonNullable<DoctorDocument['kinds']>[number]
/** Whether the key is allowed to do one thing that Vexil does. */
export type Permission = NonNullable<DoctorDocument['permissions']>[number]
export type FoundLimits = NonNullable<DoctorDocument['limits']>
export type Check = DoctorDocument['checks'][number]
/** `not_checked` never counts as `ok`. */
export type Verdict = Check['verdict']

/** The declaration files that `vexil promote`, `ramp`, `retire`, `pull` or `fmt` has changed. */
export interface EditDocument {
  readonly is: 'edit'
  readonly exitCode: number
  /** Whether nothing was written. */
  readonly isDryRun: boolean
  readonly files: readonly {
    /** Relative to the working directory. */
    readonly path: string
    /** The difference, as `diff -u` writes it. */
    readonly diff: string
    /** Set if the file is removed because it is empty now. */
    readonly removed?: true
  }[]
  readonly objects: Printed<typeof edits.edit>['objects']
  readonly ramp?: RampedCondition
  /** For `vexil pull`: live edits that are declared now. */
  readonly pull?: PulledEdits
  /** For `vexil retire`: the progress of a removal. */
  readonly retire?: Retirement
  /** More notes for people, a line each. */
  readonly notes: readonly string[]
  /** What to run next. */
  readonly next?: string
}

/** A step of a rollout; shares are percentages. */
export type RampedCondition = NonNullable<Printed<typeof edits.edit>['ramp']>

/** The live edits that `vexil pull` writes into the files, and those that it cannot. */
export interface PulledEdits {
  /** Each has the fields whose declarations now equal the live values. */
  readonly liveEdits: readonly LiveEdit[]
  /** Values that a file cannot declare, and why. */
  readonly leftOut: readonly { readonly address: string; readonly reason: string }[]
}

/** `vexil evaluate`. */
export interface EvaluationDocument extends Printed<typeof checks.evaluation> {
  readonly is: 'evaluation'
}

/** The value of one flag for a person. */
export type EvaluatedFlagDocument = EvaluationDocument['flags'][number]

/** A value and its reason. Null means that there is none. */
export type Answer = ObjectOf<typeof checks.answer>

/** `vexil export`. */
export interface ExportDocument {
  readonly is: 'export'
  readonly exitCode: number
  /** Each object has its environment if several were exported. */
  readonly objects: readonly (Exportable & { readonly environment?: string })[]
  /** As declarations, with one note per line. Give a getter, because not every format reads this. */
  readonly declarations: {
    /** All declarations as one text; undefined if they were written to files. */
    readonly yaml?: string
    /** The paths of the written files. */
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

/** `vexil unlock`: the removed lock and its owner; null if there was no lock. */
export interface UnlockDocument extends Printed<typeof others.unlock> {
  readonly is: 'unlock'
}

/** The target and origin of a plan, for people. */
export interface Heading
  extends Pick<
    PlanMeta,
    'target' | 'environment' | 'commit' | 'dirty' | 'createdAt' | 'requests' | 'base' | 'measured' | 'notes'
  > {
  /** The time of display, in milliseconds since 1970. Without it, times are shown without ages. */
  readonly now?: number
  /** The name of a target that is not a service: `Terraform 1.11.4, plan.json`. */
  readonly name?: string
}

/** A plan for people. A saved plan lacks the addresses of unchanged objects. */
export type ShownPlan = Pick<Plan, 'changes' | 'blocked' | 'drift' | 'liveEdits' | 'unchanged'> &
  Partial<Pick<Plan, 'inventory' | 'absent' | 'taggedUndeclared' | 'ownershipTag' | 'groupTypes' | 'owners'>>

/** Who last changed the declaration of an object in git. */
export interface Author {
  readonly name: string
  /** 40 or 64 hex digits. */
  readonly commit: string
  /** The time of the commit, in milliseconds since 1970. */
  readonly at: number
}

export type Authors = ReadonlyMap<string, Author>

/** `vexil plan`, and the plan that `apply`, `undo`, `claim` or `unclaim` shows for confirmation. */
export interface PlanDocument {
  readonly is: 'plan'
  readonly plan: ShownPlan
  readonly meta: Heading
  /** The content for `--out`. Computing it takes as long as making the plan, so give a getter. */
  readonly saved: JsonObject
  /** The name of a plan that does not come from the declarations: `undo of run 20261121T020000Z-1f2e3d4c`. */
  readonly deed?: string
  /** The last author of each change's declaration, by address, if it was looked up. */
  readonly authors?: Authors | undefined
  /** Where a code host shows the declarations, as `sourceUrl` in `src/git` makes it, if they are there unchanged. */
  readonly sourceUrl?: string | undefined
  /** One more line for people. */
  readonly note?: string
  /** Warnings about the declarations in the plan. Reports list them. */
  readonly warnings?: readonly LocatedProblem[]
  /** What to run next. */
  readonly next?: string
  /** Whether the unchanged addresses are listed. */
  readonly showsUnchanged?: boolean
  /** Why the plan could not be saved. */
  readonly errors?: readonly Fault[]
}

/** `vexil show`, and the plan that `vexil apply PLAN` applies. */
export interface SavedPlanDocument {
  readonly is: 'saved_plan'
  readonly plan: SavedPlan
  /** The text of the plan file. */
  readonly text: string
  readonly authors?: PlanDocument['authors']
  readonly sourceUrl?: PlanDocument['sourceUrl']
  readonly next?: string
  /** Shows only the origin of the plan, because its changes are shown during the apply. */
  readonly isBrief?: boolean
}

/** `vexil drift`. */
export interface DriftDocument {
  readonly is: 'drift'
  readonly plan: Plan
  readonly found: FoundDrift
  /** Options that select the same target in another command: `--env production`. */
  readonly placeOptions?: string
  readonly authors?: PlanDocument['authors']
  readonly sourceUrl?: PlanDocument['sourceUrl']
  readonly meta: Heading
  readonly saved: JsonObject
}

/** `vexil validate`. */
export interface ValidationDocument {
  readonly is: 'validation'
  readonly exitCode: number
  readonly files: readonly string[]
  readonly problems: readonly LocatedProblem[]
  /** With `--show`: the declared objects for one environment. */
  readonly shown?: readonly ShownObject[]
}

/** A problem with its path and source lines. */
export interface LocatedProblem {
  readonly problem: Problem
  /** The path of the file, relative to the working directory. */
  readonly path?: string
  /** The source line of the problem, and the line before. */
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
  /** Problems in files that are reported with the failure. */
  readonly problems: readonly LocatedProblem[]
  /** The command that failed, and its environment. */
  readonly command?: string
  readonly environment?: string
}

/** A problem in a file, or a failure of the command, in one shape. */
export type Fault = Omit<Problem, 'severity' | 'isOfWholeFile'> & {
  /** The status of the service's answer, if the service refused. */
  readonly status?: number
  readonly request?: string
}

/** `vexil refs`. Paths are relative to the working directory; lines and columns count from 1. */
export interface ReferencesDocument extends Printed<typeof edits.references> {
  readonly is: 'references'
  readonly exitCode: number
  /** Whether the document shows all references, or only the differences: unused flags and undeclared keys. */
  readonly shows: 'references' | 'differences'
  /** How many of the chosen flags are declared present but not found in code. */
  readonly unused: number
}

/** The facts about a run of `apply`, `undo`, `claim` or `unclaim` before it begins. */
export interface RunHead {
  readonly command: RunCommand
  /** The target, for formats that are read later or elsewhere. */
  readonly meta?: Heading
  readonly changes: readonly Change[]
  /** Changes that the plan blocks. They are shown again after the run. */
  readonly blocked: readonly Blocked[]
  /** Live edits. Those that were not sent are shown again after the run. */
  readonly liveEdits: readonly LiveEdit[]
  /** See the plan. */
  readonly ownershipTag?: string | undefined
  readonly groupTypes?: ShownPlan['groupTypes'] | undefined
  readonly owners?: ShownPlan['owners']
  readonly authors?: PlanDocument['authors']
  readonly sourceUrl?: PlanDocument['sourceUrl']
  /** Whether the plan was saved earlier, so that this run has not shown it. */
  readonly isOfSavedPlan?: boolean
}

/** A run and its result. */
export interface RunDocument extends RunHead {
  readonly is: 'run'
  readonly events: readonly RunEvent[]
  /** Errors that belong to no change. */
  readonly errors?: readonly Fault[]
  /** The record of the run. `isFleeting`: the record exists only while the program runs. */
  readonly kept?: { readonly run: string; readonly path: string; readonly isFleeting?: boolean }
}

type FailedEvent = Extract<ApplyEvent, { type: 'change_failed' }>

/** One event of a run; `line` is its line in the journal. */
export type RunEvent = { readonly line: JsonObject } & (
  | Exclude<ApplyEvent, FailedEvent>
  | (Omit<FailedEvent, 'error'> & { readonly failure: ChangeFailure })
)

/** What a failure means for readers. */
export interface ChangeFailure {
  /** The problem and the remedy, on one line. */
  readonly text: string
  /** The text without the request, if other changes fail for the same reason, as with a read-only key. */
  readonly shared?: string
  /** Whether the service would refuse the same request again. */
  readonly isFinal: boolean
  /** How long the service asks clients to wait. */
  readonly waitMs?: number
  readonly fault: Fault
}

/** `vexil history`. It has the outcomes if one run was chosen. */
export interface HistoryDocument {
  readonly is: 'history'
  readonly runs: readonly ShownRun[]
  readonly outcomes?: Readonly<Record<string, ObjectOutcome>>
  /** With `--all`: what `vexil reconcile` has seen. */
  readonly states?: readonly ShownState[]
}

/** `vexil sandbox` or `vexil dev`, as soon as it accepts requests. */
export interface SandboxDocument extends Printed<typeof others.sandbox> {
  readonly is: 'sandbox'
  /** The environment whose declared flags it serves to SDKs, and nothing else. */
  readonly flagsOf?: string
  readonly profile: Profile
  readonly projects: readonly number[]
}

/** `vexil sandbox quirks`: every behaviour that a sandbox supports. */
export interface QuirksDocument extends Printed<typeof others.quirks> {
  readonly is: 'quirks'
}

export type ShownQuirk = QuirksDocument['quirks'][number]

/** `vexil retire` without a flag. */
export interface StaleDocument extends Printed<typeof edits.staleFlags> {
  readonly is: 'stale_flags'
  readonly exitCode: number
  /** The time of display, in milliseconds since 1970. */
  readonly now: number
  /** Whether there are other environments. */
  readonly isPart: boolean
}

/** A flag that is stale in at least one environment. */
export type StaleFlag = StaleDocument['flags'][number]
/** A flag in one environment that declares it. */
export type StaleIn = StaleFlag['environments'][number]
/** Why a flag is no longer needed. */
export type StaleReason = StaleFlag['reasons'][number]
/** The live flag, with `--activity`. */
export type LiveState = NonNullable<StaleIn['live']>

/** `vexil test`. */
export interface TestsDocument {
  readonly is: 'tests'
  readonly exitCode: number
  /** The only environment, if one was chosen. */
  readonly environment?: string
  /** The result of every test, once for each environment. */
  readonly results: readonly Pick<TestedCase, 'address' | 'verdict'>[]
  /** The results with all details. Computed only for formats that show them. */
  readonly tests: readonly TestedCase[]
  /** The results as text. */
  readonly inWords: readonly TestResult[]
  /** Failed tests, and coverage below the limit. */
  readonly problems: readonly LocatedProblem[]
  /** The coverage, if it was requested. */
  readonly coverage?: CoverageDocument
  /** The results of the service and of each SDK, if they were requested. */
  readonly matrix?: AnswerMatrix
}

export type AnswerMatrix = NonNullable<Printed<typeof checks.tests>['matrix']>
export type TestedCase = Printed<typeof checks.tests>['tests'][number]
/** How many conditions and variants of flags the tests reach. */
export type CoverageDocument = NonNullable<Printed<typeof checks.tests>['coverage']>
export type MissedFlag = CoverageDocument['missed'][number]

/** A test for people. It contains no values from environment variables. */
export interface TestResult extends Pick<TestedCase, 'address' | 'environment' | 'verdict' | 'source'> {
  /** A name or an id in quotes, or `somebody`. */
  readonly person: string
  /** The expected value, the actual value, and the reason: a few words each. */
  readonly expected: string
  readonly got: string
  readonly why: string
}

/** `vexil retire`: the progress of a removal. */
export type Retirement = NonNullable<Printed<typeof edits.edit>['retire']>
