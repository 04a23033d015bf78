import { isJsonObject, type Json } from '../../model/json/json.ts'
import { compactFilters } from '../filters.ts'
import { isNumberText } from '../short/expand-properties.ts'
import { namedFilters } from '../short/naming.ts'

/** The numbers of types of groups, or of cohorts, by the names that the settings give them. */
export type GroupTypeNumbers = Readonly<Record<string, number>>

/**
 * Filters as people are told of them: with names of types of groups and of cohorts in place of numbers, of several the first.
 * What has no name keeps its number, and so does what only looks like a number by its name. They are of no use to a service.
 */
export function withGroupTypesNamed(
  filters: Json,
  groupTypes: GroupTypeNumbers,
  cohorts: GroupTypeNumbers = {},
): Json {
  const names = { 'group type': namesIn(groupTypes), cohort: namesIn(cohorts) }
  if (names['group type'].size + names.cohort.size === 0 || !isJsonObject(filters)) return filters
  return namedFilters(compactFilters(filters), (thing, number) => names[thing].get(number))
}

function namesIn(numbers: GroupTypeNumbers): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(numbers)
      .filter(([name]) => name !== '' && !isNumberText(name))
      .map(([name, number]) => [number, name] as const)
      .toReversed(),
  )
}
