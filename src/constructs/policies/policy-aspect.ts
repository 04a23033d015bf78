import { Annotations, type IAspect } from 'cdktf'
import type { IConstruct } from 'constructs'
import { knownTexts } from '../arguments/argument.ts'
import type { Readers } from '../arguments/read-arguments.ts'
import { markPolicy, runPoliciesAround } from '../engine/policies-around.ts'
import { type PolicySubject, subjectOf } from './policy-subject.ts'

/** What every policy can be told. */
export interface PolicyProps {
  /** Keys of flags, and names of events and plugins, that the policy leaves alone. */
  readonly except?: readonly string[]
}

/** How they are read. */
export const policyArguments: Readers<PolicyProps> = { except: knownTexts }

/**
 * Something that has to hold for all flags, events and plugins below a construct, or that is done to them there. It sees
 * our constructs and the generated ones alike. Where it does not hold, synthesis fails and names the place.
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
  }

  /** What the policy asks of one flag, event or plugin. */
  protected abstract apply(subject: PolicySubject): void

  /** Makes synthesis fail. */
  protected refuse({ kind, name, construct }: PolicySubject, why: string): void {
    say(construct, 'addError', `${kind} ${JSON.stringify(name)}: ${why}`)
  }

  /** Says that the policy cannot tell, because a value is known only once a plan is made. */
  protected cannotTell({ kind, name, construct }: PolicySubject, why: string): void {
    say(
      construct,
      'addWarning',
      `${kind} ${JSON.stringify(name)}: ${why} is known only once a plan is made, so ${this.constructor.name} cannot tell`,
    )
  }
}

/** Once, however many ways lead a policy to a construct: a stack inside of another is visited with that one and by itself. */
function say(construct: IConstruct, how: 'addError' | 'addWarning', message: string): void {
  if (construct.node.metadata.some(({ data }) => data === message)) return
  Annotations.of(construct)[how](message)
}
