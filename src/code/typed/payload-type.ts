import { doubleOf, numberText } from '../../hcl/json.ts'

import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { getAt } from '../../model/json/pointer.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import type { TypedFlag } from './language.ts'

/** The type of a flag's payloads: by its schema, else by its declared payloads; undefined if it has none. */
export function payloadTypeOf({ schemas, payloads }: TypedFlag): PayloadType | undefined {
  if (schemas.length > 0) return typeOfAll(schemas.map(typeOfSchema))
  return payloads.length === 0 ? undefined : typeOfValues(payloads)
}

/** The type of a payload, in terms that every language supports. */
export type PayloadType =
  | { readonly is: 'unknown' | 'null' | 'boolean' | 'integer' | 'number' | 'string' }
  /** One of these values: texts, numbers, booleans and null. */
  | { readonly is: 'choice'; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly is: 'list'; readonly of: PayloadType }
  /** Any names, each with such a value. */
  | { readonly is: 'map'; readonly of: PayloadType }
  | { readonly is: 'object'; readonly members: readonly PayloadMember[] }
  | { readonly is: 'either'; readonly types: readonly PayloadType[] }

export interface PayloadMember {
  readonly name: string
  readonly type: PayloadType
  readonly isOptional: boolean
}

const unknown: PayloadType = { is: 'unknown' }

/** A type for all of some: equal types once, objects member by member, all others as alternatives. */
function typeOfAll(types: readonly PayloadType[]): PayloadType {
  const flat = types.flatMap(type => (type.is === 'either' ? type.types : [type]))
  if (flat.some(({ is }) => is === 'unknown')) return unknown
  const hasNumber = flat.some(({ is }) => is === 'number')
  const rest = flat.filter(({ is }) => is !== 'object' && is !== 'list' && !(is === 'integer' && hasNumber))
  const objects = flat.flatMap(type => (type.is === 'object' ? [type.members] : []))
  const lists = flat.flatMap(type => (type.is === 'list' ? [type.of] : []))
  const all = [
    ...distinct(rest),
    ...(lists.length === 0 ? [] : [{ is: 'list', of: typeOfAll(lists) } as const]),
    ...(objects.length === 0 ? [] : [{ is: 'object', members: membersOfAll(objects) } as const]),
  ]
  const [only = unknown, ...others] = all
  return others.length === 0 ? only : { is: 'either', types: all }
}

function distinct(types: readonly PayloadType[]): PayloadType[] {
  return [...new Map(types.map(type => [JSON.stringify(type), type])).values()].sort((one, other) =>
    compareTexts(JSON.stringify(one), JSON.stringify(other)),
  )
}

/** A member that one of the objects lacks is optional. */
function membersOfAll(objects: readonly (readonly PayloadMember[])[]): PayloadMember[] {
  const names = [...new Set(objects.flatMap(members => members.map(({ name }) => name)))].sort(compareTexts)
  return names.map(name => {
    const found = objects.map(members => members.find(member => member.name === name))
    return {
      name,
      type: typeOfAll(found.flatMap(member => (member ? [member.type] : []))),
      isOptional: found.some(member => member === undefined || member.isOptional),
    }
  })
}

/** The type of declared values, with no more in it than they show: an empty list may hold anything. */
function typeOfValues(values: readonly Json[]): PayloadType {
  return typeOfAll(values.map(typeOfValue))
}

function typeOfValue(value: Json): PayloadType {
  if (value === null) return { is: 'null' }
  if (typeof value === 'boolean') return { is: 'boolean' }
  if (typeof value === 'string') return { is: 'string' }
  if (isJsonNumber(value)) return { is: /^-?\d+$/.test(numberText(value)) ? 'integer' : 'number' }
  if (isJsonArray(value)) return { is: 'list', of: value.length === 0 ? unknown : typeOfValues(value) }
  if (!isJsonObject(value)) return unknown
  const members = Object.entries(value).map(([name, member]) => ({
    name,
    type: typeOfValue(member),
    isOptional: false,
  }))
  return { is: 'object', members: members.sort((one, other) => compareTexts(one.name, other.name)) }
}

/**
 * The type of values that fit a JSON Schema, as far as languages can express it. Other rules (`pattern`,
 * `minimum`, `not`) are left out, so the type allows everything that the schema allows, and maybe more.
 */
