import type { Field } from './field.ts'
import { canonicalText, isEmptyJson, isJsonArray, type Json } from './text/json.ts'
import { compareTexts } from './text/names.ts'

/**
 * The canonical form of one field's value. Declared and live values are compared, hashed and shown as a
 * difference only in this form. Null equals a missing value, and also an empty value if the field has no
 * canonical form of its own.
 */
export function canonicalValue(field: Field, value: Json | undefined): Json {
  if (value === undefined) return canonicalValue(field, null)
  if (field.canonical) return field.canonical(value)
  if (field.type === 'set' && isJsonArray(value)) return sortedUnique(value)
  return isEmptyJson(value) ? null : value
}

/** A value for display: without members that have no meaning, but in its own spelling. */
export function compactValue(field: Field, value: Json | undefined): Json {
  return field.compact ? field.compact(value ?? null) : canonicalValue(field, value)
}

/** Whether two lists contain the same texts in any order. Every canonical form of a set agrees with this. */
export function isSameSet(left: Json, right: Json): boolean {
  if (!isJsonArray(left) || !isJsonArray(right) || left.length !== right.length || left.length > fewElements)
    return false
  for (const text of left) if (typeof text !== 'string' || !right.includes(text)) return false
  for (const text of right) if (!left.includes(text)) return false
  return true
}

/** For longer lists, sorting is faster than searching each text in the other list. */
const fewElements = 20

/** A set as a list: sorted, without repeats. Null is the empty set. */
export function sortedUnique(value: Json): Json {
  if (!isJsonArray(value)) return isEmptyJson(value) ? [] : value
  return isSortedUnique(value) ? value : [...new Set(value)].sort(byText)
}

function isSortedUnique(value: readonly Json[]): boolean {
  let before: string | undefined
  for (const text of value) {
    if (typeof text !== 'string' || (before !== undefined && before >= text)) return false
    before = text
  }
  return true
}

/** Tags as the service stores them: a set, trimmed and in lower case. [service-behaviour 2.6] */
export function tagSet(value: Json): Json {
  if (!isJsonArray(value)) return isEmptyJson(value) ? [] : value
  return sortedUnique(value.map(tag => (typeof tag === 'string' ? tag.trim().toLowerCase() : tag)))
}

/** A text as the service stores it: trimmed. Null is the empty text. */
export function trimmedText(value: Json): Json {
  if (value === null) return ''
  return typeof value === 'string' ? value.trim() : value
}

/** A switch that is off by default. */
export function offByDefault(value: Json): Json {
  return value ?? false
}

/** Converts a value to canonical form. The type's name keeps `Json` out of the types of the main entry. */
export type ToCanonical = (value: Json) => Json

export function withDefault(otherwise: Json): ToCanonical {
  return value => value ?? otherwise
}

function byText(left: Json, right: Json): number {
  return compareTexts(textOf(left), textOf(right))
}

/** An element may be something other than text, and still needs a place in the order. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalText(value)
}
