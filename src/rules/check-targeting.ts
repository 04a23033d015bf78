import type { Services } from '../model/connection.ts'
import type { Json } from '../model/json/json.ts'
import { numbersAsWritten, respelledNumbers } from '../model/json/json-numbers.ts'
import { pointerOf, segmentsOf } from '../model/json/pointer.ts'
import { checkFilters } from '../targeting/check/check-filters.ts'
import { toleranceOf } from '../targeting/check/filter-mistakes.ts'
import { type FilterProblem, filterWarning, type Written } from '../targeting/check/filter-problem.ts'
import { countedMembers } from '../targeting/filter-parts.ts'
import { isKnown, knownFilters, type PartlyKnown, surenessIn } from './known-part.ts'
import type { ProblemOf } from './object-problem.ts'

/** The value in the source: as JSON text, or with the texts of its scalars. */
export type Spelling = { readonly text: string } | { readonly written: Written }

/**
 * The rules of targeting that the value of a field breaks. Some of them hold in the service only for new
 * values. Unknown parts count as right, and no warning is given that they might make wrong. `services` are
 * those that may be written to; all if they are not known.
 */
export function checkTargeting(
  name: string,
  value: PartlyKnown,
  spelling?: Spelling,
  services?: Services,
): ProblemOf<'targeting'>[] {
  return isKnown(value)
    ? checkKnownTargeting(name, value, spelling, services)
    : brokenAt(name, surelyIn(value))
}

/** The same for a value that is known completely. */
export function checkKnownTargeting(
  name: string,
  value: Json,
  spelling?: Spelling,
  services?: Services,
): ProblemOf<'targeting'>[] {
  return brokenAt(name, problemsIn(value, spelling, services))
}

function brokenAt(name: string, found: readonly FilterProblem[]): ProblemOf<'targeting'>[] {
  return found.map(({ pointer, ...rest }) => {
    const tolerance = toleranceOf({ pointer, ...rest })
    return {
      ...rest,
      pointer: pointerOf(name) + pointer,
      field: name,
      rule: 'targeting',
      inside: pointer,
      ...(tolerance === undefined ? {} : { requires: { is: 'filters', pointer, tolerance } }),
    }
  })
}

function problemsIn(
  value: Json,
  spelling: Spelling | undefined,
  services: Services | undefined,
): FilterProblem[] {
  if (spelling === undefined) return checkFilters(value, undefined, services)
  return 'text' in spelling
    ? checkFiltersText(value, spelling.text, services)
    : checkFilters(value, spelling.written, services)
}

/** Problems that do not depend on the unknown parts. */
function surelyIn(value: PartlyKnown): FilterProblem[] {
  const isSure = surenessIn(value)
  return checkFilters(knownFilters(value)).filter(each => each.severity === 'error' && isSure(each))
}

/** Problems of filters that were read from a JSON text, including numbers that reading has changed. */
function checkFiltersText(filters: Json, text: string, services?: Services): FilterProblem[] {
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
