import { convertAll } from '../convert.ts'
import { identityText, isSequence, type Sequence, set, type Value } from '../value.ts'
import { type FunctionRow, type FunctionRows, sequenceAt } from './function-row.ts'

type Combine = (left: readonly Value[], right: readonly Value[]) => readonly Value[]

export const setFunctions: FunctionRows = {
  setunion: combining(1, (left, right) => [...left, ...right]),
  setintersection: combining(1, (left, right) => left.filter(isAmong(right))),
  setsubtract: { ...combining(2, without), most: 2 },
}

function isAmong(elements: readonly Value[]): (wanted: Value) => boolean {
  const texts = new Set(elements.map(identityText))
  return wanted => texts.has(identityText(wanted))
}

function without(elements: readonly Value[], others: readonly Value[]): readonly Value[] {
  const isOther = isAmong(others)
  return elements.filter(each => !isOther(each))
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
