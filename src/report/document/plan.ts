import type { Plan } from '../../core/change.ts'
import type { FoundDrift } from '../../core/plan/found-drift.ts'
import type { PlanMeta, SavedPlan } from '../../core/record/plan-file.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { Fault, ToldProblem } from './problems.ts'

/** What a plan is about, as people are told of it. */
export interface Heading
  extends Pick<
    PlanMeta,
    'target' | 'environment' | 'commit' | 'dirty' | 'createdAt' | 'requests' | 'base' | 'measured' | 'notes'
  > {
  /** When it is told, in milliseconds since 1970; without it no ages are told, only times. */
  readonly now?: number
  /** What it is a plan of, where that is no place of a service: `Terraform 1.11.4, plan.json`. */
  readonly name?: string
}

/** What a plan says to people; a saved one has no addresses of what is unchanged. */
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

/** `vexil plan`, and what `apply`, `undo`, `claim` and `unclaim` ask about. */
export interface PlanDocument {
  readonly is: 'plan'
  readonly plan: ShownPlan
  readonly meta: Heading
  /** What `--out` saves. To work it out takes as long as to make the plan: give a getter that does so when it is read. */
  readonly saved: JsonObject
  /** What is about to be done when it is not a plan of the declarations, as in `undo of run 20261121T020000Z-1f2e3d4c`. */
  readonly deed?: string
  /** Who last changed the declarations of what changes, by address, where that was looked for. */
  readonly authors?: Authors
  /** What else is to be known of it: one line. */
  readonly note?: string
  /** The warnings about the declarations of what it tells of, which reports list. */
  readonly warnings?: readonly ToldProblem[]
  /** What to run next. */
  readonly next?: string
  /** Whether the addresses that are as declared are listed. */
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
  /** Says only where it is from: what is in it is told while it is carried out. */
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
