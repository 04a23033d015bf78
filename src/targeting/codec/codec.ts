import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { attributeOf, attributesOf, partOf, type TypedAttribute, type TypedPartName } from './typed-form.ts'

/**
 * How the values of properties are written in the typed form: as Terraform has them, which knows texts only, or as the
 * wire has them, in texts, numbers and truth values.
 */
export type ValuesAs = 'texts' | 'values'

/**
 * The filters that the typed form amounts to, members in their order. Null is what is left out; everything else
 * arrives, so that a check finds what is wrong with it: a condition that is null is none that everybody matches.
 */
export function encodeFilters(typed: JsonObject, values: ValuesAs = 'texts'): JsonObject {
  return nested(membersOf('filters', typed, values))
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

function membersOf(part: TypedPartName, typed: JsonObject, values: ValuesAs): Member[] {
  return entriesOf(part, typed).flatMap(([name, given]) => {
    const attribute = attributeOf(part, name)
    const value = given ?? unsaid(attribute)
    if (value === null || attribute?.byKey) return []
    return attribute ? attributeMembers(attribute, value, typed, values) : [{ path: [name], value }]
  })
}

function attributeMembers(
  attribute: TypedAttribute,
  value: Json,
  typed: JsonObject,
  values: ValuesAs,
): Member[] {
  const { at: path, encode } = attribute
  const of = partOf(attribute)
  if (!of || !isJsonArray(value))
    return [{ path, value: encode && values === 'texts' ? encode(value, typed) : value }]
  // What is no object stays as it is.
  const encoded = value.map(each => (isJsonObject(each) ? nested(membersOf(of, each, values)) : each))
  return [{ path, value: encoded }, ...value.filter(isJsonObject).flatMap(each => membersByKey(of, each))]
}

/** What stands at the top of the filters under the key of a part. */
function membersByKey(part: TypedPartName, typed: JsonObject): Member[] {
  const { key } = typed
  if (typeof key !== 'string') return []
  return Object.entries(attributesOf(part)).flatMap(([name, { at, byKey }]) => {
    const value = typed[name] ?? null
    return byKey && value !== null ? [{ path: [...at, key], value, byKey }] : []
  })
}

/** What is said of a part, in its order, and what the wire says where the part says nothing. */
function entriesOf(part: TypedPartName, typed: JsonObject): (readonly [name: string, value: Json])[] {
  const missing = Object.entries(attributesOf(part)).filter(
    ([name, attribute]) => unsaid(attribute) !== null && !Object.hasOwn(typed, name),
  )
  return [...Object.entries(typed), ...missing.map(([name]) => [name, null] as const)]
}

/** What the wire has where nothing is said. */
function unsaid(attribute: TypedAttribute | undefined): Json {
  return attribute?.orEmpty ? '' : (attribute?.byDefault ?? null)
}

/** Members as objects inside of objects, those by key behind the others; of two in one place the last counts. */
function nested(members: readonly Member[]): JsonObject {
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
  return Object.fromEntries(
    Object.entries(attributesOf(part)).map(([name, attribute]) => {
      const { at, byKey, byDefault, orEmpty } = attribute
      const value = byKey ? valueByKey(wire.key, at, filters) : valueAt(wire, at)
      const decoded = decodedAs(attribute, value, filters)
      return [name, orEmpty ? (decoded ?? '') : decoded === byDefault ? null : decoded]
    }),
  )
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
