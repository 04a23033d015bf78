import type { DeclarableKind } from '../../../model/kind.ts'
import type { EvaluationRules } from '../../../services/engines.ts'
import type { Desired, GuardRule } from '../../desired.ts'
import type { Live } from '../../live.ts'
import { isAllowed, type Policy } from '../../policy.ts'
import type { Snapshot } from '../../read/snapshot.ts'
import type { ObjectRedaction } from '../../redaction.ts'
import type { NotKept, Pending } from '../base.ts'
import type { HasField } from '../guards/offered.ts'
import type { LiveIndex } from '../live-index.ts'
import type { Testing } from '../summary/flipped-tests.ts'

/** One declaration beside what is live of it: what every step of planning looks at. */
export interface ObjectContext {
  readonly kind: DeclarableKind
  readonly desired: Desired
  readonly found: readonly Live[]
  /** What was found in its place where somebody has given it another name in the product. */
  readonly renamed?: Live
  readonly index: LiveIndex
  readonly snapshot: Snapshot
  readonly policy: Policy
  /** See `PlanInput`. */
  readonly placeOptions?: string
  /** Which fields the service has. */
  readonly has: HasField
  /** How the service evaluates flags. */
  readonly rules: EvaluationRules
  /** What tests of flags are run with; undefined where there are none, or nobody says when. */
  readonly testing: Testing | undefined
  /** What the declaration says of the object at an address, if anything. */
  readonly ensured: (address: string) => Desired['ensure'] | 'skipped' | undefined
  /** What of it no word may show; undefined where that is nothing. */
  readonly redaction?: ObjectRedaction
  /** Fields that the service took before and did not keep. */
  readonly notKept?: NotKept[string]
  /** What was asked for before, and waits for approval in the service. */
  readonly pending?: Pending[string]
}

/** A declaration, with what it means to the service, and what was found of it there. */
export type FoundObject = Pick<ObjectContext, 'kind' | 'desired' | 'found'>

/** One that is as declared: what a plan would do about it needs no looking at. */
export interface Unchanged extends FoundObject {
  readonly isUnchanged: true
}

/** Whether the declaration, or the person who runs the plan, has allowed a rule for an object. */
export function isAllowedFor(
  { desired, policy }: Pick<ObjectContext, 'desired' | 'policy'>,
  rule: GuardRule,
): boolean {
  return (desired.allow?.includes(rule) ?? false) || isAllowed(policy, rule, desired.address)
}
