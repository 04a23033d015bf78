import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonArray,
  type JsonObject,
} from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'

/**
 * Filters as services since 2026 rewrite them. Each condition names the type of groups that it counts, and so
 * does the whole if all conditions agree. Operators have their new names; payloads are text with the spaces
 * of Python. Filters already in this form do not change. [service-today 2]
 */
export function rewrittenFilters(filters: JsonObject): JsonObject {
  const above = filters.aggregation_group_type_index ?? null
  const named = mapGroups(filters, group => ({
    ...group,
    properties: listOf(group.properties),
    aggregation_group_type_index: group.aggregation_group_type_index ?? above,
  }))
  const rewritten = mapProperties(named, rewrittenProperty)
  const { payloads } = filters
  return {
    ...rewritten,
    aggregation_group_type_index: commonAggregation(rewritten) ?? null,
    ...(isJsonObject(payloads) ? { payloads: mapValues(payloads, spacedPayload) } : {}),
  }
}

export function mapGroups(filters: JsonObject, form: (group: JsonObject) => JsonObject): JsonObject {
  const groups = listOf(filters.groups)
  return { ...filters, groups: groups.map(group => (isJsonObject(group) ? form(group) : group)) }
}

/** Filters with another form of each property of their conditions. */
export function mapProperties(filters: JsonObject, form: (property: JsonObject) => Json): JsonObject {
  if (!isJsonArray(filters.groups)) return filters
  return mapGroups(filters, group => {
    if (!isJsonArray(group.properties)) return group
    return { ...group, properties: group.properties.map(each => (isJsonObject(each) ? form(each) : each)) }
  })
}

export function listOf(value: Json | undefined): JsonArray {
  return isJsonArray(value) ? value : []
}

const renamed: Readonly<Record<string, string>> = { min: 'gte', max: 'lte' }

function rewrittenProperty(property: JsonObject): JsonObject {
  const { key, operator } = property
  return {
    ...property,
    ...(typeof key === 'number' ? { key: String(key) } : {}),
    ...(typeof operator === 'string' ? { operator: renamed[operator] ?? operator } : {}),
  }
}

function commonAggregation(filters: JsonObject): Json | undefined {
  const indexes = new Set(
    listOf(filters.groups).map(group => (isJsonObject(group) ? group.aggregation_group_type_index : null)),
  )
  return indexes.size === 1 ? [...indexes][0] : null
}

function spacedPayload(payload: Json): Json {
  return typeof payload === 'string' ? payload : spacedText(payload)
}

/** JSON with a blank after commas and colons. */
function spacedText(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(spacedText).join(', ')}]`
  if (!isJsonObject(value)) return writeJson(value)
  const members = Object.entries(value).map(([name, member]) => `${writeJson(name)}: ${spacedText(member)}`)
  return `{${members.join(', ')}}`
}

function mapValues(value: JsonObject, form: (member: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, form(member)]))
}