function typeOfSchema(schema: JsonObject): PayloadType {
  return typeOf(schema, { schema, parts: { left: mostParts } }, [])
}

/** A short schema may expand to more than any file holds, if each of its definitions names the next twice. */
const mostParts = 10_000

/** A schema whose type would have too many parts. */
export class LargeTypeError extends Error {
  override readonly name = 'LargeTypeError'

  constructor() {
    super(`its references come to more than ${mostParts} parts once they are written out`)
  }
}

interface Root {
  readonly schema: JsonObject
  /** How many more parts it may have. */
  readonly parts: { left: number }
}

function typeOf(schema: Json | undefined, root: Root, within: readonly string[]): PayloadType {
  if (!isJsonObject(schema)) return unknown
  root.parts.left -= 1
  if (root.parts.left < 0) throw new LargeTypeError()
  const { $ref: reference, const: constant, enum: choices, anyOf, oneOf, type } = schema
  if (typeof reference === 'string') {
    // A type that contains itself would never end.
    if (!reference.startsWith('#') || within.includes(reference)) return unknown
    return typeOf(getAt(root.schema, decodeURIComponent(reference.slice(1))), root, [...within, reference])
  }
  if (constant !== undefined) return choiceOf([constant])
  if (choices !== undefined && isJsonArray(choices)) return choiceOf(choices)
  const either = anyOf ?? oneOf
  if (either !== undefined && isJsonArray(either) && schema.properties === undefined)
    return typeOfAll(either.map(each => typeOf(each, root, within)))
  const types = type !== undefined && isJsonArray(type) ? type : [type ?? impliedType(schema)]
  return typeOfAll(types.map(each => typeNamed(each, schema, root, within)))
}

function impliedType({ properties, items }: JsonObject): string | undefined {
  if (properties !== undefined) return 'object'
  return items === undefined ? undefined : 'array'
}

function choiceOf(values: readonly Json[]): PayloadType {
  const plain = values.map(value => (isJsonNumber(value) ? (doubleOf(value) ?? null) : value))
  const simple = plain.filter(
    value => value === null || ['string', 'number', 'boolean'].includes(typeof value),
  )
  // The rest are texts, numbers, booleans and null.
  return simple.length === values.length && simple.length > 0
    ? { is: 'choice', values: simple as (string | number | boolean | null)[] }
    : unknown
}

function typeNamed(
  type: Json | undefined,
  schema: JsonObject,
  root: Root,
  within: readonly string[],
): PayloadType {
  switch (type) {
    case 'null':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'string':
      return { is: type }
    case 'array':
      return {
        is: 'list',
        of: schema.prefixItems === undefined ? typeOf(schema.items, root, within) : unknown,
      }
    case 'object':
      return objectType(schema, root, within)
    default:
      return unknown
  }
}

function objectType(
  { properties, required, additionalProperties }: JsonObject,
  root: Root,
  within: readonly string[],
): PayloadType {
  if (!isJsonObject(properties) || Object.keys(properties).length === 0)
    return { is: 'map', of: typeOf(additionalProperties, root, within) }
  const needed = required !== undefined && isJsonArray(required) ? required : []
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    type: typeOf(member, root, within),
    isOptional: !needed.includes(name),
  }))
  return { is: 'object', members: members.sort((one, other) => compareTexts(one.name, other.name)) }
}

/** An object in a payload that gets a name of its own. */
export interface NamedObject {
  /** The key of the flag, `payload`, and the members that lead to it, with slashes. */
  readonly path: string
  readonly members: readonly PayloadMember[]
}

/** The objects in a type, the inner ones first. */
export function namedObjects(type: PayloadType, path: string): NamedObject[] {
  switch (type.is) {
    case 'list':
    case 'map':
      return namedObjects(type.of, inside(type, path))
    case 'either':
      return type.types.flatMap(each => namedObjects(each, inside(type, path)))
    case 'object':
      return [
        ...type.members.flatMap(member => namedObjects(member.type, `${path}/${member.name}`)),
        { path, members: type.members },
      ]
    default:
      return []
  }
}

/** The path for the values of a list, a map or an alternative: no member can have it. */
export function inside({ is }: PayloadType, path: string): string {
  switch (is) {
    case 'list':
      return `${path}/item[]`
    case 'map':
      return `${path}/value{}`
    default:
      return `${path}/object|`
  }
}
