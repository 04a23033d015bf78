import {
  canonicalText,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../model/json.ts'

/** The attributes of a flag that say in parts what `filters` says as JSON. */
export const typedAttributes = ['release', 'variants', 'payload', 'group_type_index'] as const

/**
 * The filters that the typed attributes of a configuration amount to. Null is what is left out; everything else
 * arrives, so that a check finds what is wrong with it: a condition that is null is none that everybody matches.
 *
 * | a property's `value` | of the type                      | on the wire                             |
 * |----------------------|----------------------------------|-----------------------------------------|
 * | digits               | `cohort`                         | the number, which is a cohort's id      |
 * | `true`, `false`      | `flag`                           | the truth value: the flag is on, or off |
 * | any other text       | `flag`                           | the text, which is the key of a variant |
 * | any text             | `person`, `group`                | the text, as everything is compared     |
 */
export function typedFilters(config: JsonObject): JsonObject {
  const { release = null, variants = null, payload = null, group_type_index: groupType = null } = config
  const payloads = payloadsOf(payload, variants)
  return {
    ...given('groups', elements(release, condition)),
    ...(variants === null ? {} : { multivariate: { variants: elements(variants, variantJson) } }),
    ...(payloads ? { payloads } : {}),
    ...given('aggregation_group_type_index', groupType),
  }
}

/**
 * The typed attributes that come nearest to filters, each of the type that it has in a configuration. What they cannot
 * say is null there, so whoever needs all of it compares what they amount to. The way back of `typedFilters`.
 */
export function attributesOfFilters(filters: JsonObject): JsonObject {
  const {
    groups = null,
    multivariate = null,
    payloads = null,
    aggregation_group_type_index: groupType,
  } = filters
  const texts = membersOf(payloads)
  const { variants = null } = membersOf(multivariate)
  return {
    release: objects(groups, conditionValue),
    variants: objects(variants, variant => variantValue(variant, texts)),
    payload: text(texts.true),
    group_type_index: number(groupType),
  }
}

function condition(members: JsonObject): Json {
  const {
    properties = null,
    rollout_percentage: percent = null,
    variant = null,
    description = null,
  } = members
  return {
    properties: elements(properties, property) ?? [],
    rollout_percentage: percent,
    ...given('variant', variant),
    ...given('description', description),
  }
}

function conditionValue(members: JsonObject): Json {
  const { properties = null, rollout_percentage: percent, variant, description } = members
  const isEmpty = isJsonArray(properties) && properties.length === 0
  return {
    properties: isEmpty ? null : objects(properties, propertyValue),
    rollout_percentage: number(percent),
    variant: text(variant),
    description: text(description),
  }
}

function property(members: JsonObject): Json {
  const { key = null, type: said = null, operator = null, group_type_index: groupType = null } = members
  const { value = null, values = null, negation = null } = members
  const type = said ?? 'person'
  return {
    key: key ?? '',
    type,
    ...given('value', values ?? comparedWith(type, value)),
    ...given('operator', operator),
    ...given('group_type_index', groupType),
    ...given('negation', negation),
  }
}

function propertyValue(members: JsonObject): Json {
  const { key, type = null, operator, value = null, group_type_index: groupType, negation } = members
  return {
    key: text(key) ?? '',
    value: valueText(value),
    values: isJsonArray(value) ? value.map(valueText) : null,
    operator: text(operator),
    type: type === 'person' ? null : text(type),
    group_type_index: number(groupType),
    negation: typeof negation === 'boolean' ? negation : null,
  }
}

function comparedWith(type: Json, value: Json): Json {
  if (type === 'cohort' && typeof value === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(value))
    return Number(value)
  if (type === 'flag' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** Terraform has texts where the wire has a text, a number or a truth value. */
function valueText(value: Json): string | null {
  return isJsonNumber(value) || typeof value === 'boolean' ? canonicalText(value) : text(value)
}

function variantJson({ key = null, name = null, rollout_percentage: percent = null }: JsonObject): Json {
  return { key: key ?? '', ...given('name', name), rollout_percentage: percent }
}

function variantValue({ key, name, rollout_percentage: percent }: JsonObject, payloads: JsonObject): Json {
  const payload = typeof key === 'string' && Object.hasOwn(payloads, key) ? payloads[key] : null
  return {
    key: text(key) ?? '',
    name: text(name),
    rollout_percentage: number(percent),
    payload: text(payload),
  }
}

function payloadsOf(payload: Json, variants: Json): JsonObject | undefined {
  // A payload travels as the text it is, so that no number of it is ever rounded.
  const own = payload === null ? [] : [['true', payload] as const]
  const ofVariants = (isJsonArray(variants) ? variants : []).flatMap(variant => {
    const { key, payload: text = null } = membersOf(variant)
    return typeof key === 'string' && text !== null ? [[key, text] as const] : []
  })
  const all = [...own, ...ofVariants]
  return all.length === 0 ? undefined : Object.fromEntries(all)
}

/** Each object of a list in another form; what is no list, and no object, stays as it is. */
function elements(list: Json, form: (element: JsonObject) => Json): Json {
  if (!isJsonArray(list)) return list
  return list.map(element => (isJsonObject(element) ? form(element) : element))
}

/** The same for a configuration, which has lists of objects there or nothing. */
function objects(list: Json, form: (element: JsonObject) => Json): Json {
  return isJsonArray(list) ? list.map(element => (isJsonObject(element) ? form(element) : null)) : null
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function number(value: Json | undefined): Json {
  return isJsonNumber(value) ? value : null
}

function given(name: string, value: Json): JsonObject {
  return value === null ? {} : { [name]: value }
}

function membersOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : {}
}
