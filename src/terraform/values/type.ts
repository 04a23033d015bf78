import { isJsonArray, isJsonObject, type Json } from '../../model/json.ts'

/** A type of Terraform's, in the form in which it travels as JSON. */
export type Type =
  | 'string'
  | 'number'
  | 'bool'
  /** Any type; a value says itself which. */
  | 'dynamic'
  | readonly ['list' | 'set' | 'map', Type]
  | ObjectType
  | readonly ['tuple', readonly Type[]]
export type ObjectType = readonly ['object', { readonly [attribute: string]: Type }]

export function typeText(type: Type): string {
  return JSON.stringify(type)
}

export function parseType(text: string): Type {
  return toType(JSON.parse(text))
}

/** A type as people say it: `list of string`. */
export function describeType(type: Type): string {
  if (typeof type === 'string') return type === 'dynamic' ? 'any value' : type
  switch (type[0]) {
    case 'list':
    case 'set':
    case 'map':
      return `${type[0]} of ${describeType(type[1])}`
    case 'object':
      return 'object'
    case 'tuple':
      return `tuple of ${type[1].length}`
    default:
      return type satisfies never
  }
}

function toType(json: Json): Type {
  switch (json) {
    case 'string':
    case 'number':
    case 'bool':
    case 'dynamic':
      return json
  }
  const [name, of] = isJsonArray(json) ? json : []
  switch (name) {
    case 'list':
    case 'set':
    case 'map':
      return [name, toType(of ?? null)]
    case 'tuple':
      if (isJsonArray(of)) return [name, of.map(toType)]
      break
    case 'object':
      // A third member lists what may be left out; that only ever concerns how a value is converted.
      if (of !== undefined && isJsonObject(of)) return [name, mapTypes(of)]
  }
  throw new TypeError(`${JSON.stringify(json)} is not a type`)
}

function mapTypes(types: { readonly [attribute: string]: Json }): ObjectType[1] {
  return Object.fromEntries(Object.entries(types).map(([name, type]) => [name, toType(type)]))
}
