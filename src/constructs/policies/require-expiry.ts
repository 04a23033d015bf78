import { dayMs, spanMs } from '../../policies/frozen-window.ts'
import { knownText } from '../arguments/argument.ts'
import { type Readers, readArguments } from '../arguments/read-arguments.ts'
import { type PolicyProps, policyArguments } from './policy-aspect.ts'
import { RulePolicy } from './rule-policy.ts'

/** How far off the last day of a flag may be. */
export interface RequireExpiryProps extends PolicyProps {
  /** As in `180 days`, `26 weeks`; any day when left out. */
  readonly within?: string
}

/** The readers of the properties. */
export const expiryArguments: Readers<RequireExpiryProps> = { ...policyArguments, within: knownText }

/**
 * Every flag has a tag with its last day, `expires:2027-03-01`. A synthesis does not know the current day, so
 * `within` is decided when Vexil plans the stack.
 */
export class RequireExpiry extends RulePolicy {
  public constructor(props: RequireExpiryProps = {}) {
    const { within, ...others } = readArguments(props, expiryArguments, 'RequireExpiry')
    super({ policy: 'RequireExpiry', ...(within === undefined ? {} : { within: daysIn(within) }) }, others)
  }
}

function daysIn(within: string): number {
  const ms = spanMs(within)
  if (ms === undefined)
    throw new RangeError(`RequireExpiry: "within" is ${JSON.stringify(within)}; write it as "180 days"`)
  return Math.floor(ms / dayMs)
}
