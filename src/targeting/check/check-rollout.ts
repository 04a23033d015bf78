import { doubleOf } from '../../hcl/json.ts'

import type { Json } from '../../model/json/json.ts'
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
