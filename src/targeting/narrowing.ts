import { canonicalText, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { comparedTexts, operatorOf } from './operators.ts'

/**
 * True when everybody who matches all `inner` properties certainly matches all `outer` ones. Never wrong when it
 * says yes; it says no whenever that takes more than comparing the properties as they are written, but for lists of
 * values, which people lengthen and shorten every day.
 */
export function isNarrowedTo(outer: readonly Json[], inner: readonly Json[]): boolean {
  const written = new Set(inner.map(canonicalText))
  return outer.every(
    wanted => written.has(canonicalText(wanted)) || inner.some(property => implies(property, wanted)),
  )
}

/** `country is DE` implies `country is DE or FR`; `plan is none of a, b` implies `plan is not a`. */
function implies(property: Json, wanted: Json): boolean {
  if (!isJsonObject(property) || !isJsonObject(wanted)) return false
  if (property.type === 'cohort' || property.type === 'flag' || property.negation === true) return false
  if (canonicalText(withoutValue(property)) !== canonicalText(withoutValue(wanted))) return false
  const [own, other] = [new Set(comparedTexts(property.value)), new Set(comparedTexts(wanted.value))]
  switch (operatorOf(property)) {
    case 'exact':
      return [...own].every(text => other.has(text))
    case 'is_not':
      return [...other].every(text => own.has(text))
    default:
      return false
  }
}

function withoutValue(property: JsonObject): JsonObject {
  const { value: _, ...rest } = property
  return rest
}
