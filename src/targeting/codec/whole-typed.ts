import { isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { canonicalFilters, compactFilters } from '../filters.ts'
import { withConditions } from '../old-form.ts'
import { decodeFilters, encodeFilters } from './codec.ts'
import { withShort } from './keep-typed.ts'

/**
 * The typed form that says all of filters, each attribute of it there; a share of everybody is said as such. Undefined
 * where it cannot say everything, or the filters do not say who gets the flag. Whoever imports a flag in the typed form
 * and whoever writes its configuration go by this, so that they choose the same attributes.
 */
export function wholeTyped(filters: Json): JsonObject | undefined {
  if (!isJsonObject(filters)) return undefined
  const compact = compactFilters(withConditions(filters))
  if (!isJsonObject(compact)) return undefined
  const decoded = decodeFilters(compact)
  if (decoded.release === null) return undefined
  const typed = withShort(decoded, shareOfEverybody)
  return isSameJson(canonicalFilters(encodeFilters(typed)), canonicalFilters(filters)) ? typed : undefined
}

const shareOfEverybody = { release: null, rollout_percentage: 100 }
