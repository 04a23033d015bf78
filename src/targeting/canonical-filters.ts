import { doubleOf } from '../hcl/json.ts'
import { oncePer } from '../model/runtime.ts'
import {
  canonicalText,
  formMembers,
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonArray,
  type JsonObject,
  pickMembers,
} from '../model/text/json.ts'
import { readJsonAsWritten, readJsonIfAny } from '../model/text/json-text.ts'
import { canonicalProperty, compactProperty } from './compare/meaning.ts'
import { filterParts } from './filter-parts.ts'
import { hasConditions, withConditions } from './release.ts'

/** The default condition of the service: everybody. */
const everybody: JsonObject = { groups: [{}] }

/**
 * The canonical form of filters, used to compare them. Null, `{}` and `[]` count as absent, except in a
 * property's own value and in `groups`. No conditions at all means nobody, and so does one condition for 0%
 * of everybody. Filters without `groups` are one condition that everybody matches, except in an old form
 * (`withConditions`). The groups that conditions count have one spelling (`withTidyGroupTypes`). A switch
 * that is off is removed. Payloads are compared as JSON, whether they travel as values or as text; properties
 * as in `canonicalProperty`. The order of conditions and of variants is kept, since it decides who gets what.
 */
export function canonicalFilters(value: Json): Json {
  return isJsonObject(value) ? canonicalOf(compactedFrom.get(value) ?? value) : canonicalFormOf(value)
}

/** Planning and making one change needs the canonical form of the same value about twelve times. */
const canonicalOf = oncePer<JsonObject, Json>(canonicalFormOf)

function canonicalFormOf(value: Json): Json {
  const forms = {
    property: canonicalProperty,
    payload: canonicalPayload,
    release: canonicalRelease,
    percent: canonicalPercent,
  }
  const filters = formOf(value, forms)
  if (!isJsonObject(filters) || !isJsonArray(filters.groups)) return filters
  return filters.groups.length === 0
    ? { ...filters, groups: [{ rollout_percentage: 0 }] }
    : withTidyGroupTypes(filters)
}

/**
 * Whether filters are equal except for members without meaning, which the service adds. A fast test without
 * the canonical forms. False if only the canonical forms can decide.
 */
export function areSurelySameFilters(one: Json, other: Json): boolean {
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const [left, right] = [compactedFrom.get(one) ?? one, compactedFrom.get(other) ?? other]
  // Without conditions, the old form and the empty one matter.
  if (!isJsonArray(left.groups) || !isJsonArray(right.groups)) return false
  return areSameBut(left, right, isLeftOut) && areSameConditions(left.groups, right.groups)
}

function areSameConditions(left: JsonArray, right: JsonArray): boolean {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index++) {
    const [one, other] = [left[index] as Json, right[index] as Json]
    const isSame =
      isJsonObject(one) && isJsonObject(other)
        ? areSameBut(one, other, isLeftOutOfCondition)
        : isSameJson(one, other)
    if (!isSame) return false
  }
  return true
}

/** Whether a member of filters has no meaning. Conditions are compared one by one elsewhere. */
function isLeftOut(name: string, value: Json): boolean {
  return name === 'groups' || isEmptyJson(value)
}

/** Whether a member of a condition has no meaning: there, 100% has none either (`canonicalRelease`). */
function isLeftOutOfCondition(name: string, value: Json): boolean {
  return isEmptyJson(value) || (name === 'rollout_percentage' && value === 100)
}

/** Whether the members of two objects are equal, ignoring members that are absent from both. */
function areSameBut(
  left: JsonObject,
  right: JsonObject,
  leavesOut: (name: string, value: Json) => boolean,
): boolean {
  for (const name in left) {
    const [one = null, other = null] = [left[name], Object.hasOwn(right, name) ? right[name] : null]
    if (!isSameJson(one, other) && !(leavesOut(name, one) && leavesOut(name, other))) return false
  }
  for (const name in right) {
    if (!Object.hasOwn(left, name) && !leavesOut(name, right[name] ?? null)) return false
  }
  return true
}

function without(value: JsonObject, name: string): JsonObject {
  return pickMembers(value, (_, member) => member !== name)
}

/** Filters for display and for files: without members that have no meaning, all else as written. */
export function compactFilters(value: Json): Json {
  return isJsonObject(value) ? compactOf(value) : compactFormOf(value)
}

/** The description, the checks and the record of a change all need the compact form of the same value. */
const compactOf = oncePer((value: JsonObject): Json => {
  if (compactedFrom.has(value)) return value
  const compacted = compactFormOf(value)
  if (isJsonObject(compacted)) compactedFrom.set(compacted, value)
  return compacted
})

