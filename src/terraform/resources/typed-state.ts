import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json.ts'
import { canonicalFilters, payloadText } from '../../targeting/index.ts'
import { isListValue, type ObjectValue, type Value } from '../values/value.ts'
import { memberOf } from '../values/walk-type.ts'
import { givenTyped, typedFilters } from './typed-filters.ts'

/**
 * Live filters as the typed attributes of a state that has some, so that drift shows where the configuration says
 * it and `ignore_changes` can name it. What still means the same stays as it was written. Undefined where the state
 * has no typed attributes, or where they cannot say what is live.
 */
export function typedState(state: ObjectValue, live: Json): ObjectValue | undefined {
  if (givenTyped(state).length === 0 || !isJsonObject(live)) return undefined
  const { multivariate, payloads, aggregation_group_type_index: groupType } = live
  const variants = isJsonObject(multivariate) ? multivariate.variants : undefined
  const texts = isJsonObject(payloads) ? payloads : {}
  const typed: ObjectValue = {
    release: releaseOf(live.groups, memberOf(state, 'release')),
    variants: variantsOf(variants, texts, memberOf(state, 'variants')),
    payload: payloadOf(texts.true, memberOf(state, 'payload')),
    group_type_index: typeof groupType === 'number' ? groupType : null,
  }
  return isSameFilters(typedFilters(typed), live) ? typed : undefined
}

function releaseOf(groups: Json | undefined, was: Value): Value {
  const isWritten = isListValue(was)
  if (!isWritten && isSameFilters({ groups: groups ?? null }, {})) return null
  const conditions = isJsonArray(groups) ? groups : [{}]
  return conditions.map((live, index) => {
    const written = isWritten ? was[index] : undefined
    const isKept =
      written !== undefined && isSameFilters(typedFilters({ release: [written] }), { groups: [live] })
    return isKept ? written : isJsonObject(live) ? conditionValue(live) : null
  })
}

function conditionValue(condition: JsonObject): ObjectValue {
  const { properties, rollout_percentage: percent, variant, description } = condition
  const all = isJsonArray(properties) ? properties.filter(isJsonObject) : []
  return {
    properties: all.length > 0 ? all.map(propertyValue) : null,
    rollout_percentage: typeof percent === 'number' ? percent : null,
    variant: typeof variant === 'string' ? variant : null,
    description: typeof description === 'string' ? description : null,
  }
}

function propertyValue({ key, value, operator, type, group_type_index, negation }: JsonObject): ObjectValue {
  return {
    key: typeof key === 'string' ? key : '',
    value: typeof value === 'string' || typeof value === 'number' ? String(value) : null,
    values: value !== undefined && isJsonArray(value) ? value.map(String) : null,
    operator: typeof operator === 'string' ? operator : null,
    type: typeof type === 'string' && type !== 'person' ? type : null,
    group_type_index: typeof group_type_index === 'number' ? group_type_index : null,
    negation: typeof negation === 'boolean' ? negation : null,
  }
}

function variantsOf(variants: Json | undefined, payloads: JsonObject, was: Value): Value {
  if (variants === undefined || !isJsonArray(variants) || variants.length === 0) return null
  return variants.map((live, index) => {
    if (!isJsonObject(live)) return null
    const { key, name, rollout_percentage: percent } = live
    const payload = payloads[String(key)]
    const written = isListValue(was) ? was[index] : undefined
    const isKept =
      written !== undefined &&
      isSameFilters(typedFilters({ variants: [written] }), {
        multivariate: { variants: [live] },
        ...(payload === undefined ? {} : { payloads: { [String(key)]: payload } }),
      })
    if (isKept) return written
    return {
      key: typeof key === 'string' ? key : '',
      name: typeof name === 'string' ? name : null,
      rollout_percentage: typeof percent === 'number' ? percent : null,
      payload: payload === undefined || payload === null ? null : payloadText(payload),
    }
  })
}

function payloadOf(live: Json | undefined, was: Value): Value {
  if (live === undefined || live === null) return null
  const isKept =
    typeof was === 'string' && isSameFilters({ payloads: { true: was } }, { payloads: { true: live } })
  return isKept ? was : payloadText(live)
}

function isSameFilters(one: JsonObject, other: JsonObject): boolean {
  return isSameJson(canonicalFilters(one), canonicalFilters(other))
}
