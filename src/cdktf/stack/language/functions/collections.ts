import { countOf } from '../big-float.ts'
import { convert, convertAll } from '../convert.ts'
import { findUnknown } from '../marks.ts'
import { invalid } from '../refusal.ts'
import {
  compareTexts,
  isMembers,
  isSameValue,
  isSequence,
  list,
  nounOf,
  type Sequence,
  set,
  tuple,
  Unknown,
  type Value,
  withoutRepeats,
} from '../value.ts'
import { type FunctionRows, sequenceAt, textsAt, wholeAt } from './function-row.ts'
import { lengthOf } from './texts.ts'

export const collectionFunctions: FunctionRows = {
  length: { least: 1, gives: 'number', movesUnknown: true, apply: ([value = null]) => length(value) },
  concat: { least: 1, most: Number.POSITIVE_INFINITY, movesUnknown: true, apply: concat },
  flatten: {
    least: 1,
    movesUnknown: true,
    apply: given => {
      const unknown = sequenceAt(given, 0).elements.find(element => element instanceof Unknown)
      return unknown instanceof Unknown
        ? new Unknown('any', unknown.origin)
        : tuple(flatElements(sequenceAt(given, 0)))
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
    apply: ([value = null, wanted = null]) =>
      sequenceAt([value], 0).elements.some(each => isSameValue(each, wanted)),
  },
  index: {
    least: 2,
    gives: 'number',
    apply: ([value = null, wanted = null]) => {
      const found = sequenceAt([value], 0).elements.findIndex(each => isSameValue(each, wanted))
      if (found < 0) throw invalid('the list has no such element')
      return countOf(found)
    },
  },
  sort: {
    least: 1,
    gives: { is: 'list', of: 'string' },
    apply: given => list(textsAt(given, 0).sort(compareTexts), 'string'),
  },
  distinct: {
    least: 1,
    apply: given => {
      const whole = asList(sequenceAt(given, 0))
      return list(withoutRepeats(whole.elements), whole.of)
    },
  },
  compact: {
    least: 1,
    gives: { is: 'list', of: 'string' },
    apply: ([value = null]) => {
      const texts = convert(value, { is: 'list', of: 'string' })
      return list(
        isSequence(texts) ? texts.elements.filter(text => text !== null && text !== '') : [],
        'string',
      )
    },
  },
  one: {
    least: 1,
    movesUnknown: true,
    apply: given => {
      const { elements, is } = sequenceAt(given, 0)
      const unknown = is === 'set' ? elements.find(each => each instanceof Unknown) : undefined
      if (unknown) return unknown
      if (elements.length > 1) throw invalid(`there are ${elements.length} elements`)
      return elements[0] ?? null
    },
  },
}

function length(value: Value): Value {
  if (typeof value === 'string') return lengthOf(value)
  if (isMembers(value)) return countOf(value.members.size)
  if (!isSequence(value)) throw invalid(`${nounOf(value)} has no length`)
  const unknown = value.is === 'set' ? findUnknown(value) : undefined
  return unknown ? new Unknown('number', unknown.origin) : countOf(value.elements.length)
}

function concat(given: readonly Value[]): Value {
  const sequences = given.map((_, index) => sequenceAt(given, index))
  for (const [index, { is }] of sequences.entries())
    if (is === 'set') throw invalid(`argument ${index + 1} is a set and not a list`)
  if (!sequences.every(({ is }) => is === 'list')) return tuple(sequences.flatMap(({ elements }) => elements))
  const { values, of } = convertAll(sequences, 'its lists')
  const elements = values.flatMap(value => (isSequence(value) ? value.elements : []))
  return list(elements, typeof of === 'object' && of.is === 'list' ? of.of : 'any')
}

function flatElements({ elements }: Sequence): Value[] {
  return elements.flatMap(element => (isSequence(element) ? flatElements(element) : [element]))
}

function element(given: readonly Value[]): Value {
  const { elements, is } = sequenceAt(given, 0)
  const index = wholeAt(given, 1)
  if (is === 'set') throw invalid('argument 1 is a set and not a list')
  if (elements.length === 0) throw invalid('the list is empty')
  if (index < 0) throw invalid('the index is negative')
  return elements[index % elements.length] ?? null
}

function slice(given: readonly Value[]): Value {
  const sequence = sequenceAt(given, 0)
  const [start, end] = [wholeAt(given, 1), wholeAt(given, 2)]
  const { elements, is, of } = sequence
  if (is === 'set') throw invalid('argument 1 is a set and not a list')
  if (start < 0 || end < start || end > elements.length)
    throw invalid(`a list of ${elements.length} has no elements from ${start} to ${end}`)
  const kept = elements.slice(start, end)
  return is === 'tuple' ? tuple(kept) : list(kept, of)
}

/** A tuple as the list that it can be taken for. */
function asList(sequence: Sequence): Sequence {
  if (sequence.is === 'list') return sequence
  if (sequence.is === 'set') return { ...set(sequence.elements, sequence.of), is: 'list' }
  const converted = convert(sequence, { is: 'list', of: 'any' })
  return isSequence(converted) ? converted : sequence
}
