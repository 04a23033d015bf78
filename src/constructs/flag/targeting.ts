import type { IResolvable } from 'cdktf'
import type { Services } from '../../model/connection.ts'
import type { Json, JsonObject } from '../../model/text/json.ts'
import { segmentsOf } from '../../model/text/pointer.ts'
import type { ObjectProblem, ProblemOf } from '../../rules/check-field.ts'
import { checkTargeting } from '../../rules/check-object.ts'
import { knownFilters } from '../../rules/contradictions.ts'
import { payloadText } from '../../targeting/canonical-filters.ts'
import { encodeFilters, sayingEverybody } from '../../targeting/codec.ts'
import { quoted } from '../../targeting/describe.ts'
import {
  attributeOf,
  partOf,
  type TypedAttribute,
  type TypedPart,
  type TypedPartName,
} from '../../targeting/typed-form.ts'
import type { Messages } from '../check-fields.ts'
import { propertyOf, replaceMarks } from '../engine/engine-marks.ts'
import type { FeatureFlag, FeatureFlagConfig } from '../generated/feature-flag/index.ts'
import { escapeText, hasReference, partlyKnown } from '../templates.ts'
import { jsonText } from '../write-json.ts'
import type { GroupTypeIndex, Variants } from './variants.ts'
import { type DescribedCondition, type DescribedProperty, When } from './when.ts'

/** Who gets a flag, and what they get. */
export interface Targeting {
  /**
   * Who gets the flag: conditions, tried in order. An empty list means nobody. Without a release, variants
   * and payloads, all of this is not managed.
   */
  readonly release?: readonly When[]
  /** The percentage of everybody that gets the flag: short for a `release` of `When.everyone().at(25)`. */
  readonly rolloutPercentage?: number
  /** The variants of a multivariate flag. */
  readonly variants?: Variants
  /** The payload of a flag without variants: any JSON value. A text that is JSON counts as that JSON. */
  readonly payload?: unknown
  /** What code receives with each variant: any JSON value, by the variant's key. A text that is JSON counts as that JSON. */
  readonly payloads?: { readonly [variant: string]: unknown }
  /** The type of the groups that the flag is released to, from 0 to 4; persons if absent. */
  readonly groupTypeIndex?: GroupTypeIndex
  /**
   * Whether a person who matches a condition but is outside its percentage is excluded from later conditions.
   * Services before 2026 ignore it.
   */
  readonly earlyExit?: boolean | IResolvable
  /**
   * Members of the service's own `filters` that have no other property here, as JSON values. All of the
   * filters if it has `groups`.
   */
  readonly filters?: { readonly [member: string]: unknown }
}

/** The `filters` during synthesis: in the service's form, with references in place of values. */
export type DeclaredFilters = Members

interface Members {
  readonly [name: string]: unknown
}

/** A targeting in both forms: one for checks, and one for the generated construct. */
export interface DeclaredTargeting {
  readonly filters: DeclaredFilters
  readonly attributes: TargetingConfig
}

/**
 * Converts a targeting; undefined if it is empty. A plan shows `release` and `variants` line by line, so they
 * are used whenever they can express all of it; the rest is JSON text.
 *
 * | declared | attributes |
 * | --- | --- |
 * | conditions, variants, payloads, a group type, an early exit | the typed attributes |
 * | a variant of another flag that is called "true" or "false", or may be | `filters` |
 * | a payload of what is no variant, or may be none | `filters` |
 * | members of the service that are written as they are | `filters` |
 */
export function declaredTargeting(targeting: Targeting): DeclaredTargeting | undefined {
  const { variants, earlyExit } = targeting
  const release = releaseOf(targeting)
  // A reference is replaced by its mark.
  const groupTypeIndex = targeting.groupTypeIndex as number | undefined
  const payloads = payloadsOf(targeting)
  if (variants?.list.length === 0) throw new Error('"variants" has no variants: remove it')
  const typed = {
    release: release?.map(when => inGroupType(when, groupTypeIndex)),
    variants: variants?.list.map(variant => ({ ...variant, payload: memberOf(payloads, variant.key) })),
    payload: variants ? undefined : memberOf(payloads, 'true'),
    group_type_index: groupTypeIndex,
    // A reference replaces the boolean.
    early_exit: earlyExit as boolean | undefined,
  }
  const filters = filtersOf(typed, payloads, targeting.filters)
  if (filters === undefined) return undefined
  const receivers = variants?.list.map(({ key }) => key) ?? ['true']
  const isTyped =
    targeting.filters === undefined &&
    (typed.release ?? []).every(({ properties = [] }) => properties.every(isTypedProperty)) &&
    Object.keys(payloads ?? {}).every(key => receivers.includes(key))
  return { filters, attributes: isTyped ? typedConfig(typed) : { filters: jsonText(filters) } }
}

