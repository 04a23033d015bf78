import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import type { RedactedPart } from '../model/redacted-part.ts'
import { canonicalPayload } from './canonical-filters.ts'
import { canonicalProperty } from './compare/meaning.ts'
import { filterParts } from './filter-parts.ts'

/** One value inside of filters that may have to be hidden. */
export interface HiddenValue {
  readonly part: RedactedPart
  readonly value: Json
  /** The form in which it is compared: as long as this is equal, it has not changed. */
  readonly compared: Json
  /** For a payload: the variant that it belongs to. */
  readonly variant?: string
}

/**
 * Filters in which `hide` replaces each payload, each description and each value that a condition compares
 * with. Members without meaning stay.
 *
 * | a property is of    | its value                                                        |
 * |---------------------|------------------------------------------------------------------|
 * | a cohort, or a flag | stays: it names another object                                   |
 * | anything else       | is one value; each element of a list is one, so that they can be distinguished   |
 *
 * Members that only other parts of the product write also contain conditions, so all of them are searched.
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

/** The value of a property as it is compared: some operators read a number as its text. */
function comparedValue(property: JsonObject): Json {
  const canonical = canonicalProperty(property)
  const value = isJsonObject(canonical) ? (canonical.value ?? null) : null
  return isJsonArray(value) && value.length === 1 ? (value[0] ?? null) : value
}

function mapMembers(members: JsonObject, form: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, form(value, name)]))
}

/** The part of `redact` for a member of any part of filters, by its name. */
const redactedMembers: Readonly<Record<string, RedactedPart>> = Object.fromEntries(
  Object.values(filterParts).flatMap(({ members }) =>
    Object.entries(members).flatMap(([name, { redactedAs }]) => (redactedAs ? [[name, redactedAs]] : [])),
  ),
)
