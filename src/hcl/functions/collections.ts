import { requireCount } from '../language/expression.ts'
import { convert, convertAll } from '../values/convert.ts'
import { type BigFloat, countOf } from '../values/number.ts'
import { elementType, invalid, isSameType, type Type, unify, unsupported } from '../values/type.ts'
import {
  isSame,
  list,
  type Members,
  map,
  memberIn,
  membersOf,
  nothing,
  nounOf,
  object,
  type Sequence,
  sequenceOf,
  set,
  type Typed,
  tuple,
  typed,
  unknownOf,
  withoutRepeats,
} from '../values/typed.ts'
import { compareTexts, findUnknown, isListValue, isObjectValue, Unknown, valueText } from '../values/value.ts'
import { type FunctionRows, row, textList, textsOf } from './function-row.ts'
import { lengthOf } from './text.ts'

const moves = { movesUnknown: true } as const
const ofTexts: Type = ['list', 'string']

export const collectionFunctions: FunctionRows = {
  length: row(['any'], 'number', length, moves),
  concat: row(['ordered', '...ordered'], 'dynamic', (...all) => concat(all), moves),
  flatten: row(['sequence'], 'dynamic', flatten, moves),
  element: row(['ordered', 'huge'], 'dynamic', element, moves),
  slice: row(['ordered', 'whole', 'whole'], 'dynamic', slice, moves),
  reverse: row(['sequence'], 'dynamic', ({ is, elements, of }) => like(is, elements.toReversed(), of), moves),
  contains: row(['sequence', 'any'], 'bool', ({ elements }, wanted) =>
    elements.some(each => isSame(each, wanted)),
  ),
  index: row(['ordered', 'any'], 'number', ({ elements }, wanted) => {
    const found = elements.findIndex(each => isSame(each, wanted))
    if (found < 0) throw invalid('the list has no such element')
    return countOf(found)
  }),
  sort: row(['texts'], ofTexts, texts => textList(texts.sort(compareTexts))),
  distinct: row(['list'], 'dynamic', ({ elements, of }) => {
    const plains = elements.map(({ plain }) => plain)
    return typed(['list', of], withoutRepeats(plains, of))
  }),
  compact: row(['any'], ofTexts, value => {
    const texts = sequenceOf(convert(value, ofTexts))?.elements ?? []
    const kept = texts.filter(({ plain }) => plain !== null && plain !== '')
    return list(kept, 'string')
  }),
  one: row(['sequence'], 'dynamic', one, moves),
  coalesce: row(['any', '...any'], 'dynamic', (...all) => coalesce(all), { takesNull: true, ...moves }),
  coalescelist: row(['any', '...any'], 'dynamic', (...all) => coalesceLists(all), { takesNull: true }),
  alltrue: row(['sequence'], 'bool', sequence => bools(sequence).every(({ plain }) => plain === true)),
  anytrue: row(['sequence'], 'bool', sequence => bools(sequence).some(({ plain }) => plain === true)),
  keys: row(
    ['members'],
    'dynamic',
    ({ is, members }) => {
      const names = textList([...members.keys()])
      return is === 'map' ? names : tuple(sequenceOf(names)?.elements ?? [])
    },
    moves,
  ),
  values: row(
    ['members'],
    'dynamic',
    ({ is, members, of }) => like(is === 'map' ? 'list' : 'tuple', [...members.values()], of),
    moves,
  ),
  merge: row(['...any'], 'dynamic', (...all) => merge(all), { takesNull: true, ...moves }),
  lookup: row(['any', 'text', 'any?'], 'dynamic', lookup, { takesNull: true, ...moves }),
  zipmap: row(['texts', 'ordered'], 'dynamic', zipmap, moves),
  transpose: row(['any'], ['map', ofTexts], transpose),
  chunklist: row(['list', 'whole'], 'dynamic', chunks),
  matchkeys: row(['list', 'list', 'list'], 'dynamic', matchKeys),
  setproduct: row(['sequence', 'sequence', '...sequence'], 'dynamic', (...all) => product(all)),
  setunion: row(['sequence', '...sequence'], 'dynamic', (...all) =>
    combined(all, (left, right) => [...left, ...right]),
  ),
  setintersection: row(['sequence', '...sequence'], 'dynamic', (...all) =>
    combined(all, (left, right) => left.filter(isAmong(right))),
  ),
  setsubtract: row(['sequence', 'sequence'], 'dynamic', (...all) =>
    combined(all, (left, right) => {
      const isOther = isAmong(right)
      return left.filter(each => !isOther(each))
    }),
  ),
}

