import { isJsonObject, type Json } from '../../model/json/json.ts'
import { compactFilters } from '../filters.ts'
import { isNumberText } from '../short/expand-properties.ts'
import { namedFilters } from '../short/naming.ts'

/** The numbers of types of groups, by the names that the settings give them. */
export type GroupTypeNumbers = Readonly<Record<string, number>>

/**
 * Filters as people are told of them: with the name of a type of groups in place of its number, of several names the first.
 * What has no name keeps its number, and so does what only looks like a number by its name. They are of no use to a service.
 */
export function withGroupTypesNamed(filters: Json, numbers: GroupTypeNumbers): Json {
  const names = new Map(
    Object.entries(numbers)
      .filter(([name]) => name !== '' && !isNumberText(name))
      .map(([name, number]) => [number, name] as const)
      .toReversed(),
  )
  if (names.size === 0 || !isJsonObject(filters)) return filters
  return namedFilters(compactFilters(filters), (thing, number) =>
    thing === 'group type' ? names.get(number) : undefined,
  )
}
