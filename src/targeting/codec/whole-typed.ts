import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { canonicalFilters, compactFilters } from '../filters.ts'
import { withConditions } from '../old-form.ts'
import { decodeFilters, encodeFilters } from './codec.ts'
import { withShort } from './keep-typed.ts'

/**
 * The typed form that says all of filters, each attribute of it there; a share of everybody is said as such, and so is a
 * condition that would say nothing, which looks like one whose names are misspelt. Undefined where it cannot say
 * everything, or the filters do not say who gets the flag. Whoever imports a flag in the typed form and whoever writes its
 * configuration go by this, so that they choose the same attributes.
 */
export function wholeTyped(filters: Json): JsonObject | undefined {
  if (!isJsonObject(filters)) return undefined
  const compact = compactFilters(withConditions(filters))
  if (!isJsonObject(compact)) return undefined
  const decoded = decodeFilters(compact)
  if (decoded.release === null) return undefined
  const typed = withoutEmpty(withShort(decoded, shareOfEverybody))
  return isSameJson(canonicalFilters(encodeFilters(typed)), canonicalFilters(filters)) ? typed : undefined
}

function withoutEmpty(typed: JsonObject): JsonObject {
  const { release = null } = typed
  if (!isJsonArray(release)) return typed
  return { ...typed, release: release.map(each => (isJsonObject(each) ? sayingEverybody(each) : each)) }
}

/** A condition that would say nothing of who meets it says that all do, where that is meant. */
export function sayingEverybody<Condition extends object>(
  condition: Condition,
): Condition & { readonly rollout_percentage?: number } {
  return isEmptyCondition(condition) ? { ...condition, rollout_percentage: 100 } : condition
}

/** Whether a typed condition says nothing of who meets it: a description tells people, and no properties limit nothing. */
export function isEmptyCondition(condition: object): boolean {
  return Object.entries(condition).every(
    ([name, value]) =>
      name === 'description' || value === null || (Array.isArray(value) && value.length === 0),
  )
}

const shareOfEverybody = { release: null, rollout_percentage: 100 }
