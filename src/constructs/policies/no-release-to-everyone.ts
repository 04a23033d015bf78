import { readArguments } from '../arguments/read-arguments.ts'
import { type PolicyProps, policyArguments } from './policy-aspect.ts'
import { RulePolicy } from './rule-policy.ts'

/** No flag that is not off goes to all of everyone: something has to be said about who, or about how many. */
export class NoReleaseToEveryone extends RulePolicy {
  public constructor(props: PolicyProps = {}) {
    const declared = readArguments(props, policyArguments, 'NoReleaseToEveryone')
    super({ policy: 'NoReleaseToEveryone' }, declared)
  }
}
