import { readArguments } from '../arguments/read-arguments.ts'
import { isOff } from './declared-release.ts'
import { Policy, type PolicyProps, policyArguments } from './policy.ts'
import type { PolicySubject } from './policy-subject.ts'

/**
 * Protects every flag that is not off: plans that would delete it are refused. A flag with `protect: false` stays as it
 * is.
 */
export class ProtectActive extends Policy {
  public constructor(props: PolicyProps = {}) {
    super(readArguments(props, policyArguments, 'ProtectActive'))
  }

  protected apply({ kind, resource, attributes }: PolicySubject): void {
    if (kind !== 'flag' || isOff(attributes) || resource.lifecycle?.preventDestroy !== undefined) return
    resource.lifecycle = { ...resource.lifecycle, preventDestroy: true }
  }
}
