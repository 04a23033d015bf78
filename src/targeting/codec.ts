import { sortedUnique } from '../model/canonical.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../model/text/json.ts'
import { keepSpelling, type Spelled } from '../model/text/json-text.ts'
import { canonicalFilters, compactFilters, payloadText } from './canonical-filters.ts'
import { keyOf, partnersOf, respelledPayload } from './compare/align.ts'
import { withConditions } from './release.ts'
import {
  attributeOf,
  partOf,
  rowsOf,
  type TypedAttribute,
  type TypedPartName,
  typedForm,
} from './typed-form.ts'

/**
 * The kind of input: attributes of a configuration (values are texts, members have no order), or values and
 * members in their wire form.
 */
export type Given = 'attributes' | 'as on the wire'

/**
 * The filters for a typed form. Null counts as absent. Everything else is kept, so that a check finds
 * mistakes in it: a null condition is not a condition for everybody.
 */
export function encodeFilters(typed: JsonObject, given: Given = 'attributes'): JsonObject {
  return nested(membersOf('filters', typed, given))
}

/**
 * The closest typed form of filters, each attribute with its type. Values without a typed form become null. A
 * caller that needs all of the filters has to compare the result with them.
 */
export function decodeFilters(filters: JsonObject): JsonObject {
  return decodePart('filters', filters, filters)
}

interface Member {
  readonly path: readonly string[]
  readonly value: Json
  readonly byKey?: true
}

function membersOf(part: TypedPartName, typed: JsonObject, given: Given): Member[] {
  const members: Member[] = []
  for (const name of namesOf(part, typed, given)) {
    const attribute = attributeOf(part, name)
    const value = typed[name] ?? (given === 'attributes' ? absentValue(attribute) : null)
    if (value === null || attribute?.byKey) continue
    if (attribute) members.push(...attributeMembers(attribute, value, typed, given))
    else members.push({ path: [name], value })
  }
  return members
}

function attributeMembers(attribute: TypedAttribute, value: Json, typed: JsonObject, given: Given): Member[] {
  const { at: path, encode } = attribute
  const of = partOf(attribute)
  if (!of || !isJsonArray(value))
    return [{ path, value: encode && given === 'attributes' ? encode(value, typed) : value }]
  // A value that is not an object stays unchanged.
  const encoded = value.map(each => (isJsonObject(each) ? nested(membersOf(of, each, given)) : each))
  return [{ path, value: encoded }, ...membersByKey(of, value)]
}

/** Values that filters store at the top, under the keys of parts. */
function membersByKey(part: TypedPartName, list: readonly Json[]): Member[] {
  const byKey = rowsOf(part).filter(([, attribute]) => attribute.byKey)
  if (byKey.length === 0) return []
  return list.flatMap(typed => {
    const key = isJsonObject(typed) ? typed.key : undefined
    if (!isJsonObject(typed) || typeof key !== 'string') return []
    return byKey.flatMap(([name, { at }]): Member[] => {
      const value = typed[name] ?? null
      return value === null ? [] : [{ path: [...at, key], value, byKey: true }]
    })
  })
}

function namesOf(part: TypedPartName, typed: JsonObject, given: Given): readonly string[] {
  const present = Object.keys(typed)
  if (given !== 'attributes') return present
  return [...rowsOf(part).map(([name]) => name), ...present.filter(name => !attributeOf(part, name))]
}

/** The wire value of an absent attribute. */
function absentValue(attribute: TypedAttribute | undefined): Json {
  return attribute?.orEmpty ? '' : (attribute?.byDefault ?? null)
}

/** Members as nested objects, those by key after the others; if two have one place, the last counts. */
function nested(members: readonly Member[]): JsonObject {
  // Only attributes of filters themselves can have other places; most attributes are in parts.
  if (members.every(({ path }) => path.length === 1))
    return Object.fromEntries(members.map(({ path, value }) => [path[0], value]))
  const byName = new Map<string, Member[]>(members.map(({ path: [name = ''] }) => [name, []]))
  const inOrder = [...members.filter(({ byKey }) => !byKey), ...members.filter(({ byKey }) => byKey)]
  for (const { path, value } of inOrder) {
    const [name = '', ...rest] = path
    byName.get(name)?.push({ path: rest, value })
  }
  const entries = [...byName].map(([name, inside]) => {
    const whole = inside.findLast(({ path }) => path.length === 0)
    return [name, whole ? whole.value : nested(inside)] as const
  })
  return Object.fromEntries(entries)
}

