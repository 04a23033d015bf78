import type { IResolvable } from 'cdktf'
import type { JsonObject } from '../../model/json/json.ts'
import { encodeFilters, sayingEverybody } from '../../targeting/codec.ts'
import type { TypedPart } from '../../targeting/typed-form.ts'
import { hasReference } from '../synthesized/templates.ts'
import { jsonText } from '../synthesized/write-json.ts'
import { type TargetingConfig, typedConfig } from './targeting-config.ts'
import type { GroupTypeIndex, Variants } from './variants.ts'
import { type DescribedCondition, type DescribedProperty, When } from './when.ts'

/** Who gets a flag, and what they get. */
export interface Targeting {
  /**
   * Who gets the flag: conditions, tried in their order. An empty list means nobody. A flag without it, without variants
   * and without payloads leaves all of that to others.
   */
  readonly release?: readonly When[]
  /** The flag is released to this share of everybody, in percent: short for a `release` of `When.everyone().at(25)`. */
  readonly rolloutPercentage?: number
  /** The variants of a multivariate flag. */
  readonly variants?: Variants
  /** What code receives with a flag without variants: any JSON value. A text that is JSON counts as that JSON. */
  readonly payload?: unknown
  /** What code receives with each variant: any JSON value, by the variant's key. A text that is JSON counts as that JSON. */
  readonly payloads?: { readonly [variant: string]: unknown }
  /** The type of group to whose groups the flag is released, from 0 to 4; to persons when left out. */
  readonly groupTypeIndex?: GroupTypeIndex
  /**
   * Whether a person who meets a condition but is outside of its percentage gets nothing from later
   * conditions. Services before 2026 ignore it.
   */
  readonly earlyExit?: boolean | IResolvable
  /**
   * Members of the service's own `filters` for which there is no other property here, as JSON values. All of them, when
   * it has `groups`.
   */
  readonly filters?: { readonly [member: string]: unknown }
}

/** The `filters` while a stack is made: in the service's form, with references instead of values. */
export type DeclaredFilters = Members

interface Members {
  readonly [name: string]: unknown
}

/** A targeting in both forms: one to check, and one for the generated construct. */
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
  // A reference replaces the number.
  const groupTypeIndex = targeting.groupTypeIndex as number | undefined
  const payloads = payloadsOf(targeting)
  if (variants?.list.length === 0) throw new Error('there are no variants in "variants": leave it out')
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
    // Here they also have the keys of variants, including keys that may be of no variant.
    ...(payloads && { payloads }),
    ...onTheWire(others),
  }
  for (const name of Object.keys(written)) {
    if (name in ours) throw twice(propertyFor[name] ?? name, `filters.${name}`)
  }
  const all = { ...ours, ...written }
  if (Object.keys(all).length === 0) return undefined
  // Without conditions the service would give the flag to everybody.
  if (!('groups' in all)) throw new Error('nothing defines who gets the flag: give "release", [] for nobody')
  return all
}

function onTheWire(typed: Members): JsonObject {
  const present = Object.entries(typed).filter(([, value]) => value !== undefined)
  // Conditions and variants were read, so they contain texts, numbers and booleans, and references.
  return encodeFilters(Object.fromEntries(present) as JsonObject, 'as on the wire')
}

/** What code receives, by the key of the variant. */
function payloadsOf({ payload, payloads }: Targeting): Members | undefined {
  if (payload !== undefined && payloads !== undefined) throw twice('payload', 'payloads')
  if (payloads === undefined) return payload === undefined ? undefined : { true: payload }
  return Object.fromEntries(Object.entries(payloads).filter(([, each]) => each !== undefined))
}

function memberOf(members: Members = {}, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

/** The attribute takes these words for the state of another flag, and not for a variant with this name. */
function isTypedProperty({ type, value }: DescribedProperty): boolean {
  if (type !== 'flag' || typeof value === 'boolean') return true
  return value !== 'true' && value !== 'false' && !hasReference(value)
}

/** Properties of groups refer to the group type that the condition counts. */
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
  return new Error(`"${one}" and "${other}" mean the same: give one of them`)
}
