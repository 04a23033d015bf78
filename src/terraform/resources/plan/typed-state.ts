import { knownJson } from '../../../cty/encoding/json-value.ts'
import type { ObjectValue } from '../../../cty/value.ts'
import { memberOf } from '../../../cty/walk-type.ts'
import { isJsonObject, isSameJson, type Json, type JsonObject } from '../../../model/json/json.ts'
import { decodeFilters, encodeFilters } from '../../../targeting/codec/codec.ts'
import { keepTyped } from '../../../targeting/codec/keep-typed.ts'
import { typedAttributes } from '../../../targeting/codec/typed-form.ts'
import { withGroupTypesAs } from '../../../targeting/group-types.ts'
import { canonicalFilters } from '../../../targeting/index.ts'
import { givenTyped, typedFilters } from './typed-filters.ts'

/**
 * Live filters as the typed attributes of a state that has some, so that drift shows where the configuration says
 * it and `ignore_changes` can name it. What still means the same stays as it was written. Undefined where the state
 * has no typed attributes, or where they cannot say what is live.
 */
export function typedState(state: ObjectValue, live: Json): ObjectValue | undefined {
  if (givenTyped(state).length === 0 || !isJsonObject(live)) return undefined
  const was = pickTyped(state)
  // Newer services say in each condition which groups it counts, and a state where its configuration does.
  const decoded = decodeFilters(withGroupTypesAs(live, encodeFilters(was)))
  // Filters without conditions are one that everybody matches, which a state may not have written.
  const release = decoded.release ?? (was.release === null ? null : (everybody.release ?? null))
  const typed: ObjectValue = keepTyped({ ...decoded, release }, was)
  return isSameFilters(typedFilters(typed), live) ? typed : undefined
}

const everybody = decodeFilters({ groups: [{}] })

function pickTyped(state: ObjectValue): JsonObject {
  return Object.fromEntries(typedAttributes.map(name => [name, knownJson(memberOf(state, name))]))
}

function isSameFilters(one: JsonObject, other: JsonObject): boolean {
  return isSameJson(canonicalFilters(one), canonicalFilters(other))
}
