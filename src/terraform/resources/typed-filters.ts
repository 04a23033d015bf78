import type { Json, JsonObject } from '../../model/json.ts'
import { pointerOf, segmentsOf } from '../../model/pointer.ts'
import { canonicalFilters } from '../../targeting/index.ts'
import type { AttributePath } from '../values/attribute-path.ts'
import { numberText } from '../values/big-num.ts'
import { type Unknown, unknown } from '../values/unknown.ts'
import { isListValue, isNumberValue, isWhollyKnown, type ObjectValue, type Value } from '../values/value.ts'
import { memberOf } from '../values/walk-type.ts'
import { writeJson } from './json-text.ts'

/** The attributes that say in parts what `filters` says as JSON. */
export const typedAttributes = ['release', 'variants', 'payload', 'group_type_index'] as const

/** Those of them that a configuration gives. */
export function givenTyped(config: ObjectValue): string[] {
  return typedAttributes.filter(name => memberOf(config, name) !== null)
}

/**
 * The `filters` that a configuration's typed attributes amount to, as JSON text; unknown while any part of them is,
 * and undefined where it gives none.
 */
export function typedFiltersText(config: ObjectValue): string | Unknown | undefined {
  const given = givenTyped(config)
  if (given.length === 0) return undefined
  if (!given.every(name => isWhollyKnown(memberOf(config, name)))) return unknown
  return writeJson(canonicalFilters(typedFilters(config)))
}

/** The same as JSON. Text that is no JSON stays text, for the check to find. */
export function typedFilters(config: ObjectValue): JsonObject {
  const [release, variants] = [memberOf(config, 'release'), memberOf(config, 'variants')]
  const payloads = payloadsOf(memberOf(config, 'payload'), variants)
  const groupType = memberOf(config, 'group_type_index')
  return {
    ...(isListValue(release) ? { groups: release.map(condition) } : {}),
    ...(isListValue(variants) ? { multivariate: { variants: variants.map(variantJson) } } : {}),
    ...(payloads ? { payloads } : {}),
    ...(isNumberValue(groupType) ? { aggregation_group_type_index: number(groupType) } : {}),
  }
}

/**
 * Where in the configuration something of the typed filters stands, and the rest of the way in words: a path stops at
 * the element of a list, since deeper ones are not underlined.
 */
export function typedPath(
  pointer: string,
  config: ObjectValue,
): { readonly path: AttributePath; readonly rest: string } {
  const [member = '', ...steps] = segmentsOf(pointer)
  switch (member) {
    case 'groups':
      return withIndex('release', steps)
    case 'multivariate':
      return withIndex('variants', steps.slice(1))
    case 'payloads':
      return payloadPath(steps[0] ?? '', config)
    default:
      return { path: ['group_type_index'], rest: '' }
  }
}

function withIndex(attribute: string, [index, ...rest]: readonly string[]) {
  return index === undefined
    ? { path: [attribute], rest: '' }
    : { path: [attribute, Number(index)], rest: pointerOf(...rest) }
}

function payloadPath(key: string, config: ObjectValue) {
  const variants = memberOf(config, 'variants')
  const index = isListValue(variants) ? variants.findIndex(variant => memberOf(variant, 'key') === key) : -1
  return index < 0 ? { path: ['payload'], rest: '' } : { path: ['variants', index], rest: '/payload' }
}

function condition(value: Value): Json {
  const properties = memberOf(value, 'properties')
  const [percent, variant] = [memberOf(value, 'rollout_percentage'), memberOf(value, 'variant')]
  return {
    properties: isListValue(properties) ? properties.map(property) : [],
    rollout_percentage: isNumberValue(percent) ? number(percent) : null,
    ...(typeof variant === 'string' ? { variant } : {}),
  }
}

function property(value: Value): Json {
  const text = (name: string) => {
    const given = memberOf(value, name)
    return typeof given === 'string' ? given : undefined
  }
  const type = text('type') ?? 'person'
  const [operator, groupType, negation] = [
    text('operator'),
    memberOf(value, 'group_type_index'),
    memberOf(value, 'negation'),
  ]
  return {
    key: text('key') ?? '',
    type,
    ...comparedWith(type, memberOf(value, 'value'), memberOf(value, 'values')),
    ...(operator === undefined ? {} : { operator }),
    ...(isNumberValue(groupType) ? { group_type_index: number(groupType) } : {}),
    ...(typeof negation === 'boolean' ? { negation } : {}),
  }
}

/** A cohort is named by a number; everything else is compared as text. */
function comparedWith(type: string, value: Value, values: Value): JsonObject {
  if (isListValue(values)) return { value: values.filter(each => typeof each === 'string') }
  if (typeof value !== 'string') return {}
  return { value: type === 'cohort' && /^\d{1,15}$/.test(value) ? Number(value) : value }
}

function variantJson(value: Value): Json {
  const [key, name, percent] = [
    memberOf(value, 'key'),
    memberOf(value, 'name'),
    memberOf(value, 'rollout_percentage'),
  ]
  return {
    key: typeof key === 'string' ? key : '',
    ...(typeof name === 'string' ? { name } : {}),
    rollout_percentage: isNumberValue(percent) ? number(percent) : 0,
  }
}

function payloadsOf(payload: Value, variants: Value): JsonObject | undefined {
  // A payload travels as the text it is, so that no number of it is ever rounded.
  const own = typeof payload === 'string' ? [['true', payload] as const] : []
  const ofVariants = (isListValue(variants) ? variants : []).flatMap(variant => {
    const [key, text] = [memberOf(variant, 'key'), memberOf(variant, 'payload')]
    return typeof key === 'string' && typeof text === 'string' ? [[key, text] as const] : []
  })
  const all = [...own, ...ofVariants]
  return all.length === 0 ? undefined : Object.fromEntries(all)
}

function number(value: Value): number {
  return isNumberValue(value) ? Number(numberText(value)) : 0
}
