import type { Field } from './field.ts'
import { canonicalText, isEmptyJson, isJsonArray, type Json } from './text/json.ts'
import { compareTexts } from './text/names.ts'

/**
 * The canonical form of one field's value. Declared and live are compared, hashed and shown as a difference
 * only in it. Null and missing are the same; so are empty values of a field without its own form.
 */
export function canonicalValue(field: Field, value: Json | undefined): Json {
  if (value === undefined) return canonicalValue(field, null)
  if (field.canonical) return field.canonical(value)
  if (field.type === 'set' && isJsonArray(value)) return sortedUnique(value)
  return isEmptyJson(value) ? null : value
}

/** A value as it is shown: without members that have no meaning, but in its own spelling. */
export function compactValue(field: Field, value: Json | undefined): Json {
  return field.compact ? field.compact(value ?? null) : canonicalValue(field, value)
}

/** Whether two lists have the same texts, in any order, so that every canonical form of sets is the same. */
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

/**
 * Tags as the service keeps them: trimmed, lower-cased, a set.
 * [service-behaviour 2.6]
 */
export function tagSet(value: Json): Json {
  if (!isJsonArray(value)) return isEmptyJson(value) ? [] : value
  return sortedUnique(value.map(tag => (typeof tag === 'string' ? tag.trim().toLowerCase() : tag)))
}

/** A text as the service keeps it: trimmed; null is the empty text. */
export function trimmedText(value: Json): Json {
  if (value === null) return ''
  return typeof value === 'string' ? value.trim() : value
}

/** A switch that is off by default. */
export function offByDefault(value: Json): Json {
  return value ?? false
}

/** A value in canonical form. Its name keeps `Json` out of the types of the main entry. */
export type ToCanonical = (value: Json) => Json

/** A value with a default. */
export function withDefault(otherwise: Json): ToCanonical {
  return value => value ?? otherwise
}

function byText(left: Json, right: Json): number {
  return compareTexts(textOf(left), textOf(right))
}

/** An element that is no text, which the interface allows, still needs a place in the order. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalText(value)
}
