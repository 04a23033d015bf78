import { requireCount } from '../limits.ts'
import { compareTexts, valueText } from '../values/compare.ts'
import { convert, convertAll } from '../values/convert.ts'
import { countOf } from '../values/number.ts'
import { invalid, unsupported } from '../values/refusal.ts'
import { elementType, isSameType, type Type, unify } from '../values/type.ts'
import {
  isSame,
  list,
  map,
  memberIn,
  membersOf,
  nothing,
  nounOf,
  object,
  ofBool,
  ofNumber,
  ofText,
  type Sequence,
  sequenceOf,
  set,
  type Typed,
  tuple,
  typed,
  unknownOf,
  withoutRepeats,
} from '../values/typed.ts'
import { isListValue, isObjectValue, Unknown } from '../values/value.ts'
import { findUnknown } from '../values/walk.ts'
import {
  bigAt,
  type FunctionRow,
  type FunctionRows,
  membersAt,
  sequenceAt,
  textAt,
  textsAt,
  wholeAt,
} from './function-row.ts'
import { lengthOf } from './text.ts'

export const collectionFunctions: FunctionRows = {
  length: { least: 1, gives: 'number', movesUnknown: true, apply: ([value = nothing]) => length(value) },
  concat: { least: 1, most: Number.POSITIVE_INFINITY, movesUnknown: true, apply: concat },
  flatten: {
    least: 1,
    movesUnknown: true,
    apply: given => {
      const sequence = sequenceAt(given, 0)
      const unknown = sequence.elements.map(({ plain }) => plain).find(plain => plain instanceof Unknown)
      return unknown ? unknownOf('dynamic', unknown.origin) : tuple(flatElements(sequence))
    },
  },
  element: { least: 2, movesUnknown: true, apply: element },
  slice: { least: 3, movesUnknown: true, apply: slice },
  reverse: {
    least: 1,
    movesUnknown: true,
    apply: given => {
      const sequence = sequenceAt(given, 0)
      const elements = sequence.elements.toReversed()
      return sequence.is === 'tuple' ? tuple(elements) : list(elements, sequence.of)
    },
  },
  contains: {
    least: 2,
    gives: 'bool',
    apply: given => ofBool(sequenceAt(given, 0).elements.some(each => isSame(each, given[1] ?? nothing))),
  },
  index: {
    least: 2,
    gives: 'number',
    apply: given => {
      const { elements, is } = sequenceAt(given, 0)
      if (is === 'set') throw invalid('argument 1 is a set and not a list')
      const found = elements.findIndex(each => isSame(each, given[1] ?? nothing))
      if (found < 0) throw invalid('the list has no such element')
      return ofNumber(countOf(found))
    },
  },
  sort: {
    least: 1,
    gives: ['list', 'string'],
    apply: given => list(textsAt(given, 0).sort(compareTexts).map(ofText), 'string'),
  },
  distinct: {
    least: 1,
    apply: given => {
      const { elements, of } = listOf(sequenceAt(given, 0), given[0] ?? nothing)
      const kept = withoutRepeats(
        elements.map(({ plain }) => plain),
        of,
      )
      return typed(['list', of], kept)
    },
  },
  compact: {
    least: 1,
    gives: ['list', 'string'],
    apply: ([value = nothing]) => {
      const texts = sequenceOf(convert(value, ['list', 'string']))?.elements ?? []
      return list(
        texts.filter(({ plain }) => plain !== null && plain !== ''),
        'string',
      )
    },
  },
  one: {
    least: 1,
    movesUnknown: true,
    apply: given => {
      const { elements, is } = sequenceAt(given, 0)
      const unknown = is === 'set' ? elements.find(({ plain }) => plain instanceof Unknown) : undefined
      if (unknown) return unknown
      if (elements.length > 1) throw invalid(`there are ${elements.length} elements`)
      return elements[0] ?? nothing
    },
  },
}

function length(value: Typed): Typed {
  const { type, plain } = value
  if (typeof plain === 'string') return ofNumber(lengthOf(plain))
  if (isObjectValue(plain)) return ofNumber(countOf(Object.keys(plain).length))
  if (!isListValue(plain)) throw invalid(`${nounOf(value)} has no length`)
  const unknown = type[0] === 'set' ? findUnknown(plain) : undefined
  return unknown ? unknownOf('number', unknown.origin) : ofNumber(countOf(plain.length))
}

function concat(given: readonly Typed[]): Typed {
  const sequences = given.map((_, index) => sequenceAt(given, index))
  for (const [index, { is }] of sequences.entries())
    if (is === 'set') throw invalid(`argument ${index + 1} is a set and not a list`)
  const areLists = sequences.every(({ is }) => is === 'list')
  // Lists without a common type become a tuple.
  if (!areLists || unify(given.map(({ type }) => type)) === undefined)
    return tuple(sequences.flatMap(({ elements }) => elements))
  const { values, of } = convertAll(given, 'its lists')
  const elements = values.flatMap(value => sequenceOf(value)?.elements ?? [])
  return list(elements, elementType(of))
}

