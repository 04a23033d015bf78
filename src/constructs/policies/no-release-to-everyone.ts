import { readArguments } from '../arguments/read-arguments.ts'
import { type PolicyProps, policyArguments } from './policy-aspect.ts'
import { RulePolicy } from './rule-policy.ts'

/** No flag that may be on is released to everybody: its release has to limit who, or how many. */
export class NoReleaseToEveryone extends RulePolicy {
  public constructor(props: PolicyProps = {}) {
    const declared = readArguments(props, policyArguments, 'NoReleaseToEveryone')
    super({ policy: 'NoReleaseToEveryone' }, declared)
  }
}
