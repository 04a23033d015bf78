import { hasTargeting } from '../../model/kind.ts'
import { type DeclaredCondition, releaseIn } from './declared-release.ts'
import { Policy } from './policy-aspect.ts'
import { isOff, kindOf, type PolicySubject } from './policy-subject.ts'

/** A policy about how far flags are released. A flag that is off gives nothing to anybody, so it is left alone. */
export abstract class ReleasePolicy extends Policy {
  protected apply(subject: PolicySubject): void {
    if (!hasTargeting(kindOf(subject)) || isOff(subject) || !this.concerns(subject)) return
    const release = releaseIn(subject.attributes)
    if (release === 'unknown') this.cannotTell(subject, 'its release')
    else if (release === 'undeclared')
      this.refuse(
        subject,
        'its release is not declared, and if the service has to create it, everybody gets it',
      )
    else for (const condition of release) this.look(subject, condition)
  }

  /** Whether the policy has anything to say about a flag. */
  protected abstract concerns(subject: PolicySubject): boolean

  /** What is wrong with a condition that goes to so many percent, if anything is. */
  protected abstract reason(
    subject: PolicySubject,
    percent: number,
    condition: DeclaredCondition,
  ): string | undefined

  /** Whether the policy is about such conditions; undefined when that is known only once a plan is made. */
  protected abstract isAbout(condition: DeclaredCondition): boolean | undefined

  private look(subject: PolicySubject, condition: DeclaredCondition): void {
    const isAbout = this.isAbout(condition)
    if (isAbout === false) return
    const { percent, words } = condition
    if (percent === undefined) {
      this.cannotTell(subject, `the share of ${words}`)
      return
    }
    const reason = this.reason(subject, percent, condition)
    if (reason === undefined) return
    if (isAbout === undefined) this.cannotTell(subject, `who is in ${words}`)
    else this.refuse(subject, `${words} ${reason}`)
  }
}