/** The original of each compact value. Both have the same canonical form. */
const compactedFrom = new WeakMap<JsonObject, JsonObject>()

function compactFormOf(value: Json): Json {
  const property = (each: Json) => (isJsonObject(each) ? compactProperty(each) : each)
  const percent = (each: Json) => each
  return formOf(value, { property, payload: payloadText, release: percent, percent })
}

/**
 * Filters as they are sent: as declared, but always with `groups` (without them the service ignores or refuses the
 * whole value) and with payloads as JSON text. [service-behaviour 2.2, 2.3, 2.5]
 */
export function wireFilters(value: Json): Json {
  if (!isJsonObject(value)) return isEmptyJson(value) ? everybodyOnTheWire() : value
  const current = withConditions(value)
  const filters: JsonObject = hasConditions(current) ? current : { ...current, ...everybodyOnTheWire() }
  const { payloads = null } = filters
  return isJsonObject(payloads) ? { ...filters, payloads: mapMembers(payloads, payloadText) } : filters
}

/**
 * Filters as they are written over live ones. Every member that decides who gets what is included, since a
 * service that merges keeps absent members. A member that is live but not declared is sent as null: today's
 * service accepts null for every member that it knows. If it does not know the member, a refusal is better
 * than a member that still decides who gets what. A new flag has at least one condition: without any, the
 * service refuses it, or releases it to everybody or nobody. Payloads that are live as null are encrypted, or
 * there are none: both stay if they are absent. [service-behaviour 2.2, 2.3; service-today 2, 3]
 */
export function completeFilters(value: Json, live: Json | undefined): Json {
  const filters = wireFilters(value)
  if (!isJsonObject(filters)) return filters
  const others = isJsonObject(live) ? Object.keys(live).map(name => [name, null] as const) : []
  const isForNobody = live === undefined && isJsonArray(filters.groups) && filters.groups.length === 0
  const complete = {
    ...filters,
    ...(isForNobody ? { groups: [{ properties: [], rollout_percentage: 0 }] } : {}),
    ...pickMembers(
      { ...Object.fromEntries(others), ...silence },
      (_, name) => (filters[name] ?? null) === null,
    ),
  }
  const isSealed = isJsonObject(live) && live.payloads === null && isEmptyJson(filters.payloads)
  return isSealed ? without(complete, 'payloads') : complete
}

/** The values of members that decide who gets what, when they are not declared. */
const silence: JsonObject = { multivariate: null, payloads: {}, aggregation_group_type_index: null }

function everybodyOnTheWire(): JsonObject {
  return { groups: [{ properties: [], rollout_percentage: null }] }
}

interface Forms {
  readonly property: (property: Json) => Json
  readonly payload: (payload: Json) => Json
  /** The form of the percentage of a condition. */
  readonly release: (percent: Json) => Json
  /** The form of the percentage of a variant. */
  readonly percent: (percent: Json) => Json
}

function formOf(filters: Json, { property, payload, release, percent }: Forms): Json {
  if (!isJsonObject(filters)) return isEmptyJson(filters) ? everybody : filters
  const value = withConditions(pickMembers(filters, (member, name) => !isOff(name, member)))
  const condition: MemberForms = {
    properties: properties => mapArray(properties, property),
    rollout_percentage: release,
  }
  const compacted = compact(value, {
    groups: groups => mapArray(groups, each => compact(each, condition)),
    multivariate: multivariate =>
      compact(multivariate, {
        variants: variants => mapArray(variants, each => compact(each, { rollout_percentage: percent })),
      }),
    payloads: payloads => mapMembers(payloads, payload),
  })
  if ('groups' in compacted) return compacted
  return { ...compacted, ...(isJsonArray(value.groups) ? { groups: [] } : everybody) }
}

/** The service calculates and shows percentages as doubles, so a third with many digits is the same third. */
export function canonicalPercent(percent: Json): Json {
  return doubleOf(percent) ?? percent
}

/** 100% means the same as null: services since 2025 replace one by the other. [service-today 2] */
function canonicalRelease(percent: Json): Json {
  const canonical = canonicalPercent(percent)
  return canonical === 100 ? null : canonical
}

type MemberForms = Readonly<Record<string, (value: Json) => Json>>

/** Applies its form to each member that has one, then removes empty members. */
function compact<Value extends Json>(value: Value, forms: MemberForms): Value | JsonObject {
  if (!isJsonObject(value)) return value
  return formMembers(value, (member, name) => {
    // A member may have the name "constructor", which every object inherits.
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined
    const formed = form ? form(member) : member
    return isEmptyJson(formed) ? undefined : formed
  })
}

