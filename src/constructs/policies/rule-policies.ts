import { TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'
import { eventDefinition, featureFlag } from '../../kinds/index.ts'
import { switchField } from '../../model/kind.ts'
import { accessLevels, checkPolicy, patternText } from '../../policies/check-policy.ts'
import { dayMs, spanMs } from '../../policies/frozen-window.ts'
import type { LaterShare, Policed } from '../../policies/policy.ts'
import { remedyOf, settingName } from '../../policies/policy-table.ts'
import { type AppRule, decidedByPlan } from '../../policies/written-policies.ts'
import {
  knownText,
  knownTexts,
  knownTruth,
  listOf,
  members,
  notA,
  pattern,
  type Reader,
  text,
} from '../argument.ts'
import { requireRightFields } from '../check-fields.ts'
import { markedForm } from '../engine/engine-marks.ts'
import type { AccessLevel } from '../flag/flag-grants.ts'
import { type Readers, readArguments } from '../read-arguments.ts'
import { type Role, role } from '../references.ts'
import { isReference } from '../templates.ts'
import {
  AddTags,
  type ExceptProps,
  enforce,
  exceptArguments,
  holdByPrecondition,
  Policy,
  type PolicyProps,
  policyArguments,
  writePolicy,
} from './policy-aspect.ts'
import {
  declaredRelease,
  type GrantSubject,
  isOff,
  kindOf,
  knownPercentage,
  knownTags,
  type PolicySubject,
  type SubjectKind,
  subjectKinds,
  textInService,
} from './policy-subject.ts'

/** A policy whose rule is data, so that Vexil can also check it on an evaluated stack. */
abstract class RulePolicy extends Policy {
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
      name: textInService(subject.name),
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

  /** Whether Terraform checks a percentage, which it does unless the policy needs the value now. */
  private isHeld(subject: PolicySubject | GrantSubject, share: LaterShare): boolean {
    const { unknown, except = [] } = this.props
    if (unknown === 'error' || !('resource' in subject)) return false
    // Terraform has no check that only warns at this place.
    if (this.level === 'warning') return false
    // An object with an unknown name may be one of the exceptions.
    if (except.length > 0 && textInService(subject.name) === undefined) return false
    return holdByPrecondition(subject, share, this.rule.policy)
  }
}

/** The options of a policy for percentages. */
export interface MaxRolloutProps extends PolicyProps {
  /** Checks only conditions for everybody: conditions that limit people may go to 100. */
  readonly everyoneOnly?: boolean
}

export const maxRolloutArguments: Readers<MaxRolloutProps> = { ...policyArguments, everyoneOnly: knownTruth }

/** Limits by the ids of stacks: `{ staging: 100, production: 25 }`. */
export type Ceilings = { readonly [stack: string]: number }

/**
 * Limits the percentage of every condition, unless the flag is off. Limits that differ between environments
 * are set by stack, and every stack needs one.
 *
 * ```ts
 * enforce(app, new MaxRollout({ staging: 100, production: 25 }))
 * ```
 */
export class MaxRollout extends RulePolicy {
  public constructor(ceiling: number | Ceilings, props: MaxRolloutProps = {}) {
    const { everyoneOnly = false, ...others } = readArguments(props, maxRolloutArguments, 'MaxRollout')
    super({ policy: 'MaxRollout', ceiling: readCeilings(ceiling), everyoneOnly }, others)
  }
}

function readCeilings(ceiling: unknown): number | Ceilings {
  if (typeof ceiling !== 'object' || markedForm(ceiling) !== undefined)
    return knownPercentage(ceiling, 'ceiling', 'MaxRollout')
  const stacks = Object.entries(members(ceiling, 'ceiling'))
  return Object.fromEntries(
    stacks.map(([stack, percent]) => [stack, knownPercentage(percent, `ceiling.${stack}`, 'MaxRollout')]),
  )
}

/** The required patterns of names, by kind. */
export interface NamePatternProps extends PolicyProps, Patterns {}

/** Each pattern matches the names of its kind: the keys of `flags`, the names of `events` and `plugins`. */
type Patterns = { readonly [kind in SubjectKind as `${kind}s`]?: RegExp }

export const namePatternArguments = {
  ...policyArguments,
  ...Object.fromEntries(subjectKinds.map(kind => [`${kind}s`, pattern])),
  // The kinds are those of the type.
} as Readers<NamePatternProps>

/**
 * Requires that keys of flags, and names of events and plugins, match a pattern.
 *
 * ```ts
 * enforce(app, new NamePattern({ flags: /^[a-z][a-z0-9_]*$/ }))
 * ```
 */
export class NamePattern extends RulePolicy {
  public constructor(props: NamePatternProps) {
    const { except, level, unknown, ...patterns } = readArguments(props, namePatternArguments, 'NamePattern')
    const given = subjectKinds.flatMap(kind => {
      // The kinds are those of the type.
      const expression = patterns[`${kind}s` as keyof Patterns]
      return expression === undefined ? [] : [[kind, patternText(expression)] as const]
    })
    super({ policy: 'NamePattern', patterns: Object.fromEntries(given) }, { except, level, unknown })
  }
}

/** Refuses conditions with an e-mail address of a person. `@example.com` is allowed. */
export class NoPersonalEmail extends RulePolicy {
  public constructor(props: PolicyProps = {}) {
    super({ policy: 'NoPersonalEmail' }, readArguments(props, policyArguments, 'NoPersonalEmail'))
  }
}

/** Refuses a flag that may be on and is released to everybody: its release has to limit who, or how many. */
export class NoReleaseToEveryone extends RulePolicy {
  public constructor(props: PolicyProps = {}) {
    const declared = readArguments(props, policyArguments, 'NoReleaseToEveryone')
    super({ policy: 'NoReleaseToEveryone' }, declared)
  }
}

/**
 * Protects every flag that is not off: plans that would delete it are refused. A flag with `protect: false`
 * stays unprotected.
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

/** The options of the policy for expiry dates. */
export interface RequireExpiryProps extends PolicyProps {
  /** The longest time until the expiry date, such as `180 days` or `26 weeks`; no limit if absent. */
  readonly within?: string
}

export const expiryArguments: Readers<RequireExpiryProps> = { ...policyArguments, within: knownText }

/**
 * Requires a tag with the expiry date on every flag, `expires:2027-03-01`. A synthesis does not know the
 * current day, so Vexil checks `within` when it plans the stack.
 */
export class RequireExpiry extends RulePolicy {
  public constructor(props: RequireExpiryProps = {}) {
    const { within, ...others } = readArguments(props, expiryArguments, 'RequireExpiry')
    super({ policy: 'RequireExpiry', ...(within === undefined ? {} : { within: daysIn(within) }) }, others)
  }
}

function daysIn(within: string): number {
  const ms = spanMs(within)
  if (ms === undefined)
    throw new RangeError(
      `RequireExpiry: "within" is ${JSON.stringify(within)}; write a time such as "180 days"`,
    )
  return Math.floor(ms / dayMs)
}

/** The pattern of owner tags. */
export interface RequireOwnerTagProps extends PolicyProps {
  /** Matches the tag with the owner. The default is `/^(owner|team)[:-]/`. */
  readonly pattern?: RegExp
}

export const ownerTagArguments: Readers<RequireOwnerTagProps> = { ...policyArguments, pattern }

/** Every flag and event definition has a tag with its owner. Default tags of the provider do not count. */
export class RequireOwnerTag extends RulePolicy {
  public constructor(props: RequireOwnerTagProps = {}) {
    const declared = readArguments(props, ownerTagArguments, 'RequireOwnerTag')
    const { pattern = /^(owner|team)[:-]/, ...others } = declared
    super({ policy: 'RequireOwnerTag', pattern: patternText(pattern) }, others)
  }
}

/** The tag that shows that a second person reviewed a flag. */
export interface TwoPersonProps extends PolicyProps {
  /** The tag, or a glob such as `reviewed-by:*`. The default is `reviewed`. */
  readonly tag?: string
  /** Checks only conditions for everybody: conditions that limit people may go to 100. */
  readonly everyoneOnly?: boolean
}

export const twoPersonArguments: Readers<TwoPersonProps> = {
  ...policyArguments,
  tag: knownText,
  everyoneOnly: knownTruth,
}

/**
 * Requires a tag for the review by a second person, if a flag may be on and goes to more than this
 * percentage.
 *
 * ```ts
 * enforce(production, new TwoPerson(50, { tag: 'reviewed-by:*' }))
 * ```
 */
export class TwoPerson extends RulePolicy {
  public constructor(above: number, props: TwoPersonProps = {}) {
    const declared = readArguments(props, twoPersonArguments, 'TwoPerson')
    const { tag = 'reviewed', everyoneOnly = false, ...others } = declared
    const percent = knownPercentage(above, 'above', 'TwoPerson')
    super({ policy: 'TwoPerson', above: percent, everyoneOnly, tag }, others)
  }
}

/** The options of a policy for grants. */
export interface GrantsOnlyToProps extends PolicyProps {
  /** The highest level that a grant may give: `none`, `viewer`, `editor` or `manager`; a grant without a level lets edit. */
  readonly atMost?: AccessLevel
}

export const grantsOnlyToArguments: Readers<GrantsOnlyToProps> = { ...policyArguments, atMost: accessLevel }

/**
 * Allows grants only for these roles. A role is passed as an object, by its id, or by its name in the app,
 * which
 * matches every role with that name, whatever its id.
 *
 * ```ts
 * enforce(app, new GrantsOnlyTo([support, audit]))
 * enforce(production, new GrantsOnlyTo([], { except: ['kill_switch'] }))
 * ```
 */
export class GrantsOnlyTo extends RulePolicy {
  public constructor(roles: readonly (Role | string)[], props: GrantsOnlyToProps = {}) {
    const { atMost, ...others } = readArguments(props, grantsOnlyToArguments, 'GrantsOnlyTo')
    const allowed = rolesOf(roles, 'roles')
    super({ policy: 'GrantsOnlyTo', roles: allowed, ...(atMost === undefined ? {} : { atMost }) }, others)
  }
}

const rolesOf: Reader<readonly string[]> = listOf(
  (value, name) => (typeof value === 'string' ? knownText(value, name) : roleText(role(value, name), name)),
  'a list of roles',
  'write each role as Role.fromId(id, name)',
)

/** A role by its id, or by its name if the id is known only in a plan. */
function roleText({ id, name }: Role, argument: string): string {
  return isReference(id) ? knownText(name ?? id, argument) : id
}

function accessLevel(value: unknown, name: string): AccessLevel {
  const level = knownText(value, name)
  if (!accessLevels.includes(level)) {
    throw new RangeError(
      `"${name}" cannot be ${JSON.stringify(level)}; the levels are ${accessLevels.join(', ')}`,
    )
  }
  // It is one of the levels.
  return level as AccessLevel
}

/** The kinds of objects with tags. */
export type TaggedKind = Extract<SubjectKind, 'event' | 'flag'>

/** The objects below a construct that get the tags; by default all flags and event definitions. */
export interface TagsProps extends ExceptProps {
  /** Only these kinds: `['flag']`. */
  readonly includeKinds?: readonly TaggedKind[]
  /** Not these kinds: `['event']`. */
  readonly excludeKinds?: readonly TaggedKind[]
}

const tagged: readonly TaggedKind[] = [eventDefinition.title, featureFlag.title]

const taggedKinds: Reader<readonly TaggedKind[]> = (value, name) =>
  knownTexts(value, name).map((given, index) => {
    const kind = tagged.find(each => each === given)
    if (kind === undefined)
      throw notA(`a kind that has tags: ${tagged.join(', ')}`, given, `${name}[${index}]`)
    return kind
  })

export const tagsArguments: Readers<TagsProps> = {
  ...exceptArguments,
  excludeKinds: taggedKinds,
  includeKinds: taggedKinds,
}

/**
 * Adds tags to everything below a construct.
 *
 * ```ts
 * Tags.of(app).add('team:growth')
 * Tags.of(billing).add('core', { excludeKinds: ['event'], except: ['kill_switch'] })
 * ```
 */
export class Tags {
  private readonly scope: IConstruct

  public static of(scope: IConstruct): Tags {
    return new Tags(scope)
  }

  private constructor(scope: IConstruct) {
    // Refuses a value that is not a construct, and an app without stacks.
    enforce(scope)
    this.scope = scope
  }

  /**
   * Adds a tag to flags and event definitions at synthesis, if they do not have it. If the tags of an object
   * are not managed, only this tag is declared.
   */
  public add(tag: string, props: TagsProps = {}): this {
    const given = [text(tag, 'tag')]
    requireRightFields(featureFlag, { tags: given })
    enforce(this.scope, new AddTagsTo(given, readArguments(props, tagsArguments, 'Tags')))
    return this
  }
}

class AddTagsTo extends AddTags {
  private readonly kinds: readonly SubjectKind[]

  public constructor(
    tags: readonly string[],
    { includeKinds = tagged, excludeKinds = [], ...props }: TagsProps,
  ) {
    super(tags, props)
    this.kinds = includeKinds.filter(kind => !excludeKinds.includes(kind))
  }

  protected override apply(subject: PolicySubject): void {
    if (this.kinds.includes(subject.kind)) super.apply(subject)
  }
}