/** Elements as a tuple if `is` is a tuple, otherwise as a list. */
function like(is: Sequence['is'], elements: readonly Typed[], of: Type): Typed {
  return is === 'tuple' ? tuple(elements) : list(elements, of)
}

function length(value: Typed): Typed | BigFloat {
  const { type, plain } = value
  if (typeof plain === 'string') return lengthOf(plain)
  if (isObjectValue(plain)) return countOf(Object.keys(plain).length)
  if (!isListValue(plain)) throw invalid(`${nounOf(value)} has no length`)
  const unknown = type[0] === 'set' ? findUnknown(plain) : undefined
  return unknown ? unknownOf('number', unknown.origin) : countOf(plain.length)
}

function concat(sequences: readonly Sequence[]): Typed {
  const areLists = sequences.every(({ is }) => is === 'list')
  // Lists without a common type become a tuple.
  if (!areLists || unify(sequences.map(({ of }) => of)) === undefined)
    return tuple(sequences.flatMap(({ elements }) => elements))
  const lists = sequences.map(({ elements, of }) => list(elements, of))
  const { values, of } = convertAll(lists, 'its lists')
  const elements = values.flatMap(value => sequenceOf(value)?.elements ?? [])
  return list(elements, elementType(of))
}

function flatten(sequence: Sequence): Typed {
  const unknown = sequence.elements.map(({ plain }) => plain).find(plain => plain instanceof Unknown)
  return unknown ? unknownOf('dynamic', unknown.origin) : tuple(flatElements(sequence))
}

function flatElements({ elements }: Sequence): Typed[] {
  return elements.flatMap(element => {
    const inner = sequenceOf(element)
    return inner ? flatElements(inner) : [element]
  })
}

function element({ elements, is }: Sequence, index: bigint): Typed {
  if (BigInt.asIntN(64, index) !== index) throw invalid('argument 2 is too large')
  if (elements.length === 0) throw invalid('the list is empty')
  const beyond = Number(index % BigInt(elements.length))
  // Every engine counts from the end of a list, but only newer engines count from the end of a tuple.
  if (beyond < 0 && is === 'tuple')
    throw unsupported('a negative index of a tuple', 'count from the beginning')
  return elements.at(beyond) ?? nothing
}

function slice({ elements, is, of }: Sequence, start: number, end: number): Typed {
  if (start < 0 || end < start || end > elements.length)
    throw invalid(`a list of ${elements.length} has no elements from ${start} to ${end}`)
  return like(is, elements.slice(start, end), of)
}

function one({ elements, is }: Sequence): Typed {
  const unknown = is === 'set' ? elements.find(({ plain }) => plain instanceof Unknown) : undefined
  if (unknown) return unknown
  if (elements.length > 1) throw invalid(`there are ${elements.length} elements`)
  return elements[0] ?? nothing
}

function merge(given: readonly Typed[]): Typed {
  const maps = given.flatMap((value, index): Members[] => {
    if (value.plain === null) return []
    const found = membersOf(value)
    if (found) return [found]
    throw invalid(`argument ${index + 1} is ${nounOf(value)} and not a map`)
  })
  const members = maps.flatMap(({ members: own }) => [...own])
  const [first] = maps
  if (!first || maps.some(({ is }) => is === 'object')) return object(members)
  // An untyped null has no type to check, so the result is not a map.
  const isOneType = maps.length === given.length && maps.every(({ of }) => isSameType(of, first.of))
  return isOneType ? map(members, first.of) : object(members)
}

/** Converts only one member of a large map, because many calls may read the map. */
function lookup(whole: Typed, name: string, fallback?: Typed): Typed {
  if (!isObjectValue(whole.plain)) throw invalid(`argument 1 is ${nounOf(whole)} and not a map`)
  // A fallback that does not fit the other members is refused even if it is not needed.
  const other = fallback && whole.type[0] === 'map' ? convert(fallback, elementType(whole.type)) : fallback
  const found = memberIn(whole, name) ?? other
  if (!found) throw invalid(`there is no member ${JSON.stringify(name)}`)
  return found
}

function zipmap(names: readonly string[], { is, elements, of }: Sequence): Typed {
  if (names.length !== elements.length)
    throw invalid(`there are ${names.length} names for ${elements.length} values`)
  const members = names.map((name, index) => [name, elements[index] ?? nothing] as const)
  return is === 'tuple' ? object(members) : map(members, of)
}

function isAmong(elements: readonly Typed[]): (wanted: Typed) => boolean {
  const texts = new Set(elements.map(({ type, plain }) => valueText(type, plain)))
  return ({ type, plain }) => texts.has(valueText(type, plain))
}

