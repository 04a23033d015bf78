import { valueText } from '../../../../cty/compare.ts'
import { convertAll } from '../../../../cty/convert.ts'
import { elementType } from '../../../../cty/type.ts'
import { sequenceOf, set, type Typed } from '../../../../cty/typed.ts'
import { type FunctionRow, type FunctionRows, sequenceAt } from '../function-row.ts'

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
