import { convertAll } from '../convert.ts'
import { isSameValue, isSequence, type Sequence, set, type Value } from '../value.ts'
import { type FunctionRow, type FunctionRows, sequenceAt } from './function-row.ts'

type Combine = (left: readonly Value[], right: readonly Value[]) => readonly Value[]

const has = (elements: readonly Value[], wanted: Value) => elements.some(each => isSameValue(each, wanted))

export const setFunctions: FunctionRows = {
  setunion: combining(1, (left, right) => [...left, ...right]),
  setintersection: combining(1, (left, right) => left.filter(each => has(right, each))),
  setsubtract: { ...combining(2, (left, right) => left.filter(each => !has(right, each))), most: 2 },
}

function combining(least: number, combine: Combine): FunctionRow {
  return {
    least,
    most: Number.POSITIVE_INFINITY,
    apply: given => {
      const sets = given.map((_, index): Sequence => {
        const sequence = sequenceAt(given, index)
        return sequence.is === 'set' ? sequence : asSet(sequence)
      })
      const { values, of } = convertAll(sets, 'its sets')
      const all = values.map(value => (isSequence(value) ? value.elements : []))
      const elementType = typeof of === 'object' && of.is === 'set' ? of.of : 'any'
      return set(all.reduce(combine), elementType)
    },
  }
}

function asSet({ elements, is, of: known }: Sequence): Sequence {
  if (is === 'list') return set(elements, known)
  const { values, of } = convertAll(elements, 'its elements')
  return set(values, of)
}
