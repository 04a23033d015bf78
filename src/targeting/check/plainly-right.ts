import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { isJsonText } from '../canonical-filters.ts'
import { filterParts, percentages } from '../filter-parts.ts'
import { isOperatorName, operators } from '../operator-table.ts'
import { operatorOf } from '../operators.ts'
import { isReadTheSame } from './check-engines.ts'
import { mostValues } from './check-property.ts'
import { isWhole } from './check-variants.ts'

/**
 * Whether one look at each part shows that no check finds a problem in filters on any service. It ignores
 * conditions that nobody reaches, which need a comparison. Most filters pass. All others go through the
 * checks; a property test compares both.
 *
 * | the part     | has no problem if                                                                            |
 * |--------------|----------------------------------------------------------------------------------------------|
 * | filters      | it has conditions, variants and payloads only, and counts persons                           |
 * | a condition  | its members are known, its share is a percentage, and it gives no variant of its own        |
 * | a property   | it is one of a person, its operator is known everywhere, and engines agree on its value     |
 * | a cohort     | its value is an id, and it asks for who is in it                                             |
 * | the variants | each has a key of its own and a percentage, and they add up to 100                          |
 * | a payload    | it is that of a variant, or of the flag if there are none, and JSON if it is a text          |
 */
export function arePlainlyRight(filters: JsonObject): boolean {
  for (const name in filters) if (!isPlainPart(name, filters[name] ?? null, filters)) return false
  return true
}

function isPlainPart(name: string, part: Json, { multivariate }: JsonObject): boolean {
  switch (name) {
    case 'groups':
      return part === null || (isJsonArray(part) && part.every(isPlainCondition))
    case 'multivariate':
      return part === null || arePlainVariants(part)
    case 'payloads':
      return part === null || arePlainPayloads(part, multivariate ?? null)
    default:
      return false
  }
}

function isPlainCondition(condition: Json): boolean {
  if (!isJsonObject(condition)) return false
  for (const name in condition) {
    const member = condition[name] ?? null
    if (name === 'properties' ? !arePlainProperties(member) : !isPlainMember(name, member)) return false
  }
  return true
}

function isPlainMember(name: string, member: Json): boolean {
  if (name === 'rollout_percentage') return member === null || isPlainShare(member)
  if (name === 'variant' || name === 'aggregation_group_type_index') return member === null
  return isKnownMember('condition', name)
}

function arePlainProperties(properties: Json): boolean {
  return properties === null || (isJsonArray(properties) && properties.every(isPlainProperty))
}

function isPlainProperty(property: Json): boolean {
  if (!isJsonObject(property)) return false
  for (const name in property) if (!isKnownMember('property', name)) return false
  const { key, type, value = null, negation = null, group_type_index: group = null } = property
  if (typeof key !== 'string' || key === '' || group !== null) return false
  if (negation !== null && negation !== false) return false
  const name = operatorOf(property)
  if (typeof name !== 'string') return false
  if (type === 'cohort') return name === 'in' && isPlainId(value)
  return type === 'person' && isOperatorName(name) && isTaken(name, value) && isReadTheSame(name, value)
}

/** Whether an operator accepts a value of this type; patterns and dates are not decided here. */
function isTaken(name: keyof typeof operators, value: Json): boolean {
  switch (operators[name].value) {
    case 'none':
      return true
    case 'text':
      return typeof value === 'string'
    case 'any':
      return typeof value === 'string' || typeof value === 'number' || arePlainValues(value)
    default:
      return false
  }
}

function arePlainValues(value: Json): boolean {
  return isJsonArray(value) && value.length > 0 && value.length <= mostValues
}

function isPlainId(value: Json): boolean {
  return typeof value === 'string' ? /^\d+$/.test(value) : Number.isSafeInteger(value) && Number(value) >= 0
}

function arePlainVariants(multivariate: Json): boolean {
  if (!isJsonObject(multivariate)) return false
  for (const name in multivariate) if (name !== 'variants') return false
  const { variants = null } = multivariate
  if (!isJsonArray(variants) || variants.length === 0) return false
  const keys = new Set<Json>()
  let sum = 0
  for (const variant of variants) {
    if (!isPlainVariant(variant)) return false
    keys.add(variant.key)
    sum += variant.rollout_percentage
  }
  return keys.size === variants.length && isWhole(sum)
}

interface PlainVariant extends JsonObject {
  readonly key: string
  readonly rollout_percentage: number
}

function isPlainVariant(variant: Json): variant is PlainVariant {
  if (!isJsonObject(variant)) return false
  for (const name in variant) if (!isKnownMember('variant', name)) return false
  const { key, rollout_percentage: share = null } = variant
  return typeof key === 'string' && key !== '' && isPlainShare(share)
}

function arePlainPayloads(payloads: Json, multivariate: Json): boolean {
  if (!isJsonObject(payloads)) return false
  const variants = isJsonObject(multivariate) ? (multivariate.variants ?? null) : null
  const isKey = (name: string) =>
    isJsonArray(variants)
      ? variants.some(variant => isJsonObject(variant) && variant.key === name)
      : name === 'true'
  return Object.entries(payloads).every(
    ([name, payload]) => isKey(name) && (typeof payload !== 'string' || isJsonText(payload)),
  )
}

function isPlainShare(share: Json): boolean {
  return typeof share === 'number' && share >= percentages.from && share <= percentages.to
}

function isKnownMember(part: 'condition' | 'property' | 'variant', name: string): boolean {
  return Object.hasOwn(filterParts[part].members, name)
}
