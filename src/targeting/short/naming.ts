import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { isMembership } from './expand-properties.ts'
import type { NamedThing, NumberOf } from './short-context.ts'
import type { ShortForm } from './short-form.ts'

/** The names of numbers; undefined for what has none. */
export type NameOf = (thing: NamedThing, number: number) => string | undefined

/** The names of cohorts and group types in one place, in both directions. */
export interface Naming {
  readonly numberOf: NumberOf
  readonly nameOf: NameOf
}

/** The same short form with names in place of numbers; a number without a name stays. */
export function withNames(short: ShortForm, nameOf: NameOf): ShortForm {
  const named = withGroupTypeName(short, nameOf)
  const { release } = named
  if (release === undefined) return named
  return { ...named, release: mapElements(release, condition => namedCondition(condition, nameOf)) }
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

function namedCondition(condition: Json, nameOf: NameOf): Json {
  if (!isJsonObject(condition)) return condition
  const named = withGroupTypeName(condition, nameOf)
  const { properties } = named
  if (properties === undefined) return named
  return { ...named, properties: isJsonArray(properties) ? properties.map(full) : inMap(properties) }

  function full(property: Json): Json {
    const member = namedMember(property, nameOf)
    return isJsonObject(member) ? withGroupTypeName(member, nameOf) : member
  }

  function inMap(map: Json): Json {
    if (!isJsonObject(map)) return map
    return mapMember(map, 'cohort', compared =>
      isJsonObject(compared)
        ? Object.fromEntries(
            Object.entries(compared).map(([operator, value]) => [
              operator,
              isMembership('cohort', operator) ? nameFor('cohort', value, nameOf) : value,
            ]),
          )
        : compared,
    )
  }
}

/** A property as in filters, with the name of its cohort. */
function namedMember(property: Json, nameOf: NameOf): Json {
  return isJsonObject(property) && property.type === 'cohort'
    ? mapMember(property, 'value', number => nameFor('cohort', number, nameOf))
    : property
}

function withGroupTypeName(members: JsonObject, nameOf: NameOf): JsonObject {
  const { group_type_index: index } = members
  const name = typeof index === 'number' ? nameOf('group type', index) : undefined
  if (name === undefined) return members
  const entries = Object.entries(members)
  return Object.fromEntries(
    entries.map(entry => (entry[0] === 'group_type_index' ? ['group_type', name] : entry)),
  )
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
