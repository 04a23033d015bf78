import { readArguments } from '../arguments/read-arguments.ts'
import type { DeclaredCondition } from './declared-release.ts'
import { type PolicyProps, policyArguments } from './policy-aspect.ts'
import type { PolicySubject } from './policy-subject.ts'
import { ReleasePolicy } from './release-policy.ts'

/** No flag that is not off goes to all of everyone: something has to be said about who, or about how many. */
export class NoReleaseToEveryone extends ReleasePolicy {
  public constructor(props: PolicyProps = {}) {
    super(readArguments(props, policyArguments, 'NoReleaseToEveryone'))
  }

  protected concerns(): boolean {
    return true
  }

  protected isAbout({ isForEveryone }: DeclaredCondition): boolean | undefined {
    return isForEveryone
  }

  protected reason(_: PolicySubject, percent: number): string | undefined {
    return percent >= 100 ? 'goes to all of them; name people, or say how many with at(...)' : undefined
  }
}
