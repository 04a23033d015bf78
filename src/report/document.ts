import type { ReferenceKind } from '../code/code-scanner.ts'
import type { ApplyEvent } from '../core/apply/apply-event.ts'
import type { Blocked, Change, LeftOut, Plan } from '../core/change.ts'
import type { Comparison } from '../core/compare/comparison.ts'
import type { Exportable } from '../core/live.ts'
import type { LiveEdit } from '../core/live-edits/live-edit.ts'
import type { FoundDrift } from '../core/plan/found-drift.ts'
import type { ToldRun } from '../core/record/history.ts'
import type { PlanMeta, SavedPlan } from '../core/record/plan-file.ts'
import type { ObjectOutcome, RunCommand } from '../core/record/run.ts'
import type { FlagValue, Hold, Standing, Unchecked } from '../core/retirement.ts'
import type { Shares } from '../core/run-tests.ts'
import type { Profile, ProfileProof, RateLimit, Sign } from '../model/connection.ts'
import type { Json, JsonObject } from '../model/json/json.ts'
import type { Problem, Source } from '../model/problem.ts'
import type { RetireStep, StepState } from '../model/removal.ts'
import type { ShownObject } from '../model/shown-object.ts'
import type { Limit } from '../services/facts.ts'
import type { EvaluationReason, OtherAnswer, TestVerdict } from '../targeting/index.ts'

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

/** `vexil call`: an answer of the service. Text that is no JSON has no body. */
export interface CallDocument {
  readonly is: 'call'
  /** As in `feature_flag.read`. */
  readonly operation: string
  readonly status: number
  readonly body: Json | null
  readonly text: string
}

/** `vexil call` without a name: the operations. */
export interface OperationsDocument {
  readonly is: 'operations'
  readonly operations: readonly ShownOperation[]
}

