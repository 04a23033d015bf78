import { isJsonArray, isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { compactFilters } from '../../targeting/canonical-filters.ts'
import { withConditions } from '../../targeting/release.ts'

/**
 * Filters as people would write them: what the product's screens leave behind (nulls, empty members) and what other
 * parts of the product write is gone. Operators and payloads stay as they are. The canonical form stays the same.
 */
export function tidyFilters(filters: Json, foreign: readonly string[]): Json {
  if (!isJsonObject(filters)) return compactFilters(filters)
  const ours = pickMembers(withConditions(filters), (_, name) => !foreign.includes(name))
  const canonical = compactFilters(ours)
  if (!isJsonObject(canonical)) return canonical
  const { groups = [], multivariate = null, payloads = null, ...others } = canonical
  const inReadingOrder: JsonObject = {
    groups: withOperators(groups, ours.groups),
    multivariate,
    payloads: payloads === null ? null : (ours.payloads ?? null),
    ...others,
  }
  return pickMembers(inReadingOrder, member => member !== null)
}

/** The canonical form leaves `exact` out, which says more to a reader than nothing does. */
function withOperators(canonical: Json, written: Json | undefined): Json {
  return alongside(canonical, written, (condition, original) =>
    'properties' in condition
      ? {
          ...condition,
          properties: alongside(condition.properties ?? [], original.properties, (property, { operator }) =>
            typeof operator === 'string' ? { ...property, operator } : property,
          ),
        }
      : condition,
  )
}

/** Maps the objects of a list together with those of the list it was made from. */
function alongside(
  list: Json,
  originals: Json | undefined,
  map: (element: JsonObject, original: JsonObject) => Json,
): Json {
  if (!isJsonArray(list) || !isJsonArray(originals)) return list
  return list.map((element, index) => {
    const original = originals[index]
    return isJsonObject(element) && isJsonObject(original) ? map(element, original) : element
  })
}
