import { doubleOf } from '../../hcl/json.ts'
import { isJsonObject, type Json } from '../../model/text/json.ts'
import { percentages } from '../filter-parts.ts'
import { type FilterProblem, filterError } from './filter-problem.ts'

export function checkRollout(percent: Json | undefined, pointer: string): FilterProblem[] {
  if ((percent ?? null) === null)
    return [
      filterError(pointer, 'percentage-type', 'the percentage is missing', 'write a percentage, such as 25'),
    ]
  const share = doubleOf(percent)
  if (share === undefined)
    return [
      filterError(
        pointer,
        'percentage-type',
        'the percentage is not a number',
        'write a number such as 25, without % or quotes',
      ),
    ]
  const { from, to } = percentages
  if (share >= from && share <= to) return []
  const hint = `write a number from ${from} to ${to}`
  return [filterError(pointer, 'percentage-range', `${share} is not a percentage`, hint)]
}

/** Variants must add up to 100 percent. */
export function checkSum(variants: readonly Json[], pointer: string): FilterProblem[] {
  const weights = variants.map(variant =>
    isJsonObject(variant) ? doubleOf(variant.rollout_percentage) : undefined,
  )
  const numbers = weights.filter(weight => weight !== undefined)
  // An unreadable percentage is already reported. An error about the sum would repeat that.
  if (numbers.length < weights.length) return []
  const sum = numbers.reduce((total, weight) => total + weight, 0)
  if (isWhole(sum)) return []
  const shown = Number(sum.toPrecision(12))
  return [
    filterError(
      pointer,
      'variant-sum',
      `the variants add up to ${shown}%`,
      'the variants must add up to 100%',
    ),
  ]
}

/** Whether percentages add up to 100, with the precision that the service requires. */
function isWhole(sum: number): boolean {
  return Math.abs(sum - 100) <= 1e-9
}
