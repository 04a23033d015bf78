import { isJsonArray, isJsonObject, type Json, type JsonArray, type JsonObject } from '../model/json/json.ts'

/** The flags that the conditions of filters name, by id or key. */
export function flagNames(filters: Json): string[] {
  if (!areFlagsNamed(filters)) return []
  return conditionsIn(filters)
    .flatMap(condition => propertiesIn(condition).filter(isNaming))
    .map(({ key }) => key)
}

/** Whether conditions of filters name any. Hardly any do, so the loop allocates nothing. */
export function areFlagsNamed(filters: Json): boolean {
  const conditions = conditionsIn(filters)
  for (let at = 0; at < conditions.length; at++) {
    const properties = propertiesIn(conditions[at] ?? null)
    for (let index = 0; index < properties.length; index++)
      if (isNaming(properties[index] ?? null)) return true
  }
  return false
}

function conditionsIn(filters: Json): JsonArray {
  return isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : nothing
}

function propertiesIn(condition: Json): JsonArray {
  return isJsonObject(condition) && isJsonArray(condition.properties) ? condition.properties : nothing
}

const nothing: JsonArray = []

/** Filters whose conditions name other flags by new names; the same value if no name changes. */
export function renameFlags(filters: Json, rename: (name: string) => string): Json {
  if (!isJsonObject(filters) || !areFlagsNamed(filters)) return filters
  const property = (value: Json): Json => {
    if (!isNaming(value)) return value
    const name = rename(value.key)
    return name === value.key ? value : { ...value, key: name }
  }
  const condition = (value: Json) => (isJsonObject(value) ? withList(value, 'properties', property) : value)
  return withList(filters, 'groups', condition)
}

/**
 * Whether a condition names a flag by its id: a text of digits is always an id. A flag whose key consists of
 * digits can only be named by its id.
 */
export function isFlagId(name: string): boolean {
  return /^[1-9]\d*$/.test(name)
}

function isNaming(property: Json): property is JsonObject & { readonly key: string } {
  if (typeof property !== 'object' || property === null || !('type' in property)) return false
  return property.type === 'flag' && isJsonObject(property) && typeof property.key === 'string'
}

function withList(value: JsonObject, name: string, change: (element: Json) => Json): JsonObject {
  const list = value[name]
  if (list === undefined || !isJsonArray(list)) return value
  const changed: JsonArray = list.map(change)
  return changed.every((element, index) => element === list[index]) ? value : { ...value, [name]: changed }
}
