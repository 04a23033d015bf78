import { doubleOf } from '../../hcl/json.ts'
import { isJsonObject, type Json } from '../../model/text/json.ts'
import { percentages } from '../filter-parts.ts'
import { type FilterProblem, filterError } from './filter-problem.ts'

/** What is wrong with the `rollout_percentage` of a condition or a variant. */
export function checkRollout(percent: Json | undefined, pointer: string): FilterProblem[] {
  if ((percent ?? null) === null)
    return [filterError(pointer, 'percentage-type', 'no percentage is given', 'write one, such as 25')]
  const share = doubleOf(percent)
  if (share === undefined)
    return [
      filterError(
        pointer,
        'percentage-type',
        'the percentage is not a number',
        'write it as 25, without % or quotes',
      ),
    ]
  const { from, to } = percentages
  if (share >= from && share <= to) return []
  const hint = `it goes from ${from} to ${to}`
  return [filterError(pointer, 'percentage-range', `${share} is not a percentage`, hint)]
}

/** Variants must add up to 100 percent. */
export function checkSum(variants: readonly Json[], pointer: string): FilterProblem[] {
  const weights = variants.map(variant =>
    isJsonObject(variant) ? doubleOf(variant.rollout_percentage) : undefined,
  )
  const numbers = weights.filter(weight => weight !== undefined)
  // A sum over what cannot be read would only repeat that problem in other words.
  if (numbers.length < weights.length) return []
  const sum = numbers.reduce((total, weight) => total + weight, 0)
  if (isWhole(sum)) return []
  const shown = Number(sum.toPrecision(12))
  return [filterError(pointer, 'variant-sum', `the variants add up to ${shown}%`, 'they must add up to 100%')]
}

/** Whether shares add up to 100, with the precision that the service requires. */
function isWhole(sum: number): boolean {
  return Math.abs(sum - 100) <= 1e-9
}
