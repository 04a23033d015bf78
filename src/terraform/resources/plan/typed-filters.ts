import {
  type AttributePath,
  isListValue,
  isObjectValue,
  knownJson,
  mapMembers,
  memberOf,
  type ObjectValue,
  showPath,
  Unknown,
  type Value,
} from '../../../hcl/values.ts'

import type { JsonObject } from '../../../model/json/json.ts'
import { type PartlyKnown, unknownHere } from '../../../rules/known-part.ts'
import { variantKeys } from '../../../targeting/check/check-variants.ts'
import { encodeFilters } from '../../../targeting/codec.ts'
import { typedAttributes, typedPath } from '../../../targeting/typed-form.ts'

/** The filters that typed attributes amount to, for the rules of declared objects, which look at what is known already. */
export function partlyKnownFilters(config: ObjectValue): PartlyKnown {
  const attributes = typedAttributes.map(name => [name, partlyKnown(memberOf(config, name))])
  // What is no JSON is handed on as it is, wherever it stands.
  return encodeFilters(Object.fromEntries(attributes) as JsonObject)
}

export function partlyKnown(value: Value): PartlyKnown {
  if (value instanceof Unknown) return unknownHere
  if (isListValue(value)) return value.map(partlyKnown)
  return isObjectValue(value) ? mapMembers(value, partlyKnown) : knownJson(value)
}

/** The filters that typed attributes amount to, as far as they are known, and which attributes these are. */
export interface Typed {
  readonly filters: JsonObject
  readonly given: readonly string[]
}

/**
 * Where in the configuration something of the typed filters stands, and the same in words: what is underlined is an
 * element of a list at the most, and where the list comes from elsewhere only the attribute.
 */
export function typedAttributePath(
  pointer: string,
  { filters, given }: Typed,
): { readonly path: AttributePath; readonly words: string } {
  const place = typedPath(pointer, variantKeys(filters), given)
  const [attribute, index] = place
  return typeof index === 'number'
    ? { path: [attribute, index], words: showPath(place) }
    : { path: [attribute], words: '' }
}
