import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import type { NamedThing, NumberOf } from './short-context.ts'

/** The names of numbers, or their numbers elsewhere; undefined for what has none. */
export type NameOf = (thing: NamedThing, number: number) => Json | undefined

/** The names of cohorts and group types in one place, in both directions. */
export interface Naming {
  readonly numberOf: NumberOf
  readonly nameOf: NameOf
}

/**
 * Filters with names in place of numbers, which filters do not allow: conditions are compared with those of
 * other places by these names, and named after them.
 */
export function namedFilters(filters: Json, nameOf: NameOf): Json {
  const typed = (part: Json, member: string) =>
    isJsonObject(part) ? mapMember(part, member, number => nameFor('group type', number, nameOf)) : part
  const property = (each: Json) => typed(namedMember(each, nameOf), 'group_type_index')
  const condition = (each: Json) =>
    typed(
      isJsonObject(each) ? mapMember(each, 'properties', list => mapElements(list, property)) : each,
      'aggregation_group_type_index',
    )
  if (!isJsonObject(filters)) return filters
  return typed(
    mapMember(filters, 'groups', groups => mapElements(groups, condition)),
    'aggregation_group_type_index',
  )
}

/** A property in full, with the name of a group type in the member for it. */
export function withTypeName(property: Json): Json {
  if (!isJsonObject(property) || typeof property.group_type_index !== 'string') return property
  const { group_type_index: name, ...others } = property
  return { ...others, group_type: name }
}

/** A property as in filters, with the name of its cohort. */
function namedMember(property: Json, nameOf: NameOf): Json {
  return isJsonObject(property) && property.type === 'cohort'
    ? mapMember(property, 'value', number => nameFor('cohort', number, nameOf))
    : property
}

function nameFor(thing: NamedThing, number: Json, nameOf: NameOf): Json {
  return (typeof number === 'number' ? nameOf(thing, number) : undefined) ?? number
}

function mapMember(value: JsonObject, name: string, map: (member: Json) => Json): JsonObject {
  const member = value[name]
  return member === undefined ? value : { ...value, [name]: map(member) }
}

function mapElements(value: Json, map: (element: Json) => Json): Json {
  if (isJsonArray(value)) return value.map(map)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, element]) => [name, map(element)]))
}

/** A text of digits is a number, as everywhere. */
export function isNumberText(text: string): boolean {
  return /^\d+$/.test(text)
}
