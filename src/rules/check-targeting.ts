import type { Json } from '../model/json.ts'
import { pointerOf } from '../model/pointer.ts'
import { checkFilters } from '../targeting/check-filters.ts'
import { checkFiltersText } from '../targeting/check-filters-text.ts'
import type { Written } from '../targeting/filter-problem.ts'
import { toleranceOf } from '../targeting/tolerance.ts'
import type { ProblemOf } from './object-problem.ts'

/** How a value stands in the source: as JSON text, or where its scalars have texts of their own. */
export type Spelling = { readonly text: string } | { readonly written: Written }

/** The rules of targeting that the value of a field breaks. The service keeps some of them only for what is new. */
export function checkTargeting(name: string, value: Json, spelling?: Spelling): ProblemOf<'targeting'>[] {
  return found(value, spelling).map(({ pointer, ...said }) => {
    const tolerance = toleranceOf({ pointer, ...said })
    return {
      ...said,
      pointer: pointerOf(name) + pointer,
      field: name,
      rule: 'targeting',
      inside: pointer,
      ...(tolerance === undefined ? {} : { requires: { is: 'filters', pointer, tolerance } }),
    }
  })
}

function found(value: Json, spelling: Spelling | undefined) {
  if (spelling === undefined) return checkFilters(value)
  return 'text' in spelling ? checkFiltersText(value, spelling.text) : checkFilters(value, spelling.written)
}
