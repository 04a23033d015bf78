import { readArguments } from '../arguments/read-arguments.ts'
import { type PolicyProps, policyArguments } from './policy-aspect.ts'
import { RulePolicy } from './rule-policy.ts'

/** No condition of a flag names a person by an e-mail address. `@example.com` names nobody. */
export class NoPersonalEmail extends RulePolicy {
  public constructor(props: PolicyProps = {}) {
    super({ policy: 'NoPersonalEmail' }, readArguments(props, policyArguments, 'NoPersonalEmail'))
  }
}
