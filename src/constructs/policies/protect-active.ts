import { switchField } from '../../model/kind.ts'
import { readArguments } from '../arguments/read-arguments.ts'
import { type ExceptProps, exceptArguments, Policy } from './policy-aspect.ts'
import { isOff, kindOf, type PolicySubject } from './policy-subject.ts'

/**
 * Protects every flag that is not off: plans that would delete it are refused. A flag with `protect: false` stays as it
 * is.
 */
export class ProtectActive extends Policy {
  public constructor(props: ExceptProps = {}) {
    super(readArguments(props, exceptArguments, 'ProtectActive'))
  }

  protected apply(subject: PolicySubject): void {
    const { resource } = subject
    const hasSwitch = switchField(kindOf(subject)) !== undefined
    if (!hasSwitch || isOff(subject) || resource.lifecycle?.preventDestroy !== undefined) return
    resource.lifecycle = { ...resource.lifecycle, preventDestroy: true }
  }
}
