import { Annotations, type IAspect } from 'cdktf'
import type { IConstruct } from 'constructs'
import { knownTexts } from '../arguments/argument.ts'
import type { Readers } from '../arguments/read-arguments.ts'
import { markPolicy, runPoliciesAround } from '../engine/policies-around.ts'
import { type GrantSubject, grantOf } from './grant-subject.ts'
import { type PolicySubject, subjectOf } from './policy-subject.ts'

/** What every policy can be told. */
export interface PolicyProps {
  /** Keys of flags, with their grants, and names of events and plugins, that the policy leaves alone. */
  readonly except?: readonly string[]
}

/** How they are read. */
export const policyArguments: Readers<PolicyProps> = { except: knownTexts }

/**
 * Something that has to hold for all flags, events, plugins and grants below a construct, or that is done to them there.
 * It sees our constructs and the generated ones alike. Where it does not hold, synthesis fails and names the place.
 *
 * ```ts
 * enforce(app, new RequireOwnerTag())
 * enforce(production, new MaxRollout(25, { except: ['kill_switch'] }))
 * ```
 */
export abstract class Policy implements IAspect {
  private readonly except: readonly string[]

  protected constructor({ except = [] }: PolicyProps) {
    this.except = except
    markPolicy(this)
  }

  /** Called by the engine for each construct. */
  public visit(construct: IConstruct): void {
    runPoliciesAround(construct)
    const subject = subjectOf(construct)
    if (subject !== undefined && !this.except.includes(subject.name)) this.apply(subject)
    const grant = grantOf(construct)
    if (grant !== undefined && !this.except.includes(grant.flag ?? '')) this.applyToGrant(grant)
  }

  /** What the policy asks of one flag, event or plugin. */
  protected abstract apply(subject: PolicySubject): void

  /** What the policy asks of one grant: nothing, unless it says otherwise. */
  protected applyToGrant(_grant: GrantSubject): void {}

  /** Makes synthesis fail. */
  protected refuse(subject: PolicySubject | GrantSubject, why: string): void {
    say(subject, 'addError', why)
  }

  /** Says that the policy cannot tell, because a value is known only once a plan is made. */
  protected cannotTell(subject: PolicySubject | GrantSubject, why: string): void {
    const policy = this.constructor.name
    this.warn(subject, `${why} is known only once a plan is made, so ${policy} cannot tell`)
  }

  /** @internal */
  protected warn(subject: PolicySubject | GrantSubject, why: string): void {
    say(subject, 'addWarning', why)
  }
}

/** Once, however many ways lead a policy to a construct: a stack inside of another is visited with that one and by itself. */
function say(subject: PolicySubject | GrantSubject, how: 'addError' | 'addWarning', why: string): void {
  const { construct } = subject
  const message = `${nameOf(subject)}: ${why}`
  if (construct.node.metadata.some(({ data }) => data === message)) return
  Annotations.of(construct)[how](message)
}

function nameOf(subject: PolicySubject | GrantSubject): string {
  if ('kind' in subject) return `${subject.kind} ${JSON.stringify(subject.name)}`
  return subject.flag === undefined ? 'grant' : `flag ${JSON.stringify(subject.flag)}`
}
