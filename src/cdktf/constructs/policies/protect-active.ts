import { isOff } from './declared-release.ts'
import { Policy, type PolicyProps } from './policy.ts'
import type { PolicySubject } from './policy-subject.ts'

/**
 * Protects every flag that is not off: plans that would delete it are refused. A flag with `protect: false` stays as it
 * is.
 */
export class ProtectActive extends Policy {
  public constructor(props: PolicyProps = {}) {
    super(props)
  }

  protected apply({ kind, resource, attributes }: PolicySubject): void {
    if (kind !== 'flag' || isOff(attributes) || resource.lifecycle?.preventDestroy !== undefined) return
    resource.lifecycle = { ...resource.lifecycle, preventDestroy: true }
  }
}
