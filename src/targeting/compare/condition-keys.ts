import { canonicalText, isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { type Alignment, align } from './align.ts'
import { meaningOf } from './meaning.ts'

/** Conditions of two filters beside each other, by who they mean: one that is inserted moves none that follow. */
export function alignConditions(before: readonly Json[], after: readonly Json[]): Alignment {
  return align(before, after, [canonicalText, peopleAndVariant, peopleKey])
}

/** The same for two conditions that mean the same people, however that is written. */
export function peopleKey(condition: Json): string {
  if (!isJsonObject(condition)) return canonicalText([condition])
  const { properties = null } = condition
  return canonicalText(isJsonArray(properties) ? properties.map(property => meaningOf(property)) : properties)
}

function peopleAndVariant(condition: Json): string {
  const { variant = null } = isJsonObject(condition) ? condition : {}
  return `${peopleKey(condition)} ${isJsonObject(condition) ? canonicalText(variant) : ''}`
}