function flatElements({ elements }: Sequence): Typed[] {
  return elements.flatMap(element => {
    const inner = sequenceOf(element)
    return inner ? flatElements(inner) : [element]
  })
}

function element(given: readonly Typed[]): Typed {
  const { elements, is } = sequenceAt(given, 0)
  const index = bigAt(given, 1)
  if (is === 'set') throw invalid('argument 1 is a set and not a list')
  if (elements.length === 0) throw invalid('the list is empty')
  const beyond = Number(index % BigInt(elements.length))
  // Every engine counts from the end of a list, but only newer ones from the end of a tuple.
  if (beyond < 0 && is === 'tuple')
    throw unsupported('a negative index of a tuple', 'count from the beginning')
  return elements.at(beyond) ?? nothing
}

function slice(given: readonly Typed[]): Typed {
  const sequence = sequenceAt(given, 0)
  const [start, end] = [wholeAt(given, 1), wholeAt(given, 2)]
  const { elements, is, of } = sequence
  if (is === 'set') throw invalid('argument 1 is a set and not a list')
  if (start < 0 || end < start || end > elements.length)
    throw invalid(`a list of ${elements.length} has no elements from ${start} to ${end}`)
  const kept = elements.slice(start, end)
  return is === 'tuple' ? tuple(kept) : list(kept, of)
}

/** A value as a list, if it can be one. */
function listOf(sequence: Sequence, value: Typed): Sequence {
  return sequence.is === 'tuple' ? (sequenceOf(convert(value, ['list', 'dynamic'])) ?? sequence) : sequence
}

export const mapFunctions: FunctionRows = {
  keys: {
    least: 1,
    movesUnknown: true,
    apply: given => {
      const { is, members } = membersAt(given, 0)
      const names = [...members.keys()].map(ofText)
      return is === 'map' ? list(names, 'string') : tuple(names)
    },
  },
  values: {
    least: 1,
    movesUnknown: true,
    apply: given => {
      const { is, members, of } = membersAt(given, 0)
      return is === 'map' ? list([...members.values()], of) : tuple([...members.values()])
    },
  },
  merge: { least: 0, most: Number.POSITIVE_INFINITY, takesNull: true, movesUnknown: true, apply: merge },
  lookup: { least: 2, most: 3, movesUnknown: true, takesNull: true, apply: lookup },
  zipmap: { least: 2, movesUnknown: true, apply: zipmap },
}

function merge(given: readonly Typed[]): Typed {
  const all = given.filter(({ plain }) => plain !== null)
  const maps = all.map((_, index) => membersAt(all, index))
  const members = maps.flatMap(({ members: own }) => [...own])
  if (maps.length === 0 || maps.some(({ is }) => is === 'object')) return object(members)
  const [first] = maps
  // An untyped null has no type to check, so the result is no map.
  const isOneType =
    first !== undefined && all.length === given.length && maps.every(({ of }) => isSameType(of, first.of))
  return isOneType ? map(members, first.of) : object(members)
}

function lookup(given: readonly Typed[]): Typed {
  const [whole = nothing, , fallback] = given
  // Only one member of a large map is converted, since many calls may read it.
  if (!isObjectValue(whole.plain)) throw invalid(`argument 1 is ${nounOf(whole)} and not a map`)
  const name = textAt(given, 1)
  // A fallback that does not fit the other members is refused even if it is not needed.
  const other = fallback && whole.type[0] === 'map' ? convert(fallback, elementType(whole.type)) : fallback
  const found = memberIn(whole, name) ?? other
  if (!found) throw invalid(`there is no member ${JSON.stringify(name)}`)
  return found
}

function zipmap(given: readonly Typed[]): Typed {
  const names = textsAt(given, 0)
  const { is, elements, of } = sequenceAt(given, 1)
  if (is === 'set') throw invalid('argument 2 is a set and not a list')
  if (names.length !== elements.length)
    throw invalid(`there are ${names.length} names for ${elements.length} values`)
  const members = names.map((name, index) => [name, elements[index] ?? nothing] as const)
  return is === 'tuple' ? object(members) : map(members, of)
}

type Combine = (left: readonly Typed[], right: readonly Typed[]) => readonly Typed[]

export const setFunctions: FunctionRows = {
  setunion: combining(1, (left, right) => [...left, ...right]),
  setintersection: combining(1, (left, right) => left.filter(isAmong(right))),
  setsubtract: { ...combining(2, without), most: 2 },
}

function isAmong(elements: readonly Typed[]): (wanted: Typed) => boolean {
  const texts = new Set(elements.map(({ type, plain }) => valueText(type, plain)))
  return ({ type, plain }) => texts.has(valueText(type, plain))
}

function without(elements: readonly Typed[], others: readonly Typed[]): readonly Typed[] {
  const isOther = isAmong(others)
  return elements.filter(each => !isOther(each))
}