function decodePart(part: TypedPartName, wire: JsonObject, filters: JsonObject): JsonObject {
  const typed: Record<string, Json> = {}
  for (const [name, attribute] of rowsOf(part)) {
    const { at, byKey, byDefault, orEmpty } = attribute
    const value = byKey ? valueByKey(wire.key, at, filters) : valueAt(wire, at)
    const decoded = decodedAs(attribute, value, filters)
    typed[name] = orEmpty ? (decoded ?? '') : decoded === byDefault ? null : decoded
  }
  return typed
}

function decodedAs(attribute: TypedAttribute, value: Json, filters: JsonObject): Json {
  const of = partOf(attribute)
  if (attribute.decode) return attribute.decode(value)
  if (!of) return plainly(attribute, value)
  if (!isJsonArray(value) || (attribute.emptyIsNothing && value.length === 0)) return null
  return value.map(each => (isJsonObject(each) ? decodePart(of, each, filters) : null))
}

/** The wire value of an attribute without its own rule; null if the value has another type. */
function plainly({ is }: TypedAttribute, value: Json): Json {
  switch (is) {
    case 'number':
      return isJsonNumber(value) ? value : null
    case 'json':
      // A payload stays text, so that its numbers are never rounded.
      return value === null ? null : payloadText(value)
    case 'truth':
      return typeof value === 'boolean' ? value : null
    default:
      return typeof value === 'string' ? value : null
  }
}

function valueByKey(key: Json | undefined, path: readonly string[], filters: JsonObject): Json {
  return typeof key === 'string' ? valueAt(filters, [...path, key]) : null
}

function valueAt(object: JsonObject, path: readonly string[]): Json {
  return path.reduce<Json>(
    (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null),
    object,
  )
}

/**
 * The typed form, spelled like `model` in all parts that mean the same: `type` and `operator` present or
 * absent, one value or a list with one value, the order inside a payload. So a reader sees only real changes
 * between the two.
 */
export function keepTyped(typed: JsonObject, model: JsonObject): JsonObject {
  const kept = keepSpelling(typed, model, spelled('filters'))
  return isJsonObject(kept) ? kept : typed
}

/** The typed form with a percentage of everybody in place of equal conditions, if `model` has it. */
export function withShort(typed: JsonObject, model: JsonObject): JsonObject {
  const { release = null, rollout_percentage: was = null } = model
  if (release !== null || was === null || !isJsonArray(typed.release)) return typed
  const [condition = { rollout_percentage: 0 }] = typed.release
  const percent = isJsonObject(condition) ? (condition.rollout_percentage ?? 100) : null
  const short = { ...typed, release: null, rollout_percentage: percent }
  return isSameTyped('filters', short, typed) ? short : typed
}

/** Two attributes of a part that mean the same and are both set; the longer form first. */
export function givenTwice(
  part: TypedPartName,
  isGiven: (name: string) => boolean,
): readonly [string, string] | undefined {
  for (const [name, { shortFor }] of rowsOf(part))
    if (shortFor !== undefined && isGiven(shortFor) && isGiven(name)) return [shortFor, name]
  return undefined
}

/** Whether two parts of the typed form mean the same, without their context. */
export function isSameTyped(part: TypedPartName, one: JsonObject, other: JsonObject): boolean {
  return canonicalText(canonicalPart(part, one)) === canonicalText(canonicalPart(part, other))
}

function spelled(part: TypedPartName): Spelled {
  return {
    canonical: typed => (isJsonObject(typed) ? canonicalPart(part, typed) : typed),
    members: Object.fromEntries(
      rowsOf(part).map(([name, attribute]) => [name, spelledAttribute(part, name, attribute)]),
    ),
    together: inOnePlace(part),
  }
}

