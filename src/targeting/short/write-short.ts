import {
  canonicalText,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../model/json/json.ts'
import {
  canonicalFilters,
  canonicalPayload,
  compactFilters,
  payloadValue,
  shownPayload,
} from '../canonical-filters.ts'
import { attributesOf, type TypedPartName } from '../typed-form.ts'
import { conditionNames } from './condition-names.ts'
import { expandProperties } from './expand-properties.ts'
import { expandShort } from './expand-short.ts'
import { type Naming, namedFilters, withTypeName } from './naming.ts'
import { nothingShared } from './short-context.ts'
import {
  isOrderedByItself,
  membersOfShort,
  releaseMembersIn,
  type ShortForm,
  shortMembers,
} from './short-form.ts'

export interface ShortOptions {
  /**
   * The names of the conditions, each unique. If absent, they are made from the properties, and a single
   * condition without properties is a percentage alone.
   */
  readonly names?: readonly string[]
  /** The names of cohorts and group types in the environment of the filters; they replace the numbers. */
  readonly naming?: Naming
}

/** The conditions of filters, as in their short form, with the names for them. */
export function conditionsOf(filters: Json, naming?: Naming): readonly Json[] {
  const compact = naming ? namedFilters(compactFilters(filters), naming.nameOf) : compactFilters(filters)
  return isJsonObject(compact) && isJsonArray(compact.groups) ? compact.groups : []
}

/**
 * The short form of filters. Undefined if it cannot express all of them: a member that no short form has, or
 * a value that would be read as another one.
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
export function isMeant(short: ShortForm, filters: Json, naming?: Naming): boolean {
  const context = naming ? { ...nothingShared, numberOf: naming.numberOf } : nothingShared
  const { filters: meant, isBroken } = expandShort(short, context)
  return !isBroken && isSameJson(canonicalFilters(meant), canonicalFilters(filters))
}

type Forms = Readonly<Record<string, (value: Json) => Json | undefined>>

/** The members of a part under the names of the typed form; undefined if one has none there. */
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
    // A name in place of the number of a type has a member of its own.
    written[name === 'group_type_index' && typeof formed === 'string' ? 'group_type' : name] = formed
    rest.delete(first)
  }
  return rest.size === 0 ? written : undefined
}

/** The percentage of a single condition without properties. */
export function shareOf(groups: Json): Json | undefined {
  if (!isJsonArray(groups) || groups.length !== 1) return undefined
  const [condition = null] = groups
  if (!isJsonObject(condition)) return undefined
  const { rollout_percentage: percent = 100, ...others } = condition
  return isJsonNumber(percent) && Object.keys(others).length === 0 ? percent : undefined
}

/** A map of conditions with names; nobody is an empty list, which is explicit. */
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
  // A condition without members means everybody, and an explicit form is clearer.
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
    // Whoever reads the map checks whether it means the same.
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

/** Payloads as plain JSON, if that is read back as the same, with the digits of its numbers. */
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
