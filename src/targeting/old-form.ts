import { isEmptyJson, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'

/**
 * Filters as they were kept before a flag could have several conditions: without `groups`, the properties and the
 * percentage of the only one stand at the top. The service goes on reading them as that one condition, so who takes
 * them for filters without conditions takes a few people for everybody. [PostHog, FeatureFlag.get_filters]
 *
 * | `groups`       | `properties` or `rollout_percentage` at the top | read as                       |
 * |----------------|-------------------------------------------------|-------------------------------|
 * | a list         | any: they mean nothing to the service           | as they are                   |
 * | absent or null | one of them                                     | one condition of both         |
 * | absent or null | neither                                         | as they are: it is everybody  |
 */
export function withConditions(filters: JsonObject): JsonObject {
  const { groups, properties, rollout_percentage: percent, ...others } = filters
  if (hasConditions(filters) || (isEmptyJson(properties) && isEmptyJson(percent))) return filters
  const condition = {
    ...(isEmptyJson(properties) ? {} : { properties }),
    ...(isEmptyJson(percent) ? {} : { rollout_percentage: percent }),
  }
  return { ...others, groups: [condition] }
}

/** True where `groups` says who gets the flag, be it nobody. */
export function hasConditions(filters: Json): boolean {
  return isJsonObject(filters) && (Array.isArray(filters.groups) || !isEmptyJson(filters.groups))
}
