import {
  canonicalText,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../model/text/json.ts'
import { mostCommon } from '../../model/text/text-layout.ts'
import {
  canonicalFilters,
  canonicalPayload,
  compactFilters,
  payloadValue,
  shownPayload,
} from '../canonical-filters.ts'
import { type Naming, namedFilters, withTypeName } from '../describe.ts'
import { attributesOf, type TypedPartName } from '../typed-form.ts'
import { expandProperties, expandShort } from './expand-short.ts'
import { type AlignOptions, alignConditions, conditionNames, mergeShort, overrideFor } from './merge-short.ts'
import {
  isOrderedByItself,
  membersOfShort,
  nothingShared,
  releaseMembersIn,
  type ShortForm,
  shortMembers,
} from './short-form.ts'

export interface ShortOptions {
  /**
   * The names of the conditions, each unique. If absent, names are made from the properties, and a single
   * condition without properties becomes a plain percentage.
   */
  readonly names?: readonly string[]
  /** The names of cohorts and group types in the environment of the filters, used in place of numbers. */
  readonly naming?: Naming
}

/** The conditions of filters in the short form, with names. */
function conditionsOf(filters: Json, naming?: Naming): readonly Json[] {
  const compact = naming ? namedFilters(compactFilters(filters), naming.nameOf) : compactFilters(filters)
  return isJsonObject(compact) && isJsonArray(compact.groups) ? compact.groups : []
}

/**
 * The short form of filters. Undefined if it cannot express all of them: a member without a short form, or a
 * value that would be read differently.
 */
export function shortOf(filters: Json, { names, naming }: ShortOptions = {}): ShortForm | undefined {
  const compact = compactFilters(filters)
  const spellings = naming ? [namedFilters(compact, naming.nameOf), compact] : [compact]
  const called = names ?? conditionNames(conditionsOf(filters, naming))
  return spellings
    .map(spelling => shortIn(spelling, called, names === undefined))
    .find(short => short !== undefined && isMeant(short, filters, naming))
}

function shortIn(compact: Json, names: readonly string[], mayBeShare: boolean): ShortForm | undefined {
  if (!isJsonObject(compact)) return undefined
  const { payloads, ...others } = compact
  const short = renamed('filters', others, {
    release: groups =>
      isJsonArray(groups) && !(mayBeShare && shareOf(groups) !== undefined)
        ? shortRelease(groups, others, names)
        : undefined,
    rollout_percentage: groups => (mayBeShare ? shareOf(groups) : undefined),
    variants: shortVariants,
  })
  if (!short || releaseMembersIn(short).length === 0) return undefined
  return payloads === undefined ? short : { ...short, payloads: shortPayloads(payloads) }
}

/** Whether a short form means these filters in their environment. */
function isMeant(short: ShortForm, filters: Json, naming?: Naming): boolean {
  const context = naming ? { ...nothingShared, numberOf: naming.numberOf } : nothingShared
  const { filters: meant, isBroken } = expandShort(short, context)
  return !isBroken && isSameJson(canonicalFilters(meant), canonicalFilters(filters))
}

type Forms = Readonly<Record<string, (value: Json) => Json | undefined>>

/** The members of a part under the names of the typed form; undefined if one has no name there. */
function renamed(
  part: Exclude<TypedPartName, 'property'>,
  wire: JsonObject,
  forms: Forms = {},
): JsonObject | undefined {
  const written: Record<string, Json> = {}
  const rest = new Set(Object.keys(wire))
  const names = part === 'filters' ? shortMembers : membersOfShort(part)
  for (const name of names) {
    const [first, ...inside] = attributesOf(part)[name]?.at ?? ['']
    const outer = wire[first]
    if (outer === undefined) continue
    const value = inside.reduce<Json | undefined>(
      (each, step) => (isJsonObject(each) && Object.keys(each).length === 1 ? each[step] : undefined),
      outer,
    )
    const form = forms[name]
    const formed = value === undefined ? undefined : form ? form(value) : value
    if (formed === undefined) continue
    // The name of a group type has its own member.
    written[name === 'group_type_index' && typeof formed === 'string' ? 'group_type' : name] = formed
    rest.delete(first)
  }
  return rest.size === 0 ? written : undefined
}

/** The percentage of a single condition without properties. */
function shareOf(groups: Json): Json | undefined {
  if (!isJsonArray(groups) || groups.length !== 1) return undefined
  const [condition = null] = groups
  if (!isJsonObject(condition)) return undefined
  const { rollout_percentage: percent = 100, ...others } = condition
  return isJsonNumber(percent) && Object.keys(others).length === 0 ? percent : undefined
}

/** A map of conditions by name. Nobody is an empty list, which is explicit. */
function shortRelease(groups: readonly Json[], filters: JsonObject, names: readonly string[]): Json {
  if (groups.length === 0) return []
  return Object.fromEntries(
    groups.map((group, index) => [names[index], shortCondition(group, filters)] as const),
  )
}

function shortCondition(condition: Json, filters: JsonObject): Json {
  if (!isJsonObject(condition)) return condition
  const { properties, ...others } = condition
  const written = renamed('condition', others)
  // A condition without members means everybody, but an explicit form is clearer.
  if (written && Object.keys(condition).length === 0) return { rollout_percentage: 100 }
  if (!written || properties === undefined) return written ?? condition
  const groupType = condition.aggregation_group_type_index ?? filters.aggregation_group_type_index ?? null
  return { properties: shortProperties(properties, groupType), ...written }
}

/** A map if it means the same properties in the same order, otherwise the list. */
function shortProperties(properties: Json, groupType: Json): Json {
  const map = propertyMap(properties)
  const inFull = isJsonArray(properties) ? properties.map(withTypeName) : properties
  if (!map) return inFull
  const { properties: meant, problems } = expandProperties(map, groupType, '')
  const read = { groups: [{ properties: meant.map(({ property }) => property) }] }
  const isSame = isSameJson(canonicalFilters(read), canonicalFilters({ groups: [{ properties }] }))
  return problems.length === 0 && isSame ? map : inFull
}

function propertyMap(properties: Json): JsonObject | undefined {
  if (!isJsonArray(properties)) return undefined
  const map = new Map<string, Json>()
  for (const property of properties) {
    if (!isJsonObject(property) || typeof property.key !== 'string') return undefined
    const { operator = 'exact', value = null } = property
    if (typeof operator !== 'string') return undefined
    // The caller checks whether the map means the same.
    const key = property.type === 'cohort' ? 'cohort' : property.key
    const known = map.get(key)
    const isPlain = operator === 'exact' && known === undefined && !isJsonObject(value) && value !== null
    const inside = known === undefined ? {} : isJsonObject(known) ? known : { exact: known }
    if (Object.hasOwn(inside, operator)) return undefined
    map.set(key, isPlain ? value : { ...inside, [operator]: value ?? true })
  }
  return Object.fromEntries(map)
}

function shortVariants(variants: Json): Json | undefined {
  if (!isJsonArray(variants)) return undefined
  const keys = variants.map(variant => (isJsonObject(variant) ? variant.key : undefined))
  const texts = keys.filter(key => typeof key === 'string')
  const canBeMap = texts.length === variants.length && new Set(texts).size === texts.length
  const written = variants.map(variant => (isJsonObject(variant) ? renamed('variant', variant) : undefined))
  if (written.includes(undefined)) return undefined
  if (!canBeMap || (texts.length > 1 && texts.some(isOrderedByItself))) return variants
  const entries = written.map((variant = {}) => {
    const { key, ...others } = variant
    const { rollout_percentage: percent } = others
    return [
      String(key),
      Object.keys(others).length === 1 && percent !== undefined ? percent : others,
    ] as const
  })
  return Object.fromEntries(entries)
}

/** Payloads as plain JSON, if that is read back as the same value, with the digits of its numbers. */
function shortPayloads(payloads: Json): Json {
  if (!isJsonObject(payloads)) return payloads
  const values = Object.entries(payloads).map(([key, payload]) => {
    const value = payloadValue(payload)
    const isSame =
      value !== null &&
      canonicalPayload(value) === canonicalPayload(payload) &&
      canonicalText(value) === canonicalText(shownPayload(payload))
    return [key, isSame ? value : payload] as const
  })
  return Object.fromEntries(values)
}

/** The common part of several filters, and the override for each; empty if there are no differences. */
export interface SharedShort {
  readonly shared: ShortForm
  readonly overrides: readonly ShortForm[]
}

/**
 * Several filters as one short form and an override for each. The most frequent filters become the shared
 * form; if several are equally frequent, those with the fewest overrides that replace a whole release, and
 * then the last ones. Similar conditions have the same name in all filters, so that overrides merge by name.
 * If the order of conditions or variants prevents that, an override lists all of them. Cohorts and group
 * types with names are compared by name, even if their numbers differ. Undefined if one of the filters has no
 * short form.
 */
export function sharedShort(
  all: readonly Json[],
  namings: readonly (Naming | undefined)[] = [],
): SharedShort | undefined {
  const places = all.map((filters, index) => placeOf(filters, namings[index]))
  if (places.some(({ filters, ...options }) => shortOf(filters, options) === undefined)) return undefined
  const conditions = places.map(({ filters, naming }) => conditionsOf(filters, naming))
  const areShares = conditions.every(each => shareOf(each) !== undefined)
  let best: (SharedShort & { readonly replaced: number }) | undefined
  for (const index of mostCommon(places.map(comparedBy)))
    for (const byPosition of [false, true]) {
      const found = sharedWith(places, conditions, index, { byPosition, areShares })
      if (found && (!best || found.replaced < best.replaced)) best = found
      if (best?.replaced === 0) return best
    }
  return best
}

function sharedWith(
  places: readonly Place[],
  conditions: readonly (readonly Json[])[],
  index: number,
  { areShares, ...options }: AlignOptions & { readonly areShares: boolean },
): (SharedShort & { readonly replaced: number }) | undefined {
  const known = conditions[index] ?? []
  const aligned = conditions.map(others => alignConditions(known, others, options))
  const names = conditionNames(
    known.map((condition, position) =>
      commonCondition(
        condition,
        conditions.map((others, which) => others[aligned[which]?.indexOf(position) ?? -1]),
      ),
    ),
  )
  const write = ({ filters, ...options }: Place, called: readonly string[]) =>
    shortOf(filters, areShares ? options : { ...options, names: called })
  const base = places[index]
  const shared = base && write(base, names)
  if (!shared) return undefined
  let replaced = 0
  const overrides: ShortForm[] = []
  for (const [which, place] of places.entries()) {
    const own = namesWithin(conditions[which] ?? [], aligned[which] ?? [], names)
    const wanted = write(place, own) ?? {}
    const override = overrideFor(shared, wanted)
    if (!override) replaced += 1
    const each = override ?? overrideFor(shared, inLists(wanted))
    if (!each || !isMeant(mergeShort([shared, each]).value, place.filters, place.naming)) return undefined
    overrides.push(each)
  }
  return { shared, overrides, replaced }
}

/** Filters, with the names of cohorts and group types in their environment. */
interface Place {
  readonly filters: Json
  readonly naming?: Naming
}

function placeOf(filters: Json, naming: Naming | undefined): Place {
  return naming ? { filters, naming } : { filters }
}

/** Equal if the filters are equal; names replace numbers. */
function comparedBy({ filters, naming }: Place): string {
  // The canonical form has texts in place of numbers.
  const named = naming ? namedFilters(compactFilters(filters), naming.nameOf) : filters
  return canonicalText(canonicalFilters(named))
}

/** The names of conditions: a condition that equals a known one gets its name, others a free name. */
function namesWithin(
  conditions: readonly Json[],
  aligned: readonly (number | undefined)[],
  known: readonly string[],
): string[] {
  const taken = new Set(known)
  return conditionNames(conditions).map((name, position) => {
    const same = known[aligned[position] ?? -1]
    if (same !== undefined) return same
    let free = name
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`
    taken.add(free)
    return free
  })
}

/** The condition that a name is made from: the common part of all conditions with this name. */
function commonCondition(condition: Json, others: readonly (Json | undefined)[]): Json {
  const asked = [condition, ...others.filter(other => other !== undefined)].map(propertiesOf)
  const [first = [], ...rest] = asked
  if (rest.every(properties => canonicalText(properties) === canonicalText(first))) return condition
  const isAlike = rest.every(properties => keysOf(properties) === keysOf(first))
  // These have nothing in common, so the name is just `condition`.
  if (!isAlike) return { properties: [{ key: 'condition' }] }
  const properties = first.map(property => (isJsonObject(property) ? { ...property, value: [] } : property))
  return { properties }
}

function propertiesOf(condition: Json): readonly Json[] {
  const properties = isJsonObject(condition) ? condition.properties : undefined
  return properties !== undefined && isJsonArray(properties) ? properties : []
}

function keysOf(properties: readonly Json[]): string {
  return canonicalText(properties.map(property => (isJsonObject(property) ? (property.key ?? null) : null)))
}

/** The short form with lists, which replace lower lists and keep their own order. */
export function inLists(short: ShortForm): ShortForm {
  const { release = null, variants } = short
  return {
    ...short,
    ...(isJsonObject(release) ? { release: Object.values(release) } : {}),
    ...(variants !== undefined && isJsonObject(variants)
      ? { variants: Object.entries(variants).map(([key, variant]) => listedVariant(key, variant)) }
      : {}),
  }
}

function listedVariant(key: string, variant: Json): JsonObject {
  return { key, ...(isJsonObject(variant) ? variant : { rollout_percentage: variant }) }
}

/** A short form that should express other filters. */
export interface Rewriting {
  readonly written: ShortForm
  /** The filters that it currently expresses. */
  readonly before: Json
  readonly naming?: Naming | undefined
}

/**
 * The short form of new filters, based on an existing short form: a condition with the same properties keeps
 * its name. Undefined if there is none.
 */
export function rewriteShort(
  filters: Json,
  { written: { release }, before, naming }: Rewriting,
): ShortForm | undefined {
  const options = naming ? { naming } : {}
  if (release === undefined) return shortOf(filters, options)
  const [known, conditions] = [before, filters].map(each => conditionsOf(each, naming))
  if (!known || !conditions) return undefined
  const written = isJsonObject(release) ? Object.keys(release) : []
  const called = written.length === known.length ? written : conditionNames(known)
  const names = namesWithin(conditions, alignConditions(known, conditions), called)
  return shortOf(filters, { ...options, names })
}
