import { knownTruth, members } from '../arguments/argument.ts'
import { type Readers, readArguments } from '../arguments/read-arguments.ts'
import { markedForm } from '../engine/engine-marks.ts'
import { knownPercentage } from './known-percentage.ts'
import { type PolicyProps, policyArguments } from './policy-aspect.ts'
import { RulePolicy } from './rule-policy.ts'

/** The options of a rollout ceiling. */
export interface MaxRolloutProps extends PolicyProps {
  /** Looks only at conditions that leave nobody out: those that name people may go to 100. */
  readonly everyoneOnly?: boolean
}

/** The readers of the properties. */
export const maxRolloutArguments: Readers<MaxRolloutProps> = { ...policyArguments, everyoneOnly: knownTruth }

/** Ceilings by the ids of stacks: `{ staging: 100, production: 25 }`. */
export type Ceilings = { readonly [stack: string]: number }

/**
 * No condition of a flag that is not off goes to more than so many percent. Ceilings that differ between environments
 * are given by stack, and every stack needs one.
 *
 * ```ts
 * enforce(app, new MaxRollout({ staging: 100, production: 25 }))
 * ```
 */
export class MaxRollout extends RulePolicy {
  public constructor(ceiling: number | Ceilings, props: MaxRolloutProps = {}) {
    const { everyoneOnly = false, ...others } = readArguments(props, maxRolloutArguments, 'MaxRollout')
    super({ policy: 'MaxRollout', ceiling: readCeilings(ceiling), everyoneOnly }, others)
  }
}

function readCeilings(ceiling: unknown): number | Ceilings {
  if (typeof ceiling !== 'object' || markedForm(ceiling) !== undefined)
    return knownPercentage(ceiling, 'ceiling', 'MaxRollout')
  const stacks = Object.entries(members(ceiling, 'ceiling'))
  return Object.fromEntries(
    stacks.map(([stack, percent]) => [stack, knownPercentage(percent, `ceiling.${stack}`, 'MaxRollout')]),
  )
}