/** The conditions of a targeting; undefined if it has none. */
export function releaseOf({ release, rolloutPercentage }: Targeting): readonly When[] | undefined {
  if (rolloutPercentage === undefined) return release
  if (release !== undefined) throw twice('release', 'rolloutPercentage')
  return [When.everyone().at(rolloutPercentage)]
}

function filtersOf(
  { release, variants, payload: _payload, ...others }: Partial<TypedPart<'filters'>>,
  payloads: Members | undefined,
  written: Members = {},
): DeclaredFilters | undefined {
  const ours: DeclaredFilters = {
    ...onTheWire({ release, variants: variants?.map(({ payload: _, ...variant }) => variant) }),
    // Here they also have the keys of variants, including keys without a variant.
    ...(payloads && { payloads }),
    ...onTheWire(others),
  }
  for (const name of Object.keys(written)) {
    if (name in ours) throw twice(propertyFor[name] ?? name, `filters.${name}`)
  }
  const all = { ...ours, ...written }
  if (Object.keys(all).length === 0) return undefined
  // Without conditions, the service would give the flag to everybody.
  if (!('groups' in all))
    throw new Error('nothing defines who gets the flag: set "release", or [] for nobody')
  return all
}

function onTheWire(typed: Members): JsonObject {
  const present = Object.entries(typed).filter(([, value]) => value !== undefined)
  // Conditions and variants were validated, so they contain only texts, numbers, booleans and references.
  return encodeFilters(Object.fromEntries(present) as JsonObject, 'as on the wire')
}

/** The payloads, by the key of the variant. */
function payloadsOf({ payload, payloads }: Targeting): Members | undefined {
  if (payload !== undefined && payloads !== undefined) throw twice('payload', 'payloads')
  if (payloads === undefined) return payload === undefined ? undefined : { true: payload }
  return Object.fromEntries(Object.entries(payloads).filter(([, each]) => each !== undefined))
}

