import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import type { RedactedPart } from '../model/redacted-part.ts'
import { canonicalPayload } from './canonical-filters.ts'
import { canonicalProperty } from './compare/meaning.ts'
import { filterParts } from './filter-parts.ts'

/** One value inside of filters that may have to be hidden. */
export interface HiddenValue {
  readonly part: RedactedPart
  readonly value: Json
  /** The form in which it is compared: while this is the same, it has not changed. */
  readonly compared: Json
  /** Of a payload: the variant that it belongs to. */
  readonly variant?: string
}

/**
 * Filters with something else in place of each payload, each description and each value that a condition compares with,
 * as `hide` has it. What says nothing stays.
 *
 * | a property is of    | its value                                                        |
 * |---------------------|------------------------------------------------------------------|
 * | a cohort, or a flag | stays: it names another object                                   |
 * | anything else       | is one value; in a list each element is, so that they can be told from each other |
 *
 * Members that only other parts of the product write have conditions in them as well, so all of them are looked through.
 */
export function redactFilters(filters: Json, hide: (hidden: HiddenValue) => Json): Json {
  if (isJsonArray(filters)) return filters.map(each => redactFilters(each, hide))
  if (!isJsonObject(filters)) return filters
  return mapMembers(filters, (value, name) => redactMember(filters, name, value, hide))
}

type Hide = Parameters<typeof redactFilters>[1]

function redactMember(around: JsonObject, name: string, value: Json, hide: Hide): Json {
  const part = Object.hasOwn(redactedMembers, name) ? redactedMembers[name] : undefined
  if (part === undefined) return redactFilters(value, hide)
  if (part === 'payloads') {
    if (!isJsonObject(value)) return value
    return mapMembers(value, (payload, variant) =>
      payload === null
        ? payload
        : hide({ part, value: payload, compared: canonicalPayload(payload), variant }),
    )
  }
  if (name === 'value' && (around.type === 'cohort' || around.type === 'flag')) return value
  const hideOne = (one: Json, compared: Json) =>
    one === null || one === '' ? one : hide({ part, value: one, compared })
  if (isJsonArray(value)) return value.map(each => hideOne(each, each))
  return hideOne(value, name === 'value' ? comparedValue(around) : value)
}

/** The value of a property in the form in which it is compared: to some operators a number is its text. */
function comparedValue(property: JsonObject): Json {
  const canonical = canonicalProperty(property)
  const value = isJsonObject(canonical) ? (canonical.value ?? null) : null
  return isJsonArray(value) && value.length === 1 ? (value[0] ?? null) : value
}

function mapMembers(members: JsonObject, form: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, form(value, name)]))
}

/** By its name, what a member of any part of filters is. */
const redactedMembers: Readonly<Record<string, RedactedPart>> = Object.fromEntries(
  Object.values(filterParts).flatMap(({ members }) =>
    Object.entries(members).flatMap(([name, { redactedAs }]) => (redactedAs ? [[name, redactedAs]] : [])),
  ),
)
