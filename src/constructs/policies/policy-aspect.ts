import { Annotations, type IAspect } from 'cdktf'
import type { IConstruct } from 'constructs'
import { knownText, knownTexts } from '../arguments/argument.ts'
import type { Readers } from '../arguments/read-arguments.ts'
import { markPolicy, runPoliciesAround } from '../engine/policies-around.ts'
import { type GrantSubject, grantOf } from './grant-subject.ts'
import { type PolicySubject, subjectOf } from './policy-subject.ts'

/** What every policy can be told. */
export interface ExceptProps {
  /** Keys of flags, with their grants, and names of events and plugins, that the policy leaves alone. */
  readonly except?: readonly string[]
}

/** What a policy can be told that asks something of what is declared. */
export interface PolicyProps extends ExceptProps {
  /** What becomes of a value that is known only once a plan is made: a `warning`, or an `error` that ends the synthesis. */
  readonly unknown?: 'warning' | 'error'
}

/** How they are read. */
export const exceptArguments: Readers<ExceptProps> = { except: knownTexts }
export const policyArguments: Readers<PolicyProps> = {
  ...exceptArguments,
  unknown: (value, name) => {
    const unknown = knownText(value, name)
    if (unknown === 'warning' || unknown === 'error') return unknown
    throw new RangeError(`"${name}" is ${JSON.stringify(unknown)}; there are warning, error`)
  },
}

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
  private readonly unknown: 'warning' | 'error'

  protected constructor({ except = [], unknown = 'warning' }: PolicyProps) {
    this.except = except
    this.unknown = unknown
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
    const later = `${why} is known only once a plan is made`
    if (this.unknown === 'error')
      this.refuse(subject, `${later}, and ${this.constructor.name} has to know it`)
    else say(subject, 'addWarning', `${later}${this.consequence()}`)
  }

  /** What becomes of what the policy cannot tell. */
  protected consequence(): string {
    return `, so ${this.constructor.name} cannot tell`
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
