import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { payloadText } from '../payload.ts'
import { attributeOf, partOf, rowsOf, type TypedAttribute, type TypedPartName } from './typed-form.ts'

/**
 * What is given: the attributes of a configuration, whose values are texts and whose members are in no order, or values
 * and members as they shall be on the wire.
 */
export type Given = 'attributes' | 'as on the wire'

/**
 * The filters that the typed form amounts to. Null is what is left out; everything else arrives, so that a check finds
 * what is wrong with it: a condition that is null is none that everybody matches.
 */
export function encodeFilters(typed: JsonObject, given: Given = 'attributes'): JsonObject {
  return nested(membersOf('filters', typed, given))
}

/**
 * The typed form that comes nearest to filters, each attribute of the type that it has. What it cannot say is null there,
 * so whoever needs all of it compares what it amounts to.
 */
export function decodeFilters(filters: JsonObject): JsonObject {
  return decodePart('filters', filters, filters)
}

/** Some value, and the members of an object that lead to it. */
interface Member {
  readonly path: readonly string[]
  readonly value: Json
  readonly byKey?: true
}

function membersOf(part: TypedPartName, typed: JsonObject, given: Given): Member[] {
  const members: Member[] = []
  for (const name of namesOf(part, typed, given)) {
    const attribute = attributeOf(part, name)
    const value = typed[name] ?? (given === 'attributes' ? unsaid(attribute) : null)
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
  // What is no object stays as it is.
  const encoded = value.map(each => (isJsonObject(each) ? nested(membersOf(of, each, given)) : each))
  return [{ path, value: encoded }, ...membersByKey(of, value)]
}

/** What stands at the top of the filters under the keys of parts. */
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
  const said = Object.keys(typed)
  if (given !== 'attributes') return said
  return [...rowsOf(part).map(([name]) => name), ...said.filter(name => !attributeOf(part, name))]
}

/** What the wire has where nothing is said. */
function unsaid(attribute: TypedAttribute | undefined): Json {
  return attribute?.orEmpty ? '' : (attribute?.byDefault ?? null)
}

/** Members as objects inside of objects, those by key behind the others; of two in one place the last counts. */
function nested(members: readonly Member[]): JsonObject {
  // Only what is at the top has other ways; there are many of the others.
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

/** A value of an attribute that has no rule of its own; null where it is of another type. */
function plainly({ is }: TypedAttribute, value: Json): Json {
  switch (is) {
    case 'number':
      return isJsonNumber(value) ? value : null
    case 'json':
      // A payload travels as the text it is, so that no number of it is ever rounded.
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
