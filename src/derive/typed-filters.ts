import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'

/** The attributes of a flag that say in parts what `filters` says as JSON. */
export const typedAttributes = ['release', 'variants', 'payload', 'group_type_index'] as const

/** The filters that the typed attributes of a configuration amount to. Text that is no JSON stays text, for a check to find. */
export function typedFilters(config: JsonObject): JsonObject {
  const { release = null, variants = null, payload = null, group_type_index: groupType } = config
  const payloads = payloadsOf(payload, variants)
  return {
    ...(isJsonArray(release) ? { groups: release.map(condition) } : {}),
    ...(isJsonArray(variants) ? { multivariate: { variants: variants.map(variantJson) } } : {}),
    ...(payloads ? { payloads } : {}),
    ...(typeof groupType === 'number' ? { aggregation_group_type_index: groupType } : {}),
  }
}

function condition(value: Json): Json {
  const { properties = null, rollout_percentage: percent, variant, description } = membersOf(value)
  return {
    properties: isJsonArray(properties) ? properties.map(property) : [],
    rollout_percentage: typeof percent === 'number' ? percent : null,
    ...(typeof variant === 'string' ? { variant } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  }
}

function property(value: Json): Json {
  const { key, type: given, operator, group_type_index: groupType, negation, ...compared } = membersOf(value)
  const type = typeof given === 'string' ? given : 'person'
  return {
    key: typeof key === 'string' ? key : '',
    type,
    ...comparedWith(type, compared),
    ...(typeof operator === 'string' ? { operator } : {}),
    ...(typeof groupType === 'number' ? { group_type_index: groupType } : {}),
    ...(typeof negation === 'boolean' ? { negation } : {}),
  }
}

/** A cohort is named by a number; everything else is compared as text. */
function comparedWith(type: string, { value, values = null }: JsonObject): JsonObject {
  if (isJsonArray(values)) return { value: values.filter(each => typeof each === 'string') }
  if (typeof value !== 'string') return {}
  return { value: type === 'cohort' && /^\d{1,15}$/.test(value) ? Number(value) : value }
}

function variantJson(value: Json): Json {
  const { key, name, rollout_percentage: percent } = membersOf(value)
  return {
    key: typeof key === 'string' ? key : '',
    ...(typeof name === 'string' ? { name } : {}),
    rollout_percentage: typeof percent === 'number' ? percent : 0,
  }
}

function payloadsOf(payload: Json, variants: Json): JsonObject | undefined {
  // A payload travels as the text it is, so that no number of it is ever rounded.
  const own = typeof payload === 'string' ? [['true', payload] as const] : []
  const ofVariants = (isJsonArray(variants) ? variants : []).flatMap(variant => {
    const { key, payload: text } = membersOf(variant)
    return typeof key === 'string' && typeof text === 'string' ? [[key, text] as const] : []
  })
  const all = [...own, ...ofVariants]
  return all.length === 0 ? undefined : Object.fromEntries(all)
}

function membersOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : {}
}
