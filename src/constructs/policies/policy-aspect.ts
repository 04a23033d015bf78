import { Annotations, Aspects, type IAspect, TerraformResource, TerraformStack, Token } from 'cdktf'
import { Construct, type IConstruct } from 'constructs'
import { featureFlag } from '../../kinds/index.ts'
import { fitsAnyGlob } from '../../model/text/names.ts'
import {
  type LaterShare,
  type Level,
  type LevelSpelling,
  levelOf,
  levelSpellings,
} from '../../policies/policy.ts'
import { type AppPolicy, type HeldPolicy, writePolicies } from '../../policies/written-policies.ts'
import { isOurType } from '../../schema/terraform/terraform-names.ts'
import { knownText, knownTexts, notA, shown, texts } from '../argument.ts'
import { markPolicy, runPoliciesAround } from '../engine/engine.ts'
import type { EventDefinition } from '../generated/event-definition/index.ts'
import type { FeatureFlag } from '../generated/feature-flag/index.ts'
import { type Readers, readArguments } from '../read-arguments.ts'
import { escapeAll, escapeText, isReference } from '../templates.ts'
import { expressionOf, Later } from '../write-json.ts'
import {
  expressionIn,
  type GrantSubject,
  grantOf,
  kindOf,
  type PolicySubject,
  subjectOf,
} from './policy-subject.ts'

/** The options of every policy. */
export interface ExceptProps {
  /** Exceptions from the policy: keys of flags (with their grants), names of events and plugins, or globs. */
  readonly except?: readonly string[]
}

/** The options of a policy that checks declarations. */
export interface PolicyProps extends ExceptProps {
  /** What becomes of a value that is known only once a plan is made: a `warning` (or `warn`), or an `error` that ends the synthesis. */
  readonly unknown?: LevelSpelling
  /** What becomes of an object that is against it: an `error` that ends the synthesis, or a `warning` (or `warn`). An error when left out. */
  readonly level?: LevelSpelling
}

export const exceptArguments: Readers<ExceptProps> = { except: knownTexts }
export const policyArguments: Readers<PolicyProps> = { ...exceptArguments, unknown: level, level }

