import {
  type AttributePath,
  isListValue,
  isObjectValue,
  isWhollyKnown,
  knownJson,
  type ListValue,
  mapMembers,
  memberOf,
  type ObjectValue,
  showPath,
  Unknown,
  type Value,
} from '../../hcl/values.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { type PartlyKnown, unknownHere } from '../../rules/known-part.ts'
import { encodeFilters, isSameTyped } from '../../targeting/codec.ts'
import {
  partOf,
  rowsOf,
  type TypedAttribute,
  type TypedPartName,
  typedAttributes,
  typedPath,
  variantKeysIn,
} from '../../targeting/typed-form.ts'

/**
 * The typed attributes of a plan. An attribute stays as the state has it if it means what the configuration
 * means, so only a change of who gets the flag is shown. For each attribute, even inside elements, Terraform
 * accepts the configured value or the one at the same place of the state.
 */
export function typedPlanned(config: ObjectValue, prior: ObjectValue): ObjectValue {
  const given = typedAttributes.filter(name => memberOf(config, name) !== null)
  const planned = partPlanned('filters', config, prior)
  return Object.fromEntries(given.map(name => [name, memberOf(planned, name)]))
}

function partPlanned(part: TypedPartName, config: ObjectValue, prior: ObjectValue): ObjectValue {
  const planned = rowsOf(part).map(
    ([name, attribute]) => [name, attributePlanned(part, name, attribute, config, prior)] as const,
  )
  return { ...config, ...Object.fromEntries(planned) }
}

function attributePlanned(
  part: TypedPartName,
  name: string,
  attribute: TypedAttribute,
  config: ObjectValue,
  prior: ObjectValue,
): Value {
  const [given, was] = [memberOf(config, name), memberOf(prior, name)]
  if (given === null || was === null) return given
  // A list of parts has the same meaning anywhere; any other attribute only beside the others of its part.
  const of = partOf(attribute)
  const beside = of ? {} : Object.fromEntries(rowsOf(part).map(([each]) => [each, memberOf(config, each)]))
  const [one, other] = [
    { ...beside, [name]: given },
    { ...beside, [name]: was },
  ]
  if (isWhollyKnown(one) && isSameTyped(part, jsonOf(one), jsonOf(other))) return was
  return of && isListValue(given) && isListValue(was) ? elementsPlanned(of, given, was) : given
}

function elementsPlanned(part: TypedPartName, given: ListValue, was: ListValue): Value {
  return given.map((element, index) => {
    const before = was[index] ?? null
    return isObjectValue(element) && isObjectValue(before) ? partPlanned(part, element, before) : element
  })
}

function jsonOf(values: ObjectValue): JsonObject {
  return mapMembers(values, knownJson)
}

/** The filters that typed attributes produce, as far as known, for the rules of declared objects. */
export function partlyKnownFilters(config: ObjectValue): PartlyKnown {
  const attributes = typedAttributes.map(name => [name, partlyKnown(memberOf(config, name))])
  // A value that is no JSON is passed on unchanged.
  return encodeFilters(Object.fromEntries(attributes) as JsonObject)
}

export function partlyKnown(value: Value): PartlyKnown {
  if (value instanceof Unknown) return unknownHere
  if (isListValue(value)) return value.map(partlyKnown)
  return isObjectValue(value) ? mapMembers(value, partlyKnown) : knownJson(value)
}

/** The filters that typed attributes produce, as far as they are known, and the names of these attributes. */
export interface Typed {
  readonly filters: JsonObject
  readonly given: readonly string[]
}

/**
 * The place of a typed filter's part in the configuration, as a path and in words. Terraform underlines at
 * most an element of a list, and only the attribute if the list comes from elsewhere.
 */
export function typedAttributePath(
  pointer: string,
  { filters, given }: Typed,
): { readonly path: AttributePath; readonly words: string } {
  const place = typedPath(pointer, variantKeysIn(filters), given)
  const [attribute, index] = place
  return typeof index === 'number'
    ? { path: [attribute, index], words: showPath(place) }
    : { path: [attribute], words: '' }
}
