import type { Services } from '../../model/connection/profile.ts'
import type { Json } from '../../model/json/json.ts'
import { numbersAsWritten, respelledNumbers } from '../../model/json/json-numbers.ts'
import { segmentsOf } from '../../model/json/pointer.ts'
import { countedMembers } from '../filter-parts.ts'
import { checkFilters } from './check-filters.ts'
import { type FilterProblem, filterWarning } from './filter-problem.ts'

/** What is wrong with filters that were read from a JSON text, the numbers that reading has respelled among it. */
export function checkFiltersText(filters: Json, text: string, services?: Services): FilterProblem[] {
  const written = numbersAsWritten(text)
  const problems = checkFilters(filters, pointer => written.get(pointer), services)
  const broken = new Set(problems.map(({ pointer }) => pointer))
  const respelled = respelledNumbers(text).filter(
    ({ pointer }) => !broken.has(pointer) && !countedMembers.has(segmentsOf(pointer).at(-1) ?? ''),
  )
  return [
    ...problems,
    ...respelled.map(({ pointer, written: source, read }) =>
      filterWarning(
        pointer,
        'respelled-number',
        `${source} is read as the number ${read}`,
        `write "${source}" in quotes where the text is meant, else ${read}`,
      ),
    ),
  ]
}