function spelledAttribute(part: TypedPartName, name: string, attribute: TypedAttribute): Spelled {
  const alone = (value: Json) => canonicalPart(part, { [name]: value })
  const of = partOf(attribute)
  if (of) return { canonical: alone, elements: { of: spelled(of), pair: pairedBy(of) } }
  switch (attribute.is) {
    // The part decides whether the order matters.
    case 'texts':
      return { canonical: sortedUnique, isSet: true }
    case 'json':
      return { canonical: value => canonicalFilters({ payloads: { value } }), respell: respelledPayload }
    case 'truth':
      return { canonical: alone }
    default:
      return { canonical: value => value }
  }
}

function pairedBy(part: TypedPartName) {
  const keys = [(each: Json) => canonicalText(isJsonObject(each) ? canonicalPart(part, each) : each)]
  const isNamed = rowsOf(part).some(([name]) => name === 'key')
  return (list: readonly Json[], models: readonly Json[]) =>
    partnersOf(list, models, isNamed ? [...keys, keyOf] : keys)
}

/** Attributes that share one place on the wire; at most one of them has a value. */
function inOnePlace(part: TypedPartName): readonly (readonly string[])[] {
  const places = new Set(rowsOf(part).map(([, { at }]) => at.join('/')))
  const unitAt = (place: string) =>
    rowsOf(part).flatMap(([name, { at }]) => (at.join('/') === place ? [name] : []))
  return [...places].map(unitAt).filter(names => names.length > 1)
}

function canonicalPart(part: TypedPartName, typed: JsonObject): Json {
  const outer = outerOf(part)
  return outer ? canonicalPart(outer.part, { [outer.name]: [typed] }) : canonicalFilters(encodeFilters(typed))
}

/** The attribute that contains a list of such parts. */
function outerOf(part: TypedPartName): { readonly part: TypedPartName; readonly name: string } | undefined {
  for (const outer of Object.keys(typedForm) as TypedPartName[]) {
    const [name] = rowsOf(outer).find(([, attribute]) => partOf(attribute) === part) ?? []
    if (name !== undefined) return { part: outer, name }
  }
  return undefined
}

/**
 * The typed form that expresses all of filters, with every attribute present. A share of everybody has its
 * own attribute. So does a condition without limits, which otherwise looks like one with misspelt names.
 * Undefined if the typed form cannot express everything, or the filters do not define who gets the flag. The
 * import of a flag and the writer of its configuration both use this, so they choose the same attributes.
 */
export function wholeTyped(filters: Json): JsonObject | undefined {
  if (!isJsonObject(filters)) return undefined
  const compact = compactFilters(withConditions(filters))
  if (!isJsonObject(compact)) return undefined
  const decoded = decodeFilters(compact)
  if (decoded.release === null) return undefined
  const typed = withoutEmpty(withShort(decoded, shareOfEverybody))
  return isSameJson(canonicalFilters(encodeFilters(typed)), canonicalFilters(filters)) ? typed : undefined
}

function withoutEmpty(typed: JsonObject): JsonObject {
  const { release = null } = typed
  if (!isJsonArray(release)) return typed
  return { ...typed, release: release.map(each => (isJsonObject(each) ? sayingEverybody(each) : each)) }
}

/** Adds the attribute for everybody to a condition without limits, if that is its meaning. */
export function sayingEverybody<Condition extends object>(
  condition: Condition,
): Condition & { readonly rollout_percentage?: number } {
  return isEmptyCondition(condition) ? { ...condition, rollout_percentage: 100 } : condition
}

/** Whether a typed condition limits nobody. A description or an empty list of properties is not a limit. */
export function isEmptyCondition(condition: object): boolean {
  return Object.entries(condition).every(
    ([name, value]) =>
      name === 'description' || value === null || (Array.isArray(value) && value.length === 0),
  )
}

const shareOfEverybody = { release: null, rollout_percentage: 100 }