export interface ShownOperation {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** Required arguments: those of the path without a setting. */
  readonly required: readonly string[]
  /** Optional arguments: those of the query that the interface names. */
  readonly optional: readonly string[]
  readonly takesBody: boolean
  readonly doc: string
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

/** `vexil doctor`. */
export interface DoctorDocument {
  readonly is: 'doctor'
  readonly exitCode: number
  readonly checks: readonly Check[]
  /** This and the next members are absent if no request was possible. */
  readonly service?: FoundService
  readonly kinds?: readonly OfferedKind[]
  readonly permissions?: readonly Permission[]
  readonly clock?: { readonly aheadMs: number; readonly toleranceMs: number }
  readonly limits?: FoundLimits
  readonly requests?: number
}

/** Which service it is, and what this build knows of it. */
export interface FoundService {
  readonly profile: Profile
  readonly known: ProfileProof
  readonly signs: readonly Sign[]
  /** The services that fit the answers. */
  readonly possible: readonly Profile[]
  readonly facts: { readonly title: string; readonly newestSource?: string; readonly version: string }
}

/** Whether the service has objects of a kind for this key. `refused`: it has, and another key may get them. */
export interface OfferedKind {
  readonly kind: string
  readonly offered: 'yes' | 'read_only' | 'refused' | 'no' | 'not_known'
  /** The endpoint of the list, if services have one of two endpoints. */
  readonly route?: string
  readonly reason?: string
}

/** Whether the key may do one thing that Vexil does. */
export interface Permission {
  /** As in `feature_flag.update`. */
  readonly operation: string
  readonly purpose: string
  /** The scope that a key needs for it; absent if no scope allows it. */
  readonly scope?: string
  readonly may: 'yes' | 'no' | 'not_known'
  /** Why not, or why it is not known. */
  readonly reason?: string
  /** The service reported that this scope is missing. */
  readonly lacksScope?: true
}

export interface FoundLimits {
  readonly known: readonly Limit[]
  /** The limit in the answers. */
  readonly told: RateLimit
  /** Whether the service has throttled requests. */
  readonly isThrottled: boolean
}

/**
 * The result of a check. `note`: it stops no plan. `not_checked`: the result is unknown, and the summary has
 * the reason. It never counts as `ok`.
 */
export type Verdict = 'ok' | 'note' | 'failed' | 'not_checked'

export interface Check {
  readonly name: string
  readonly verdict: Verdict
  readonly summary: string
  /** The value of a setting; never that of the key. */
  readonly value?: string
  /** The source of the setting. */
  readonly source?: string
}

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
  readonly objects: readonly EditedObject[]
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
export interface RampedCondition {
  readonly address: string
  readonly environment: string | null
  /** Its name, or its number, from 1. */
  readonly condition: string
  readonly before: number
  readonly after: number
  /** The goal of the rollout. */
  readonly to: number
  readonly stepsLeft: number
}

/** What `vexil pull` writes into the files, and what it cannot. */
export interface PulledEdits {
  /** Each with the fields whose declarations now equal the live values. */
  readonly liveEdits: readonly LiveEdit[]
  /** Values that no edit of a file can declare, and why. */
  readonly leftOut: readonly { readonly address: string; readonly reason: string }[]
}

/** The result for one object in one environment. */
export interface EditedObject {
  readonly address: string
  readonly environment: string | null
  /** Where it is declared now. `nothing`: it was declared before; `removed`: it is no longer declared. */
  readonly written: 'environment' | 'shared' | 'nothing' | 'removed'
}

/** `vexil evaluate`. */
export interface EvaluationDocument {
  readonly is: 'evaluation'
  readonly flags: readonly EvaluatedFlagDocument[]
}

/** The value of one flag for a person. */
export interface EvaluatedFlagDocument extends Answer {
  readonly flag: string
  /** `differs`: services or SDKs give different values. `undecided`: it depends on unknown facts. */
  readonly verdict: 'decided' | 'differs' | 'undecided'
  /** Who gives this value, and who gives another one. */
  readonly by: string
  readonly others: readonly OtherAnswer[]
  /** The value of the live flag, if it was requested. */
  readonly live?: ({ readonly is: 'same' | 'differs' | 'not_known' } & Answer) | { readonly is: 'missing' }
}

/** A value and its reason; null means that there is none. */
export interface Answer {
  readonly value: boolean | string | null
  readonly variant: string | null
  readonly payload: Json
  readonly reason: EvaluationReason
  /** The condition that matched or came nearest, counted from 1. */
  readonly condition: { readonly number: number; readonly summary: string } | null
  /** Why the value is unknown. */
  readonly undecided: string | null
}

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
export interface InitDocument {
  readonly is: 'init'
  readonly directory: string
  readonly files: readonly { readonly path: string; readonly state: 'wrote' | 'kept' }[]
  /** What to run next. */
  readonly next: string
}

/** `vexil terraform install`. */
export interface InstallationDocument {
  readonly is: 'installation'
  /** As configurations name it: `vexil/vexil`. */
  readonly provider: string
  readonly version: string
  /** As Terraform writes it: `linux_amd64`. */
  readonly platform: string
  /** Its digest for a lock file: `h1:` and the digest. */
  readonly checksum: string
  readonly directory: string
  readonly folders: readonly {
    /** The address with its registry. */
    readonly source: string
    readonly path: string
    readonly state: 'wrote' | 'kept' | 'replaced'
  }[]
  /** What to run next. */
  readonly next: string
  /** Whether Terraform searches that directory by default. */
  readonly isFoundByItself: boolean
}

/** `vexil unlock`: the removed lock, and its owner; without a lock, none was held. */
export interface UnlockDocument {
  readonly is: 'unlock'
  readonly removed?: { readonly lock: string; readonly owner?: string }
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
  Partial<
    Pick<
      Plan,
      'inventory' | 'absent' | 'taggedUndeclared' | 'ownershipTag' | 'groupTypes' | 'owners' | 'leftOut'
    >
  >

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
export interface ReferencesDocument {
  readonly is: 'references'
  readonly exitCode: number
  /** Whether it is about every flag, or about what is unused or declared nowhere. */
  readonly shows: 'references' | 'differences'
  /** With `--unused`, those without a reference; with `--undeclared` alone, none. */
  readonly flags: readonly {
    readonly key: string
    readonly declared: 'present' | 'absent'
    readonly references: readonly CodePlace[]
  }[]
  /** How many of the chosen flags are declared present and named nowhere. */
  readonly unused: number
  /** Calls of SDKs for a key that is declared nowhere, or absent. */
  readonly undeclared: readonly (Omit<CodePlace, 'kind'> & {
    readonly key: string
    readonly call: string
    readonly declared: 'absent' | 'nowhere'
    /** A declared key that was most likely meant. */
    readonly meant: string | null
  })[]
  /** How many files were searched. */
  readonly searched: number
  readonly unsearched: readonly {
    readonly path: string
    readonly why: 'binary' | 'too_large' | 'link' | 'unreadable'
  }[]
  /** What else is to be known of it: a line each. */
  readonly notes: readonly string[]
}

/** A place in code that names a flag, and how. */
export interface CodePlace {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly kind: ReferenceKind
  /** The function, method or component that is called. */
  readonly call?: string
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
  /** Both sides of what the plan skips, if they are known. */
  readonly leftOut?: readonly LeftOut[]
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
  readonly runs: readonly ToldRun[]
  readonly outcomes?: Readonly<Record<string, ObjectOutcome>>
}

/** `vexil sandbox`, as soon as it listens. */
export interface SandboxDocument {
  readonly is: 'sandbox'
  readonly url: string
  readonly profile: Profile
  readonly apiKey: string
  readonly organization: string
  readonly project: number
  readonly projectToken: string
  readonly projects: readonly number[]
  readonly roles: readonly { readonly id: string; readonly name: string }[]
}

/** `vexil sandbox quirks`: every behaviour that a sandbox can be set to. */
export interface QuirksDocument {
  readonly is: 'quirks'
  readonly quirks: readonly ShownQuirk[]
}

export interface ShownQuirk {
  readonly name: string
  readonly doc: string
  /** Its valid values, or `number` for any number. */
  readonly takes: readonly (string | boolean)[] | 'number'
  readonly profiles: Readonly<Record<Profile, string | number | boolean>>
  readonly sources: readonly string[]
  readonly certainty: 'high' | 'medium' | 'low'
}

/** Why a flag has outlived its use. */
export interface StaleReason {
  readonly reason: 'everyone' | 'nobody' | 'gone' | 'expired' | 'uncalled' | 'unreferenced'
  /** What everybody gets: true, or the key of a variant. */
  readonly value?: true | string
  /** What code knows no time. */
  readonly since?: {
    /** Milliseconds since 1970. */
    readonly at: number
    readonly days: number
    /** Whether it may have been so before. */
    readonly isAtLeast: boolean
    readonly from: 'commit' | 'run' | 'trail' | 'service' | 'declaration'
    /** The commit, or the run. */
    readonly name?: string
  }
}

/** What is live of a flag, with `--activity`. */
export interface LiveState {
  /** The value for everybody; undefined if people may get different values, or the flag does not exist. */
  readonly value: boolean | string | undefined
  readonly isThere: boolean
  /** Whether its live state differs from the declared one. */
  readonly differs: boolean
  /** When it was last evaluated, in milliseconds since 1970, if the service has that. */
  readonly lastCalled?: number
}

/** A flag in one environment in which it is declared. */
export interface StaleIn {
  /** Undefined in a repository without environments. */
  readonly environment: string | undefined
  readonly declared: 'present' | 'absent'
  /** Without reasons that hold for all environments. If there are none, the flag seems to be in use here. */
  readonly reasons: readonly StaleReason[]
  readonly live?: LiveState
}

/** A flag that is stale in some environment at least. */
export interface StaleFlag {
  readonly key: string
  readonly address: string
  readonly owners: readonly string[]
  readonly source: Source
  /** Whether it is stale in every checked environment that declares it. */
  readonly isReady: boolean
  /** Reasons that hold in all its environments. */
  readonly reasons: readonly StaleReason[]
  readonly environments: readonly StaleIn[]
}

/** `vexil retire` without a flag. */
export interface StaleDocument {
  readonly is: 'stale_flags'
  readonly exitCode: number
  /** The age from which a flag with one value for everybody is stale. */
  readonly days: number
  /** When it is shown, in milliseconds since 1970. */
  readonly now: number
  /** The checked environments; one without a name in a repository without environments. */
  readonly environments: readonly (string | undefined)[]
  /** Whether there are others. */
  readonly isPart: boolean
  /** Grouped by owner: ready ones before the others, the oldest first. */
  readonly flags: readonly StaleFlag[]
  /** How many flags were checked, without permanent ones. */
  readonly count: number
  /** How many were skipped since they are permanent. */
  readonly permanent: number
  /** How many files of code were searched. */
  readonly searched?: number
  readonly notes: readonly string[]
}

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

export interface AnswerMatrix {
  /** With their versions, in the order of the answers. */
  readonly sdks: readonly string[]
  /** One for each test; `asks` means an SDK that asks the service. */
  readonly rows: readonly {
    readonly address: string
    readonly environment: string | null
    readonly person: string
    readonly service: string
    readonly sdks: readonly string[]
    /** Whether an SDK gives another value than the service. */
    readonly differs: boolean
  }[]
  /** Why, for each flag with different answers. */
  readonly notes: readonly { readonly address: string; readonly lines: readonly string[] }[]
}

export interface TestedCase {
  readonly address: string
  readonly environment: string | null
  /** The name of a person, or a distinct id; null for no certain person. */
  readonly person: string | null
  readonly verdict: TestVerdict
  readonly expected: {
    readonly value: boolean | string
    readonly payload?: Json
    /** A condition counts from 1. */
    readonly because?: { readonly condition: number } | { readonly reason: EvaluationReason }
  }
  readonly got: Answer & { readonly by: string; readonly others: readonly OtherAnswer[] }
  readonly source: Source | null
}

/** A test for people: nothing in it is from environment variables. */
export interface TestResult extends Pick<TestedCase, 'address' | 'environment' | 'verdict' | 'source'> {
  /** A name or an id in quotes, or `somebody`. */
  readonly person: string
  /** What they have to get, what they get, and why: a few words each. */
  readonly expected: string
  readonly got: string
  readonly why: string
}

/** How much of the conditions and variants of flags the people of tests reach. */
export interface CoverageDocument {
  readonly percent: number
  readonly conditions: Shares
  readonly variants: Shares
  /** The flags that are not fully reached. */
  readonly missed: readonly MissedFlag[]
}

export interface MissedFlag {
  readonly address: string
  readonly environment: string | null
  /** Whether it has any test at all. */
  readonly tests: number
  readonly conditions: readonly { readonly number: number; readonly summary: string }[]
  readonly variants: readonly string[]
}

/** `vexil retire`: the progress of a removal. */
export interface Retirement {
  readonly address: string
  /** The next step, and its result in this call. */
  readonly step: RetireStep
  readonly steps: readonly { readonly step: RetireStep; readonly state: StepState }[]
  readonly environments: readonly RetiredIn[]
  /** All that holds it, even if it only holds later steps. */
  readonly holds: readonly (Hold & { readonly isNow: boolean })[]
  readonly unchecked: readonly Unchecked[]
}

export interface RetiredIn extends Standing {
  /** Since when it is off, in milliseconds since 1970. */
  readonly offSince?: number | undefined
}

/** The same as `--json` prints it. */
export function retireMembers({ address, step, steps, environments, holds, unchecked }: Retirement) {
  return {
    address,
    step,
    steps,
    environments: environments.map(({ environment = null, declared, value, offSince }) => ({
      environment,
      declared,
      value: valueMember(value),
      off_since: offSince === undefined ? null : new Date(offSince).toISOString(),
    })),
    holds: holds.map(({ kind, environment = null, place, what, remedy, isAllowed = false, isNow }) => ({
      kind,
      environment,
      ...(place ? { source: place } : {}),
      what,
      remedy,
      allowed: isAllowed,
      now: isNow,
    })),
    unchecked: unchecked.map(({ environment = null, what, reason }) => ({ environment, what, reason })),
  }
}

function valueMember(value: FlagValue | undefined): FlagValue | null {
  return value ?? null
}
