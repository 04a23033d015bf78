/** A type of Terraform's language. `any` is the type of what may be anything, as null is. */
export type Type = PrimitiveType | 'any' | CollectionType | TupleType | ObjectType
export type PrimitiveType = 'string' | 'number' | 'bool'

export interface CollectionType {
  readonly is: 'list' | 'set' | 'map'
  readonly of: Type
}
export interface TupleType {
  readonly is: 'tuple'
  readonly elements: readonly Type[]
}
export interface ObjectType {
  readonly is: 'object'
  readonly members: Readonly<Record<string, Type>>
  /** Members that may be missing; they are null then. */
  readonly optional?: ReadonlySet<string>
}

export function isSameType(left: Type, right: Type): boolean {
  if (typeof left === 'string' || typeof right === 'string') return left === right
  if (left.is === 'tuple' || right.is === 'tuple') {
    if (left.is !== 'tuple' || right.is !== 'tuple') return false
    return areSame(left.elements, right.elements)
  }
  if (left.is === 'object' || right.is === 'object') {
    if (left.is !== 'object' || right.is !== 'object') return false
    const names = Object.keys(left.members)
    return (
      names.length === Object.keys(right.members).length &&
      names.every(name => {
        const [one, other] = [left.members[name], right.members[name]]
        return one !== undefined && other !== undefined && isSameType(one, other)
      })
    )
  }
  return left.is === right.is && isSameType(left.of, right.of)
}

/**
 * The type that values of several types become when they have to be of one. Undefined where there is none.
 *
 * | types                                   | become                     |
 * |-----------------------------------------|----------------------------|
 * | the same                                | that                       |
 * | null beside others                       | what the others become    |
 * | texts, numbers and bools, a text among them | text                   |
 * | objects of the same members             | an object of those         |
 * | other objects, or objects and maps      | a map                      |
 * | tuples of the same length               | a tuple                    |
 * | other tuples, or tuples and lists       | a list                     |
 * | sets, or sets and tuples, or sets and lists | a set, or a list       |
 */
export function unify(types: readonly Type[]): Type | undefined {
  const [first, ...others] = types
  if (first === undefined) return 'any'
  if (others.every(type => isSameType(type, first))) return first
  // Null is of any type, and goes with every other.
  if (types.includes('any')) return unify(types.filter(type => type !== 'any'))
  if (types.every(isPrimitive)) return types.includes('string') ? 'string' : undefined
  const structured = types.filter(isStructured)
  if (structured.length !== types.length) return undefined
  const words = new Set(structured.map(type => type.is))
  if (words.has('map') || words.has('object')) return unifyNamed(structured, words)
  return unifyOrdered(structured, words)
}

/** A type as people write it. */
export function typeText(type: Type): string {
  if (typeof type === 'string') return type
  switch (type.is) {
    case 'tuple':
      return `tuple([${type.elements.map(typeText).join(', ')}])`
    case 'object': {
      const members = Object.entries(type.members).map(([name, of]) => `${name}=${typeText(of)}`)
      return `object({${members.join(', ')}})`
    }
    default:
      return `${type.is}(${typeText(type.of)})`
  }
}

type Structured = Exclude<Type, string>

function areSame(left: readonly Type[], right: readonly Type[]): boolean {
  return (
    left.length === right.length &&
    left.every((type, index) => {
      const other = right[index]
      return other !== undefined && isSameType(type, other)
    })
  )
}

function isPrimitive(type: Type): type is PrimitiveType {
  return type === 'string' || type === 'number' || type === 'bool'
}

function isStructured(type: Type): type is Structured {
  return typeof type !== 'string'
}

function unifyNamed(types: readonly Structured[], words: ReadonlySet<string>): Type | undefined {
  const objects = types.filter(type => type.is === 'object')
  const [first] = objects
  if (first && objects.length === types.length && objects.every(type => hasSameNames(type, first))) {
    const members = Object.keys(first.members).map(name => {
      const type = unify(objects.map(({ members }) => members[name] ?? 'any'))
      return [name, type] as const
    })
    const isWhole = members.every(([, type]) => type !== undefined)
    // Of the same members, but of types that do not go together: no map is made of that.
    return isWhole
      ? { is: 'object', members: Object.fromEntries(members) as Record<string, Type> }
      : undefined
  }
  if ([...words].some(word => word !== 'map' && word !== 'object')) return undefined
  return collected('map', types)
}

function unifyOrdered(types: readonly Structured[], words: ReadonlySet<string>): Type | undefined {
  const tuples = types.filter(type => type.is === 'tuple')
  const [first] = tuples
  if (
    first &&
    tuples.length === types.length &&
    tuples.every(type => type.elements.length === first.elements.length)
  ) {
    const elements = first.elements.map((_, index) =>
      unify(tuples.map(type => type.elements[index] ?? 'any')),
    )
    const known = elements.filter(type => type !== undefined)
    return known.length === elements.length ? { is: 'tuple', elements: known } : undefined
  }
  return collected(words.has('list') || (words.size === 1 && words.has('tuple')) ? 'list' : 'set', types)
}

function collected(is: CollectionType['is'], types: readonly Structured[]): Type | undefined {
  const inner = types.flatMap(type => {
    if (type.is === 'tuple') return type.elements
    return type.is === 'object' ? Object.values(type.members) : [type.of]
  })
  const of = unify(inner)
  return of === undefined ? undefined : { is, of }
}

function hasSameNames(left: ObjectType, right: ObjectType): boolean {
  const names = Object.keys(left.members)
  return (
    names.length === Object.keys(right.members).length &&
    names.every(name => Object.hasOwn(right.members, name))
  )
}
