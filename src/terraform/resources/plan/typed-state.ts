import { isListValue, type ObjectValue, type Value } from '../../../cty/value.ts'
import { memberOf } from '../../../cty/walk-type.ts'
import { isJsonObject, isSameJson, type Json, type JsonObject } from '../../../model/json/json.ts'
import { decodeFilters } from '../../../targeting/codec/codec.ts'
import { canonicalFilters } from '../../../targeting/index.ts'
import { givenTyped, typedFilters } from './typed-filters.ts'

/**
 * Live filters as the typed attributes of a state that has some, so that drift shows where the configuration says
 * it and `ignore_changes` can name it. What still means the same stays as it was written. Undefined where the state
 * has no typed attributes, or where they cannot say what is live.
 */
export function typedState(state: ObjectValue, live: Json): ObjectValue | undefined {
  if (givenTyped(state).length === 0 || !isJsonObject(live)) return undefined
  const { release, variants, payload, group_type_index } = decodeFilters(live)
  const was = (name: string) => memberOf(state, name)
  const typed: ObjectValue = {
    release: releaseOf(release ?? null, was('release')),
    variants: keptElements(variants ?? null, was('variants'), variant => ({ variants: [variant] })),
    payload: kept(payload ?? null, was('payload'), text => ({ payload: text })),
    group_type_index: group_type_index ?? null,
  }
  return isSameFilters(typedFilters(typed), live) ? typed : undefined
}

/** Filters without conditions are one that everybody matches, which a state may not have written. */
function releaseOf(release: Value, was: Value): Value {
  const isWritten = isListValue(was)
  if (!isWritten && isSameFilters(typedFilters({ release }), {})) return null
  const conditions = release ?? decodeFilters({ groups: [{}] }).release ?? null
  return keptElements(conditions, was, condition => ({ release: [condition] }))
}

function keptElements(live: Value, was: Value, alone: (element: Value) => ObjectValue): Value {
  if (!isListValue(live)) return live
  return live.map((element, index) => kept(element, isListValue(was) ? (was[index] ?? null) : null, alone))
}

function kept(live: Value, was: Value, alone: (value: Value) => ObjectValue): Value {
  if (was === null || live === null) return live
  return isSameFilters(typedFilters(alone(was)), typedFilters(alone(live))) ? was : live
}

function isSameFilters(one: JsonObject, other: JsonObject): boolean {
  return isSameJson(canonicalFilters(one), canonicalFilters(other))
}