/** Whether the member is a switch with the value `false`, which means the same as an absent switch. */
function isOff(name: string, value: Json): boolean {
  return value === false && switches.has(name)
}

const switches: ReadonlySet<string> = new Set(
  Object.entries(filterParts.filters.members).flatMap(([name, { takes }]) =>
    takes.is === 'truth' ? [name] : [],
  ),
)

function mapMembers(value: Json, form: (member: Json) => Json): Json {
  return isJsonObject(value) ? formMembers(value, form) : value
}

function mapArray(value: Json, form: (element: Json) => Json): Json {
  return isJsonArray(value) ? value.map(form) : value
}

/**
 * One payload as it is sent. Text that is JSON stays unchanged; everything else is sent as JSON text. Text
 * that is not JSON is sent as a JSON string.
 */
export function payloadText(payload: Json): string {
  return typeof payload === 'string' && isJsonText(payload) ? payload : canonicalText(payload)
}

/** A text that is equal for two payloads if and only if code receives the same value. */
export function canonicalPayload(payload: Json): string {
  return canonicalText(payloadValue(payload))
}

/** One payload as the value that code receives, every number with all its digits. */
export function payloadValue(payload: Json): Json {
  if (typeof payload !== 'string') return payload
  const value = readJsonIfAny(payload)
  return value === undefined ? payload : value
}

/** One payload for display: the value that code receives, with its numbers as they are sent. */
export function shownPayload(payload: Json): Json {
  return typeof payload === 'string' && isJsonText(payload) ? readJsonAsWritten(payload) : payload
}

export function isJsonText(text: string): boolean {
  return readJsonIfAny(text) !== undefined
}

/**
 * Which type of groups each condition counts: its own, or else that of the flag. Newer services write it into
 * every condition, and above them if all conditions agree. So the same filters have several spellings.
 * [service-today 2]
 *
 * | all conditions count | written          |
 * |----------------------|------------------|
 * | the same groups      | once, above them |
 * | persons              | nowhere          |
 * | various groups       | in each of them  |
 */
export function withTidyGroupTypes(filters: JsonObject): JsonObject {
  const types = groupTypesOf(filters)
  return types.length === 0 ? filters : spelled(filters, commonOf(types))
}

/**
 * The same filters, with group types at the places where the other filters have them: above the conditions,
 * or in each. Only the members about groups change. `partnerOf` finds the other condition for a condition.
 */
export function withGroupTypesAs(
  filters: JsonObject,
  model: JsonObject,
  partnerOf: (index: number) => number | undefined = index => index,
): JsonObject {
  const types = groupTypesOf(filters)
  if (types.length === 0) return filters
  const above = model[aggregation] ?? null
  const isAbove = types.every(type => type !== null) && types.some(type => isSameJson(type, above))
  const others = conditionsOf(model).map(condition => ownType(condition) !== null)
  const isInside = others.includes(true)
  return spelled(
    filters,
    isAbove ? above : isInside ? null : commonOf(types),
    index => isInside && others[partnerOf(index) ?? -1] === true,
  )
}

/** The group type that a condition itself has; null if it has none. */
export function ownType(condition: Json): Json {
  return isJsonObject(condition) ? (condition[aggregation] ?? null) : null
}

/** What each condition counts: the index of a group type, or null for persons. */
function groupTypesOf(filters: JsonObject): readonly Json[] {
  const above = filters[aggregation] ?? null
  return conditionsOf(filters).map(condition => ownType(condition) ?? above)
}

const aggregation = 'aggregation_group_type_index'

function conditionsOf({ groups }: JsonObject): readonly Json[] {
  return isJsonArray(groups) ? groups : []
}

function commonOf([first = null, ...others]: readonly Json[]): Json {
  return others.every(each => isSameJson(each, first)) ? first : null
}

/** With one type above, and in conditions only other types. `repeats`: those that repeat it. */
function spelled(
  filters: JsonObject,
  above: Json,
  repeats: (index: number) => boolean = () => false,
): JsonObject {
  const types = groupTypesOf(filters)
  const groups = conditionsOf(filters).map((condition, index) => {
    const type = types[index] ?? null
    const isWritten = type !== null && (!isSameJson(type, above) || repeats(index))
    return isJsonObject(condition) ? withMember(condition, isWritten ? type : null) : condition
  })
  return { ...withMember(filters, above), groups }
}

/** The object with the member set; an existing member keeps its position. */
function withMember(members: JsonObject, type: Json): JsonObject {
  if (type !== null) return { ...members, [aggregation]: type }
  if (!(aggregation in members)) return members
  const { [aggregation]: _, ...others } = members
  return others
}