function combining(least: number, combine: Combine): FunctionRow {
  return {
    least,
    most: Number.POSITIVE_INFINITY,
    apply: given => {
      const sets = given.map((value, index) => {
        const { is, elements, of: known } = sequenceAt(given, index)
        if (is === 'set') return value
        if (is === 'list') return set(elements, known)
        const { values, of } = convertAll(elements, 'its elements')
        return set(values, of)
      })
      const { values, of } = convertAll(sets, 'its sets')
      const all = values.map(value => sequenceOf(value)?.elements ?? [])
      return set(all.reduce(combine), elementType(of))
    },
  }
}

/** The functions that combine the elements of collections. */
export const combinationFunctions: FunctionRows = {
  setproduct: { least: 2, most: Number.POSITIVE_INFINITY, apply: product },
  chunklist: {
    least: 2,
    apply: given => {
      const { elements, of } = listAt(given, 0)
      const size = wholeAt(given, 1)
      if (size < 0) throw invalid('the size is negative')
      const step = size === 0 ? Math.max(1, elements.length) : size
      const chunks = Array.from({ length: Math.ceil(elements.length / step) }, (_, index) =>
        list(elements.slice(index * step, (index + 1) * step), of),
      )
      return list(chunks, ['list', of])
    },
  },
  matchkeys: {
    least: 3,
    apply: given => {
      const values = listAt(given, 0)
      const { values: both } = convertAll(
        [listValueAt(given, 1), listValueAt(given, 2)],
        'its keys and what is searched for',
      )
      const [keys = [], wanted = []] = both.map(each => sequenceOf(each)?.elements ?? [])
      if (keys.length !== values.elements.length)
        throw invalid(`there are ${keys.length} keys for ${values.elements.length} values`)
      const kept = values.elements.filter((_, index) =>
        wanted.some(each => isSame(each, keys[index] ?? nothing)),
      )
      return list(kept, values.of)
    },
  },
  transpose: {
    least: 1,
    gives: ['map', ['list', 'string']],
    apply: ([value = nothing]) => {
      const names = new Map<string, string[]>()
      const { members = new Map<string, Typed>() } =
        membersOf(convert(value, ['map', ['list', 'string']])) ?? {}
      for (const [name, texts] of members)
        for (const text of textsAt([texts], 0)) names.set(text, [...(names.get(text) ?? []), name])
      const made = [...names].map(
        ([text, all]) => [text, list(all.sort(compareTexts).map(ofText), 'string')] as const,
      )
      return map(made, ['list', 'string'])
    },
  },
}

/** Every combination of one element of each: a list, or a set if one of them is a set. */
function product(given: readonly Typed[]): Typed {
  const sequences = given.map((_, index) => {
    const sequence = sequenceAt(given, index)
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

function listValueAt(given: readonly Typed[], index: number): Typed {
  sequenceAt(given, index)
  return convert(given[index] ?? nothing, ['list', 'dynamic'])
}

function listAt(given: readonly Typed[], index: number): Sequence {
  const value = listValueAt(given, index)
  return sequenceOf(value) ?? { is: 'list', of: elementType(value.type), elements: [] }
}

export const choiceFunctions: FunctionRows = {
  coalesce: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    takesNull: true,
    movesUnknown: true,
    apply: coalesce,
  },
  coalescelist: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    // A null list is skipped.
    takesNull: true,
    apply: given => {
      for (const [index, { plain }] of given.entries()) {
        if (plain === null) continue
        const { is } = sequenceAt(given, index)
        if (is === 'set') throw invalid(`argument ${index + 1} is a set and not a list`)
      }
      const found = given.find(({ plain }) => isListValue(plain) && plain.length > 0)
      if (found === undefined) throw invalid('all of its lists are empty')
      return found
    },
  },
  alltrue: { least: 1, gives: 'bool', apply: given => ofBool(words(given).every(word => word)) },
  anytrue: { least: 1, gives: 'bool', apply: given => ofBool(words(given).some(word => word)) },
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
 * The result type. Beside an untyped null, lists or objects of one kind keep their type, and so do values
 * without a common type; but a list never fits an object.
 */
function coalescedType(types: readonly Type[]): Type | undefined {
  const known = types.filter(type => type !== 'dynamic')
  if (known.length === types.length) return unify(types)
  const sorts = new Set(known.map(type => (typeof type === 'string' ? '' : type[0])))
  if (sorts.size === 1 && !sorts.has('')) return 'dynamic'
  if (sorts.has('object') && sorts.has('tuple')) return undefined
  return unify(known) ?? 'dynamic'
}

function words(given: readonly Typed[]): boolean[] {
  // If the value is no list, this call refuses it in its own words.
  sequenceAt(given, 0)
  const all = sequenceOf(convert(given[0] ?? nothing, ['list', 'bool']))
  return all?.elements.map(({ plain }) => plain === true) ?? []
}
