import { countOf } from '../../../../cty/big-float.ts'
import { convert, convertAll } from '../../../../cty/convert.ts'
import { invalid, unsupported } from '../../../../cty/invalid-value.ts'
import { findUnknown } from '../../../../cty/marks.ts'
import { compareTexts } from '../../../../cty/text-order.ts'
import { elementType } from '../../../../cty/type.ts'
import {
  isSame,
  list,
  nothing,
  nounOf,
  ofBool,
  ofNumber,
  ofText,
  type Sequence,
  sequenceOf,
  type Typed,
  tuple,
  typed,
  unknownOf,
  withoutRepeats,
} from '../../../../cty/typed.ts'
import { unify } from '../../../../cty/unify.ts'
import { Unknown } from '../../../../cty/unknown.ts'
import { isListValue, isObjectValue } from '../../../../cty/value.ts'
import { bigAt, type FunctionRows, sequenceAt, textsAt, wholeAt } from '../function-row.ts'
import { lengthOf } from '../text/text-functions.ts'

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
      const { elements, of } = asList(sequenceAt(given, 0), given[0] ?? nothing)
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
  // Lists that do not go together are put together as what they are.
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
  // All engines count lists from the end, and only newer ones tuples.
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

/** A value as the list that it can be taken for. */
function asList(sequence: Sequence, value: Typed): Sequence {
  return sequence.is === 'tuple' ? (sequenceOf(convert(value, ['list', 'dynamic'])) ?? sequence) : sequence
}