function level(value: unknown, name: string): Level {
  const word = knownText(value, name)
  const meant = levelOf(word)
  if (meant !== undefined) return meant
  throw new RangeError(
    `"${name}" cannot be ${JSON.stringify(word)}; the levels are ${Object.keys(levelSpellings).join(', ')}`,
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

  /** Makes synthesis fail, or warns, depending on the policy's level. */
  protected refuse(subject: PolicySubject | GrantSubject, why: string): void {
    say(subject, this.level === 'error' ? 'addError' : 'addWarning', why)
  }

  /** Reports that the policy cannot decide, because a value is known only at plan time. */
  protected cannotTell(subject: PolicySubject | GrantSubject, why: string): void {
    const later = `${why} is known only in a plan`
    if (this.unknown === 'error') say(subject, 'addError', `${later}, but ${this.constructor.name} needs it`)
    else say(subject, 'addWarning', `${later}${this.consequence()}`)
  }

  private isLeftAlone(name: string): boolean {
    return fitsAnyGlob(this.except, name)
  }

  /** The consequence if the policy cannot decide. */
  protected consequence(): string {
    return `, so ${this.constructor.name} cannot decide`
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

/**
 * Enforces policies on everything below a construct: all stacks of an app, one stack, or a part of one.
 * `Aspects.of(construct).add(policy)` does the same. `enforce` also accepts other aspects, which the engines
 * skip if
 * they are added to an app.
 *
 * ```ts
 * enforce(app, new RequireOwnerTag(), new MaxRollout({ staging: 100, production: 25 }))
 * ```
 */
export function enforce(scope: IConstruct, ...policies: IAspect[]): void {
  if (!Construct.isConstruct(scope)) throw notA('an app, a stack or another construct', scope, 'enforce')
  for (const policy of policies) {
    if (typeof policy?.visit !== 'function') throw notA('a policy', policy, 'enforce')
  }
  const places = scope.node.scopes.some(TerraformStack.isStack) ? [scope] : outermostStacks(scope)
  const where = scope.node.path === '' ? 'the app' : `"${scope.node.path}"`
  if (places.length === 0) {
    throw new Error(`${where} has no stacks yet: enforce policies after creating them, or on each of them`)
  }
  for (const place of places) for (const policy of policies) Aspects.of(place).add(policy)
  if (places[0] === scope) return
  scope.node.root.node.addValidation({
    validate: () =>
      outermostStacks(scope)
        .filter(stack => !places.includes(stack))
        .map(
          ({ node }) =>
            `"${node.path}" was created after policies were enforced on ${where}: enforce policies last`,
        ),
  })
}

/** A stack inside another one is visited together with it. */
function outermostStacks(scope: IConstruct): IConstruct[] {
  return scope.node
    .findAll()
    .filter(construct => TerraformStack.isStack(construct))
    .filter(({ node }) => node.scopes.filter(TerraformStack.isStack).length === 1)
}

/**
 * Lets Terraform check a percentage that it evaluates, if a condition of typed attributes contains it. A
 * precondition stops the plan, or the apply before anything is sent, if the percentage is too large. False if
 * the percentage is elsewhere, as in JSON, or in conditions that are only known later as a whole.
 */
export function holdByPrecondition(
  { resource, attributes }: PolicySubject,
  { condition: index, words, limit, isWithin, why }: LaterShare,
  policy: string,
): boolean {
  const { release, rollout_percentage: ofEverybody, active } = attributes
  if (isReference(release)) return false
  const percentage = Array.isArray(release) ? release[index]?.rollout_percentage : ofEverybody
  const share = expressionIn(resource, percentage)
  const isOn = isReference(active) ? expressionIn(resource, active) : 'true'
  if (share === undefined || isOn === undefined) return false
  // A missing percentage means everybody.
  const percent = `coalesce(${share}, 100)`
  const inBounds = `${percent} ${isWithin === 'at most' ? '<=' : '<'} ${limit}`
  const precondition = {
    condition: isOn === 'true' ? `\${${inBounds}}` : `\${!coalesce(${isOn}, true) || ${inBounds}}`,
    errorMessage: `${escapeText(words)} goes to \${${percent}}${escapeText(why)} (${policy})`,
  }
  const { precondition: all = [], ...lifecycle } = resource.lifecycle ?? {}
  const ours = held.get(resource) ?? new Map<string, object>()
  const key = JSON.stringify([policy, index, limit])
  // A stack may be synthesized again, with another percentage.
  const others = all.filter(each => each !== ours.get(key))
  resource.lifecycle = { ...lifecycle, precondition: [...others, precondition] }
  held.set(resource, ours.set(key, precondition))
  return true
}

const held = new WeakMap<TerraformResource, Map<string, object>>()

/**
 * Writes a policy that visits a construct into its stack, with the construct to which the policy was added.
 * The stack contains it even if it has no construct that aspects see.
 */
export function writePolicy(aspect: IAspect, policy: AppPolicy, construct: IConstruct): void {
  const isOurs =
    TerraformResource.isTerraformResource(construct) && isOurType(construct.terraformResourceType)
  if (!isOurs && !TerraformStack.isStack(construct)) return
  const stack = TerraformStack.of(construct)
  const policies = policiesOf(stack)
  const held: HeldPolicy = { ...policy, scope: scopeOf(aspect, construct).node.path }
  const text = JSON.stringify(held)
  if (policies.has(text)) return
  policies.set(text, held)
  const written = writePolicies({ stack: stack.node.path, policies: [...policies.values()] })
  stack.addOverride('//.vexil', { policies: written })
}

/** The name is global, so that copies of this package write into the same list. */
const list = Symbol.for('vexil/policies')

function policiesOf(stack: TerraformStack): Map<string, HeldPolicy> {
  if (!(list in stack)) Object.defineProperty(stack, list, { value: new Map() })
  // Only copies of this package set this member.
  return (stack as unknown as Record<typeof list, Map<string, HeldPolicy>>)[list]
}

/** The construct that the aspect was added to; the visited one if something else calls the aspect. */
function scopeOf(aspect: IAspect, construct: IConstruct): IConstruct {
  return construct.node.scopes.find(scope => Aspects.of(scope).all.includes(aspect)) ?? construct
}

/**
 * Adds tags to every flag and event definition. If the tags of an object are not managed, only these are
 * declared.
 * Policies that were added later see them.
 *
 * ```ts
 * enforce(stack, new AddTags(['team-pay']))
 * ```
 */
export class AddTags extends Policy {
  private readonly tags: readonly string[]

  public constructor(tags: readonly string[], props: ExceptProps = {}) {
    super(readArguments(props, exceptArguments, 'AddTags'))
    this.tags = [...texts(tags, 'tags')]
  }

  protected apply(subject: PolicySubject): void {
    if (kindOf(subject).lifecycle.ownedBy === undefined) return
    // Every object with tags has this method, in any copy of this package.
    addTags(subject.resource as FeatureFlag | EventDefinition, this.tags)
  }
}

/** Adds tags to a resource, each once in any spelling, because the service keeps one. */
export function addTags(resource: FeatureFlag | EventDefinition, tags: readonly string[]): void {
  const before = resource.tagsInput ?? []
  const given = texts(tags, 'tags').map(escapeText)
  const has = new Set(isList(before) ? before.map(kept) : [])
  const more = given.filter(tag => !has.has(kept(tag)))
  if (more.length > 0) resource.tags = joinEscaped(before, more)
}

/** The tags of both, as people wrote them, each once. */
export function joinTags(before: string[], more: string[]): string[] {
  if (isList(before) && isList(more)) return joinEscaped(before, more)
  // Tags that Terraform joins contain references and templates.
  return joinEscaped(escapeAll(before), escapeAll(more))
}

/** Lets Terraform join the tags if some are known only in a plan. */
function joinEscaped(before: string[], more: string[]): string[] {
  if (before.length === 0) return more
  if (isList(before) && isList(more)) return [...new Set([...before, ...more])]
  return Token.asList(new Later({ before, more }, joinResolved))
}

/** A list from a `Lazy` is an ordinary list; a reference was resolved to its expression. */
function joinResolved(resolved: unknown): unknown {
  // As passed, except that the engine may have removed a part.
  const { before, more } = resolved as { readonly [part in 'before' | 'more']?: string[] | string | null }
  const lists = [before ?? [], more ?? []]
  if (!lists.every(Array.isArray)) return `\${concat(${lists.map(expressionOf).join(', ')})}`
  const all = lists.flat()
  const spellings = all.map(kept)
  return all.filter((_, index) => spellings.indexOf(spellings[index] ?? '') === index)
}

/** Whether the elements are known. */
function isList(tags: string[]): boolean {
  return Array.isArray(tags) && !Token.isUnresolved(tags)
}

function kept(tag: string): string {
  return JSON.stringify(featureFlag.fields.tags.canonical([tag]))
}
