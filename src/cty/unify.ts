import { innerTypes, mayBecome } from './may-become.ts'
import {
  attributeType,
  type CollectionType,
  hasSameNames,
  isSameType,
  type StructuredType,
  type Type,
} from './type.ts'

/**
 * The type that values of several types become when they have to be of one. Undefined where there is none.
 *
 * | types                                       | become                     |
 * |---------------------------------------------|----------------------------|
 * | the same                                    | that                       |
 * | null beside others                          | what the others become     |
 * | texts, numbers and bools, a text among them | text                       |
 * | objects of the same members                 | an object of those         |
 * | other objects, or objects and maps          | a map                      |
 * | tuples of the same length                   | a tuple                    |
 * | other tuples, or tuples and lists           | a list                     |
 * | sets                                        | a set                      |
 * | sets beside lists or tuples                 | the first list or set that |
 * |                                             | the others may become      |
 */
export function unify(types: readonly Type[]): Type | undefined {
  const [first, ...others] = types
  if (first === undefined) return 'dynamic'
  if (others.every(type => isSameType(type, first))) return first
  // Null is of any type, and goes with every other.
  if (types.includes('dynamic')) return unify(types.filter(type => type !== 'dynamic'))
  const structured = types.filter(type => typeof type !== 'string')
  if (structured.length === 0) return types.includes('string') ? 'string' : undefined
  if (structured.length !== types.length) return undefined
  const words = new Set(structured.map(([word]) => word))
  return words.has('map') || words.has('object')
    ? unifyNamed(structured, words)
    : unifyOrdered(structured, words)
}

function unifyNamed(types: readonly StructuredType[], words: ReadonlySet<string>): Type | undefined {
  const objects = types.filter(type => type[0] === 'object')
  const [first] = objects
  if (first && objects.length === types.length && objects.every(type => hasSameNames(type, first))) {
    const attributes: [string, Type][] = []
    for (const name of Object.keys(first[1])) {
      const type = unify(objects.map(each => attributeType(each, name)))
      // Of the same members, but of types that do not go together: no map is made of that.
      if (type === undefined) return undefined
      attributes.push([name, type])
    }
    return ['object', Object.fromEntries(attributes)]
  }
  if ([...words].some(word => word !== 'map' && word !== 'object')) return undefined
  return collected('map', types)
}

function unifyOrdered(types: readonly StructuredType[], words: ReadonlySet<string>): Type | undefined {
  const tuples = types.filter(type => type[0] === 'tuple')
  const [first] = tuples
  if (
    first &&
    tuples.length === types.length &&
    tuples.every(([, elements]) => elements.length === first[1].length)
  ) {
    const elements = first[1].map((_, index) => unify(tuples.map(([, each]) => each[index] ?? 'dynamic')))
    const known = elements.filter(type => type !== undefined)
    return known.length === elements.length ? ['tuple', known] : undefined
  }
  if (!words.has('set')) return collected('list', types)
  return words.size === 1 ? collected('set', types) : oneOf(types)
}

/** One of the types that all others may become; lists before sets, and among them what has texts. */
function oneOf(types: readonly StructuredType[]): Type | undefined {
  const ranked = [...types].sort((left, right) => rankOf(left) - rankOf(right))
  return ranked.find(wanted => types.every(type => mayBecome(type, wanted)))
}

function rankOf([is, of]: StructuredType): number {
  return (is === 'list' ? 0 : is === 'tuple' ? 2 : 4) + (of === 'string' ? 0 : 1)
}

function collected(is: CollectionType[0], types: readonly StructuredType[]): Type | undefined {
  const of = unify(types.flatMap(innerTypes))
  return of === undefined ? undefined : [is, of]
}
