/**
 * A type of Terraform's, in the form in which it travels as JSON. `dynamic`, which people write `any`, is the type of
 * what may be anything, as null is.
 */
export type Type = PrimitiveType | 'dynamic' | CollectionType | TupleType | ObjectType
export type PrimitiveType = 'string' | 'number' | 'bool'
export type CollectionType = readonly ['list' | 'set' | 'map', Type]
export type TupleType = readonly ['tuple', readonly Type[]]
/** Its third part, where it has one, names the attributes that may be missing; they are null then. */
export type ObjectType =
  | readonly ['object', AttributeTypes]
  | readonly ['object', AttributeTypes, readonly string[]]
interface AttributeTypes {
  readonly [attribute: string]: Type
}
export type StructuredType = Exclude<Type, string>

export function isSameType(left: Type, right: Type): boolean {
  if (typeof left === 'string' || typeof right === 'string') return left === right
  if (left[0] === 'tuple' || right[0] === 'tuple')
    return left[0] === 'tuple' && right[0] === 'tuple' && areSame(left[1], right[1])
  if (left[0] === 'object' || right[0] === 'object') {
    if (left[0] !== 'object' || right[0] !== 'object' || !hasSameNames(left, right)) return false
    const names = Object.keys(left[1])
    return areSame(
      names.map(name => attributeType(left, name)),
      names.map(name => attributeType(right, name)),
    )
  }
  return left[0] === right[0] && isSameType(left[1], right[1])
}

/** The type of values that are of a type: which attributes may be missing is about what they are made from. */
export function withoutOptional(type: Type): Type {
  if (typeof type === 'string') return type
  switch (type[0]) {
    case 'tuple':
      return ['tuple', type[1].map(withoutOptional)]
    case 'object': {
      const attributes = Object.entries(type[1]).map(([name, of]) => [name, withoutOptional(of)] as const)
      return ['object', Object.fromEntries(attributes)]
    }
    default:
      return [type[0], withoutOptional(type[1])]
  }
}

/** The type of the elements of a list, a set or a map; those of tuples and objects have their own. */
export function elementType(type: Type): Type {
  return typeof type === 'string' || type[0] === 'tuple' || type[0] === 'object' ? 'dynamic' : type[1]
}

/** The type of an attribute; anything, where an object has none of that name. */
export function attributeType([, attributes]: ObjectType, name: string): Type {
  return (Object.hasOwn(attributes, name) ? attributes[name] : undefined) ?? 'dynamic'
}

export function hasSameNames([, left]: ObjectType, [, right]: ObjectType): boolean {
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every(name => Object.hasOwn(right, name))
}

/** A type as it travels. */
export function typeJson(type: Type): string {
  return JSON.stringify(type)
}

/** A type as people write it. */
export function typeText(type: Type): string {
  if (typeof type === 'string') return type === 'dynamic' ? 'any' : type
  switch (type[0]) {
    case 'tuple':
      return `tuple([${type[1].map(typeText).join(', ')}])`
    case 'object': {
      const attributes = Object.entries(type[1]).map(([name, of]) => `${name}=${typeText(of)}`)
      return `object({${attributes.join(', ')}})`
    }
    default:
      return `${type[0]}(${typeText(type[1])})`
  }
}

function areSame(left: readonly Type[], right: readonly Type[]): boolean {
  return (
    left.length === right.length && left.every((type, index) => isSameType(type, right[index] ?? 'dynamic'))
  )
}
