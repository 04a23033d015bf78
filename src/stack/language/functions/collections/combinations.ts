import { convert, convertAll } from '../../../../cty/convert.ts'
import { invalid } from '../../../../cty/invalid-value.ts'
import { compareTexts } from '../../../../cty/text-order.ts'
import { elementType } from '../../../../cty/type.ts'
import {
  isSame,
  list,
  map,
  membersOf,
  nothing,
  ofText,
  type Sequence,
  sequenceOf,
  set,
  type Typed,
  tuple,
} from '../../../../cty/typed.ts'
import { requireCount } from '../../work-limits.ts'
import { type FunctionRows, sequenceAt, textsAt, wholeAt } from '../function-row.ts'

/** The functions that put the elements of collections together anew. */
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
        [asList(given, 1), asList(given, 2)],
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

/** Every choice of one element of each: a list, or a set where one of them is a set. */
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

function asList(given: readonly Typed[], index: number): Typed {
  sequenceAt(given, index)
  return convert(given[index] ?? nothing, ['list', 'dynamic'])
}

function listAt(given: readonly Typed[], index: number): Sequence {
  const value = asList(given, index)
  return sequenceOf(value) ?? { is: 'list', of: elementType(value.type), elements: [] }
}