function memberOf(members: Members = {}, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

/** The attribute reads these words as the state of another flag, not as a variant with this name. */
function isTypedProperty({ type, value }: DescribedProperty): boolean {
  if (type !== 'flag' || typeof value === 'boolean') return true
  return value !== 'true' && value !== 'false' && !hasReference(value)
}

/** Adds the group type that the condition counts to properties of groups. */
function inGroupType(when: When, ofFlag: number | undefined): DescribedCondition {
  const condition = sayingEverybody(when.condition)
  const index = condition.group_type_index ?? ofFlag
  if (index === undefined) return condition
  const properties = condition.properties?.map(property =>
    property.type === 'group' ? { ...property, group_type_index: index } : property,
  )
  return { ...condition, ...(properties === undefined ? {} : { properties }) }
}

const propertyFor: Readonly<Record<string, string>> = {
  groups: 'release',
  multivariate: 'variants',
  aggregation_group_type_index: 'groupTypeIndex',
  early_exit: 'earlyExit',
}

function twice(one: string, other: string): Error {
  return new Error(`"${one}" and "${other}" mean the same: remove one of them`)
}

/** The attributes of the generated construct that define who gets a flag. */
export type TargetingConfig = Pick<
  FeatureFlagConfig,
  'filters' | 'release' | 'variants' | 'payload' | 'groupTypeIndex' | 'earlyExit'
>

/** The typed form as properties of the generated construct, without undefined ones. */
function typedConfig(typed: Partial<TypedPart<'filters'>>): TargetingConfig {
  // The properties are generated from the table that also defines the typed form.
  return propertiesOf('filters', typed) as TargetingConfig
}

function propertiesOf(part: TypedPartName, typed: object): object {
  const properties = Object.entries(typed).flatMap(([name, value]) => {
    const attribute = attributeOf(part, name)
    return attribute && isSet(attribute, value) ? [[propertyOf(name), attributeValue(attribute, value)]] : []
  })
  return Object.fromEntries(properties)
}

function isSet({ byDefault, emptyIsNothing }: TypedAttribute, value: unknown): boolean {
  if (value === undefined || value === byDefault) return false
  return !(emptyIsNothing && Array.isArray(value) && value.length === 0)
}

function attributeValue(attribute: TypedAttribute, value: unknown): unknown {
  const of = partOf(attribute)
  // The attribute defines the type of its elements.
  if (of) return (value as readonly object[]).map(each => propertiesOf(of, each))
  switch (attribute.is) {
    case 'texts':
      return (value as readonly string[]).map(escapeText)
    case 'json':
      return payloadProperty(value)
    case 'number':
    case 'truth':
      return value
    default:
      // A value that is not text is a number or a boolean: its condition has checked it.
      return escapeText(String(value))
  }
}

/** A text that is JSON is used as that JSON, as everywhere; a reference is a value. */
function payloadProperty(payload: unknown): string {
  return typeof payload === 'string' && !hasReference(payload)
    ? escapeText(payloadText(payload))
    : jsonText(payload)
}

/** Replaces the whole targeting of the generated construct. */
export function setTargeting(resource: FeatureFlag, given: TargetingConfig): void {
  const { filters, release, variants, payload, groupTypeIndex, earlyExit } = given
  if (filters === undefined) resource.resetFilters()
  else resource.filters = filters
  if (release === undefined) resource.resetRelease()
  else resource.putRelease(release)
  if (variants === undefined) resource.resetVariants()
  else resource.putVariants(variants)
  if (payload === undefined) resource.resetPayload()
  else resource.payload = payload
  if (groupTypeIndex === undefined) resource.resetGroupTypeIndex()
  else resource.groupTypeIndex = groupTypeIndex
  if (earlyExit === undefined) resource.resetEarlyExit()
  else resource.earlyExit = earlyExit
}

/**
 * Refuses to continue if the targeting of the generated construct was changed by hand: the new value, perhaps
 * a reference, would be lost.
 */
export function requireAsGiven(resource: FeatureFlag, given: TargetingConfig = {}): void {
  const has: { readonly [Name in keyof TargetingConfig | 'rolloutPercentage']: unknown } = {
    filters: resource.filtersInput,
    release: resource.releaseInput,
    variants: resource.variantsInput,
    payload: resource.payloadInput,
    groupTypeIndex: resource.groupTypeIndexInput,
    earlyExit: resource.earlyExitInput,
    // Our constructs write it as a condition.
    rolloutPercentage: resource.rolloutPercentageInput,
  }
  const changed = Object.entries(has).find(([name, value]) => value !== Reflect.get(given, name))
  if (changed === undefined) return
  throw new Error(
    `"${changed[0]}" of the generated construct was set by hand, so nothing can be added to it; set all conditions there: flag.resource.putRelease(...)`,
  )
}

/** Errors and warnings for filters, one line each, by the rules of YAML and of Terraform's language. */
export function targetingProblems(filters: DeclaredFilters, services?: Services): Messages {
  const partly = partlyKnown(filters)
  const known = knownFilters(partly)
  const problems = checkTargeting('filters', partly, undefined, services)
  const lines = (severity: ObjectProblem['severity']) =>
    problems.filter(problem => problem.severity === severity).map(problem => inText(problem, known))
  return { errors: lines('error'), warnings: lines('warning') }
}

function inText({ inside, code, message, hint }: ProblemOf<'targeting'>, filters: Json): string {
  // That message already names its conditions.
  const place = code === 'unreachable-condition' ? '' : placeInText(segmentsOf(inside), filters)
  const words = `${message}${hint === undefined ? '' : ` (${hint})`}`
  // Keys of variants and payloads may contain references.
  return replaceMarks(`${place === '' ? '' : `${place}: `}${inProperties(words)}`, '(reference)')
}

/** Replaces wire names by the names of the constructs. */
function inProperties(words: string): string {
  return words
    .replaceAll('aggregation_group_type_index', 'groupTypeIndex')
    .replaceAll('"early_exit"', '"earlyExit"')
}

function placeInText([member, ...steps]: readonly string[], filters: Json): string {
  const at = (...path: (string | undefined)[]) =>
    path.reduce<unknown>((value, step) => membersOfAny(value)[step ?? ''], filters)
  if (member === 'groups' && steps[0] !== undefined) {
    const condition = `condition ${Number(steps[0]) + 1}`
    const key = steps[1] === 'properties' ? at('groups', steps[0], 'properties', steps[2], 'key') : undefined
    return typeof key === 'string' && key !== '' ? `${condition}, property ${quoted(key)}` : condition
  }
  if (member === 'multivariate' && steps[1] !== undefined) {
    const key = at('multivariate', 'variants', steps[1], 'key')
    return typeof key === 'string' && key !== ''
      ? `variant ${quoted(key)}`
      : `variant ${Number(steps[1]) + 1}`
  }
  return ''
}

function membersOfAny(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
