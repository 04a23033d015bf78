import { TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'
import { checkPolicy } from '../../policies/check-policy.ts'
import type { LaterShare, Policed } from '../../policies/policy.ts'
import { remedyOf, settingName } from '../../policies/policy-table.ts'
import { type AppRule, decidedByPlan } from '../../policies/written-policies.ts'
import { declaredRelease } from './declared-release.ts'
import type { GrantSubject } from './grant-subject.ts'
import { knownTags, knownText } from './known-text.ts'
import { Policy, type PolicyProps } from './policy-aspect.ts'
import { isOff, kindOf, type PolicySubject } from './policy-subject.ts'
import { holdByPrecondition } from './share-precondition.ts'
import { writePolicy } from './write-policy.ts'

/** A policy whose rule is data, so that the values of an evaluated stack can be checked as well. */
export abstract class RulePolicy extends Policy {
  private readonly rule: AppRule
  private readonly props: PolicyProps

  protected constructor(rule: AppRule, props: PolicyProps) {
    super(props)
    this.rule = rule
    this.props = props
  }

  public override visit(construct: IConstruct): void {
    super.visit(construct)
    const { except = [] } = this.props
    writePolicy(this, { ...this.rule, except, level: this.level }, construct)
  }

  protected apply(subject: PolicySubject): void {
    const kind = kindOf(subject)
    const { ownedBy } = kind.lifecycle
    this.check(subject, {
      kind,
      stack: TerraformStack.of(subject.resource).node.id,
      name: knownText(subject.name),
      isOff: isOff(subject),
      tags: ownedBy === undefined ? [] : knownTags(subject.attributes[ownedBy]),
      release: () => declaredRelease(subject.attributes),
    })
  }

  protected override applyToGrant(grant: GrantSubject): void {
    const { flag, roleId, roleName, level } = grant
    this.check(grant, { flag, role: { id: roleId, name: roleName }, level })
  }

  protected override consequence(): string {
    return `: ${this.rule.policy} ${decidedByPlan}`
  }

  private check(subject: PolicySubject | GrantSubject, policed: Policed): void {
    const { policy: rule } = this.rule
    // The policy is not called for its exceptions.
    for (const { is, what, share } of checkPolicy({ ...this.rule, except: [], level: this.level }, policed)) {
      if (is === 'refused') this.refuse(subject, `${what} (${rule}); ${remedyOf(settingName(rule))}`)
      else if (share === undefined || !this.isHeld(subject, share)) this.cannotTell(subject, what)
    }
  }

  /** Whether Terraform decides about a share, which it does unless the policy has to know it now. */
  private isHeld(subject: PolicySubject | GrantSubject, share: LaterShare): boolean {
    const { unknown, except = [] } = this.props
    if (unknown === 'error' || !('resource' in subject)) return false
    // Terraform has no check of its own that only warns.
    if (this.level === 'warning') return false
    // An object with an unknown name may be one of the exceptions.
    if (except.length > 0 && knownText(subject.name) === undefined) return false
    return holdByPrecondition(subject, share, this.rule.policy)
  }
}
