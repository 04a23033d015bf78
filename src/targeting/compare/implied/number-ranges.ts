import { isJsonArray, isJsonNumber, type Json } from '../../../model/json/json.ts'
import type { EvaluationRules } from '../../../services/engines.ts'
import { looseNumberOf, numberOf } from '../../evaluate/operators/numbers.ts'
import { textOf } from '../../evaluate/operators/texts.ts'
import type { Asked } from './asked.ts'
import { type Range, rangeBy, type Scale } from './ranges.ts'

/** What a property may be by its size: as a number, and where texts are compared too, as a text. */
export interface Sizes {
  readonly numbers?: Range<number>
  readonly texts?: Range<string>
}

/** How numbers follow each other, and texts. */
export const bySize: Scale<number | string> = {
  isLess: (left, right) => left < right,
  isAtMost: (left, right) => left <= right,
}

/** Undefined of other operators, and of values that are never met. */
export function readSizes({ operator, value, rules }: Asked): Sizes | undefined {
  switch (operator) {
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      if (typeof value !== 'string' && !isJsonNumber(value)) return undefined
      const number = readNumber(value, rules)
      const numbers = number === undefined ? {} : { numbers: rangeBy(operator, number) }
      if (rules.number_comparison === 'numbers') return number === undefined ? undefined : numbers
      return { ...numbers, texts: rangeBy(operator, textOf(value)) }
    }
    case 'between':
    case 'not_between':
      return rules.number_comparison === 'numbers'
        ? readBetween(value, operator === 'not_between')
        : undefined
    default:
      return undefined
  }
}

/** The number that the value of a condition is to whoever evaluates; undefined where it is a text. */
function readNumber(value: Json, { number_comparison }: EvaluationRules): number | undefined {
  const number =
    number_comparison === 'numbers'
      ? numberOf(value)
      : number_comparison === 'parsed'
        ? Number.parseFloat(textOf(value))
        : looseNumberOf(value)
  return Number.isFinite(number) ? number : undefined
}

function readBetween(value: Json, isOutside: boolean): Sizes | undefined {
  const [low, high] = isJsonArray(value) && value.length === 2 ? value.map(numberOf) : []
  if (low === undefined || high === undefined || !(low <= high)) return undefined
  return { numbers: { low: { at: low, isIncluded: true }, high: { at: high, isIncluded: true }, isOutside } }
}
