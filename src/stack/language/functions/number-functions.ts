import { absolute, add, type BigFloat, ceil, compare, countOf, floor } from '../../../cty/big-float.ts'
import { invalid } from '../../../cty/invalid-value.ts'
import { list, ofNumber, type Typed } from '../../../cty/typed.ts'
import { type FunctionRow, type FunctionRows, numberAt, sequenceAt, wholeAt } from './function-row.ts'

const number = (
  least: number,
  apply: (given: readonly BigFloat[]) => BigFloat,
  most = least,
): FunctionRow => ({
  least,
  most,
  gives: 'number',
  apply: given => ofNumber(apply(given.map((_, index) => numberAt(given, index)))),
})
const one = (apply: (value: BigFloat) => BigFloat) => number(1, ([value = zero]) => apply(value))

const zero = countOf(0)

export const numberFunctions: FunctionRows = {
  min: number(1, given => best(given, difference => difference < 0), Number.POSITIVE_INFINITY),
  max: number(1, given => best(given, difference => difference > 0), Number.POSITIVE_INFINITY),
  abs: one(absolute),
  ceil: one(ceil),
  floor: one(floor),
  signum: { least: 1, gives: 'number', apply: given => ofNumber(countOf(Math.sign(wholeAt(given, 0)))) },
  sum: {
    least: 1,
    gives: 'number',
    apply: given => {
      const { elements } = sequenceAt(given, 0)
      if (elements.length === 0) throw invalid('there is nothing to sum up')
      return ofNumber(elements.map((_, index) => numberAt(elements, index)).reduce(add))
    },
  },
  range: { least: 1, most: 3, gives: ['list', 'number'], apply: range },
}

function best(given: readonly BigFloat[], isBetter: (difference: number) => boolean): BigFloat {
  return given.reduce((before, each) => (isBetter(compare(each, before)) ? each : before))
}

/** Terraform stops at so many elements too. */
const longestRange = 1024

function range(given: readonly Typed[]): Typed {
  const numbers = given.map((_, index) => numberAt(given, index))
  const [first = zero, second, third] = numbers
  const [start, limit] = second ? [first, second] : [zero, first]
  const isDown = compare(limit, start) < 0
  const step = third ?? countOf(isDown ? -1 : 1)
  const direction = compare(step, zero)
  if (compare(start, limit) === 0) return list([], 'number')
  if (direction === 0) throw invalid('its step is zero')
  if (third && direction < 0 !== isDown) throw invalid('its step leads away from the limit')
  const elements: Typed[] = []
  for (let at = start; compare(at, limit) * direction < 0; at = add(at, step)) {
    if (elements.length >= longestRange) throw invalid(`it has more than ${longestRange} elements`)
    elements.push(ofNumber(at))
  }
  return list(elements, 'number')
}
