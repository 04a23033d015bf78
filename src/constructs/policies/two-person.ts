import { knownText, knownTruth } from '../arguments/argument.ts'
import { type Readers, readArguments } from '../arguments/read-arguments.ts'
import { knownPercentage } from './known-percentage.ts'
import { type PolicyProps, policyArguments } from './policy-aspect.ts'
import { RulePolicy } from './rule-policy.ts'

/** The tag that shows that a second person reviewed a flag. */
export interface TwoPersonProps extends PolicyProps {
  /** The tag, or a glob of it, as in `reviewed-by:*`; `reviewed` when left out. */
  readonly tag?: string
  /** Looks only at conditions that leave nobody out: those that name people may go to 100. */
  readonly everyoneOnly?: boolean
}

/** The readers of the properties. */
export const twoPersonArguments: Readers<TwoPersonProps> = {
  ...policyArguments,
  tag: knownText,
  everyoneOnly: knownTruth,
}

/**
 * A flag that may be on and goes to more than this percentage has a tag for the review by a second person.
 *
 * ```ts
 * enforce(production, new TwoPerson(50, { tag: 'reviewed-by:*' }))
 * ```
 */
export class TwoPerson extends RulePolicy {
  public constructor(above: number, props: TwoPersonProps = {}) {
    const declared = readArguments(props, twoPersonArguments, 'TwoPerson')
    const { tag = 'reviewed', everyoneOnly = false, ...others } = declared
    const percent = knownPercentage(above, 'above', 'TwoPerson')
    super({ policy: 'TwoPerson', above: percent, everyoneOnly, tag }, others)
  }
}