function combined(
  sequences: readonly Sequence[],
  combine: (left: readonly Typed[], right: readonly Typed[]) => readonly Typed[],
): Typed {
  const sets = sequences.map(({ is, elements, of: known }) => {
    if (is !== 'tuple') return set(elements, known)
    const { values, of } = convertAll(elements, 'its elements')
    return set(values, of)
  })
  const { values, of } = convertAll(sets, 'its sets')
  const all = values.map(value => sequenceOf(value)?.elements ?? [])
  return set(all.reduce(combine), elementType(of))
}

function chunks({ elements, of }: Sequence, size: number): Typed {
  if (size < 0) throw invalid('the size is negative')
  const step = size === 0 ? Math.max(1, elements.length) : size
  const made = Array.from({ length: Math.ceil(elements.length / step) }, (_, index) =>
    list(elements.slice(index * step, (index + 1) * step), of),
  )
  return list(made, ['list', of])
}

function matchKeys(from: Sequence, ...lists: readonly [Sequence, Sequence]): Typed {
  const { values: both } = convertAll(
    lists.map(({ elements, of }) => list(elements, of)),
    'its keys and what is searched for',
  )
  const [keys = [], wanted = []] = both.map(each => sequenceOf(each)?.elements ?? [])
  if (keys.length !== from.elements.length)
    throw invalid(`there are ${keys.length} keys for ${from.elements.length} values`)
  const kept = from.elements.filter((_, index) => wanted.some(each => isSame(each, keys[index] ?? nothing)))
  return list(kept, from.of)
}

function transpose(value: Typed): Typed {
  const names = new Map<string, string[]>()
  const { members = new Map<string, Typed>() } = membersOf(convert(value, ['map', ofTexts])) ?? {}
  for (const [name, texts] of members)
    for (const text of textsOf(texts, 0)) names.set(text, [...(names.get(text) ?? []), name])
  return map(
    [...names].map(([text, all]) => [text, textList(all.sort(compareTexts))]),
    ofTexts,
  )
}

/** All combinations of one element from each collection: a list, or a set if one of them is a set. */
function product(given: readonly Sequence[]): Typed {
  const sequences = given.map((sequence, index) => {
    if (sequence.is !== 'tuple') return sequence
    const { values, of } = convertAll(sequence.elements, `the elements of argument ${index + 1}`)
    return { ...sequence, elements: values, of }
  })
  requireCount(sequences.reduce((count, { elements }) => count * elements.length, 1))
  const rows = sequences.reduce<readonly (readonly Typed[])[]>(
    (before, { elements }) => before.flatMap(row => elements.map(element => [...row, element])),
    [[]],
  )
  const of = ['tuple', sequences.map(each => each.of)] as const
  const isSet = sequences.some(({ is }) => is === 'set')
  return isSet ? set(rows.map(tuple), of) : list(rows.map(tuple), of)
}

function coalesceLists(given: readonly Typed[]): Typed {
  for (const [index, value] of given.entries()) {
    // A null list is skipped.
    if (value.plain === null) continue
    if (sequenceOf(value) === undefined || value.type[0] === 'set')
      throw invalid(`argument ${index + 1} is ${nounOf(value)} and not a list`)
  }
  const found = given.find(({ plain }) => isListValue(plain) && plain.length > 0)
  if (found === undefined) throw invalid('all of its lists are empty')
  return found
}

function coalesce(given: readonly Typed[]): Typed {
  const of = coalescedType(given.map(({ type }) => type))
  if (of === undefined) throw invalid('its arguments are of types that do not go together')
  // Values after the chosen one need not fit.
  for (const value of given) {
    const found = convert(value, of)
    if (found.plain === null || found.plain === '') continue
    return found.plain instanceof Unknown ? unknownOf(found.type, found.plain.origin) : found
  }
  throw invalid('all of its arguments are null or empty')
}

/**
 * The result type. If an untyped null is among the values, lists or objects of one kind keep their type, and
 * so do values without a common type. A list never fits an object.
 */
function coalescedType(types: readonly Type[]): Type | undefined {
  const known = types.filter(type => type !== 'dynamic')
  if (known.length === types.length) return unify(types)
  const sorts = new Set(known.map(type => (typeof type === 'string' ? '' : type[0])))
  if (sorts.size === 1 && !sorts.has('')) return 'dynamic'
  if (sorts.has('object') && sorts.has('tuple')) return undefined
  return unify(known) ?? 'dynamic'
}

function bools({ is, elements, of }: Sequence): readonly Typed[] {
  return sequenceOf(convert(like(is, elements, of), ['list', 'bool']))?.elements ?? []
}
