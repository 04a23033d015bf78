import { Annotations, type IAspect } from 'cdktf'
import type { IConstruct } from 'constructs'
import { fitsAnyGlob } from '../../model/text/name-glob.ts'
import { type Level, type LevelSpelling, levelOf, levelSpellings } from '../../policies/policy.ts'
import { knownText, knownTexts, shown } from '../arguments/argument.ts'
import type { Readers } from '../arguments/read-arguments.ts'
import { markPolicy, runPoliciesAround } from '../engine/policies-around.ts'
import { type GrantSubject, grantOf } from './grant-subject.ts'
import { type PolicySubject, subjectOf } from './policy-subject.ts'

/** The options of every policy. */
export interface ExceptProps {
  /** Keys of flags, with their grants, and names of events and plugins, that the policy leaves alone; globs too. */
  readonly except?: readonly string[]
}

/** The options of a policy that checks declarations. */
export interface PolicyProps extends ExceptProps {
  /** What becomes of a value that is known only once a plan is made: a `warning` (or `warn`), or an `error` that ends the synthesis. */
  readonly unknown?: LevelSpelling
  /** What becomes of an object that is against it: an `error` that ends the synthesis, or a `warning` (or `warn`). An error when left out. */
  readonly level?: LevelSpelling
}

/** The readers of the properties. */
export const exceptArguments: Readers<ExceptProps> = { except: knownTexts }
export const policyArguments: Readers<PolicyProps> = { ...exceptArguments, unknown: level, level }

function level(value: unknown, name: string): Level {
  const said = knownText(value, name)
  const meant = levelOf(said)
  if (meant !== undefined) return meant
  throw new RangeError(
    `"${name}" is ${JSON.stringify(said)}; there are ${Object.keys(levelSpellings).join(', ')}`,
  )
}

/**
 * A rule for all flags, events, plugins and grants below a construct, or a change to them. It sees our
 * constructs and the generated ones. If the rule is broken, synthesis fails and names the place.
 *
 * ```ts
 * enforce(app, new RequireOwnerTag())
 * enforce(production, new MaxRollout(25, { except: ['kill_switch'] }))
 * ```
 */
export abstract class Policy implements IAspect {
  private readonly except: readonly string[]
  private readonly unknown: Level
  protected readonly level: Level

  protected constructor({ except = [], unknown = 'warning', level = 'error' }: PolicyProps) {
    this.except = except
    this.unknown = levelSpellings[unknown]
    this.level = levelSpellings[level]
    markPolicy(this)
  }

  /** Called by the engine for each construct. */
  public visit(construct: IConstruct): void {
    runPoliciesAround(construct)
    const subject = subjectOf(construct)
    if (subject !== undefined && !this.isLeftAlone(subject.name)) this.apply(subject)
    const grant = grantOf(construct)
    if (grant !== undefined && !this.isLeftAlone(grant.flag ?? '')) this.applyToGrant(grant)
  }

  /** Checks or changes one flag, event or plugin. */
  protected abstract apply(subject: PolicySubject): void

  /** Checks one grant; by default nothing. */
  protected applyToGrant(_grant: GrantSubject): void {}

  /** Makes synthesis fail, or warns where that is the level of the policy. */
  protected refuse(subject: PolicySubject | GrantSubject, why: string): void {
    say(subject, this.level === 'error' ? 'addError' : 'addWarning', why)
  }

  /** Reports that the policy cannot decide, because a value is known only at plan time. */
  protected cannotTell(subject: PolicySubject | GrantSubject, why: string): void {
    const later = `${why} is known only once a plan is made`
    if (this.unknown === 'error')
      say(subject, 'addError', `${later}, and ${this.constructor.name} has to know it`)
    else say(subject, 'addWarning', `${later}${this.consequence()}`)
  }

  private isLeftAlone(name: string): boolean {
    return fitsAnyGlob(this.except, name)
  }

  /** The consequence if the policy cannot decide. */
  protected consequence(): string {
    return `, so ${this.constructor.name} cannot tell`
  }
}

/** Once, even if a policy reaches a construct twice: inner stacks are visited alone and with the outer. */
function say(subject: PolicySubject | GrantSubject, how: 'addError' | 'addWarning', why: string): void {
  const { construct } = subject
  const message = `${nameOf(subject)}: ${why}`
  if (construct.node.metadata.some(({ data }) => data === message)) return
  Annotations.of(construct)[how](message)
}

function nameOf(subject: PolicySubject | GrantSubject): string {
  if ('kind' in subject) return `${subject.kind} ${shown(subject.name)}`
  return subject.flag === undefined ? 'grant' : `flag ${shown(subject.flag)}`
}
