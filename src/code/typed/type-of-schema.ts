import { doubleOf } from '../../model/json/big-num.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { getAt } from '../../model/json/pointer.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { type PayloadType, typeOfAll, unknown } from './payload-type.ts'

/**
 * The type of what fits a JSON Schema, as far as languages can say it: what they cannot (`pattern`, `minimum`, `not`) is
 * left out, so the type takes everything that the schema takes, and maybe more.
 */
export function typeOfSchema(schema: JsonObject): PayloadType {
  return typeOf(schema, { schema, parts: { left: mostParts } }, [])
}

/** A schema of a few lines may come to more than any file holds, where each of its definitions names the next one twice. */
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
  /** How many parts it may yet have. */
  readonly parts: { left: number }
}

function typeOf(schema: Json | undefined, root: Root, within: readonly string[]): PayloadType {
  if (!isJsonObject(schema)) return unknown
  root.parts.left -= 1
  if (root.parts.left < 0) throw new LargeTypeError()
  const { $ref: reference, const: constant, enum: choices, anyOf, oneOf, type } = schema
  if (typeof reference === 'string') {
    // One that leads into itself has no type that ends.
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
  // What is left are texts, numbers, booleans and null.
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
