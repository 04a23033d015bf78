import {
  type ExactJson,
  findUnknown,
  invalid,
  isListValue,
  isObjectValue,
  knownJson,
  mapMembers,
  requireKnown,
  revealed,
  Unknown,
  type Value,
} from '../../hcl/index.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { targetingField } from '../../model/kind.ts'
import { givenTyped } from '../../schema/terraform/targeting-attributes.ts'
import { encodeFilters, givenTwice } from '../../targeting/codec.ts'
import { typedAttributes } from '../../targeting/typed-form.ts'
import type { Attributes } from '../evaluate/attributes.ts'
import { placeText, type ServiceTarget } from '../evaluate/providers.ts'
import type { ResourceInstance } from '../evaluate/resources.ts'

/** The first typed attribute that a flag has; undefined if it has none. */
export function firstTyped(attributes: Attributes): string | undefined {
  return givenTyped(attributes)[0]
}

/** The filters that the typed attributes describe, as they are written; null if there are none. */
export function typedFiltersOf({ kind, attributes, place, block }: ResourceInstance): JsonObject | null {
  const [field, first] = [targetingField(kind), firstTyped(attributes)]
  if (field === undefined || first === undefined) return null
  if (isGiven(attributes, field))
    throw invalid(`\`${field}\` is given too`, `give \`${field}\`, or the typed attributes`)
  const [long, short] = givenTwice('filters', name => isGiven(attributes, name)) ?? []
  if (short !== undefined) throw invalid(`\`${short}\` is given too`, `give \`${long}\` or \`${short}\``)
  const given = typedAttributes.map(name => {
    const value = withFlagKeys(withOpenPayloads(name, attributes[name] ?? null, block.sensitive), place)
    return [name, knownJson(requireKnown(value, name === first ? 'it' : name))] as const
  })
  return encodeFilters(Object.fromEntries(given))
}

/** Payloads with a sensitive source, in clear, if the flag declares that no plan shows them. */
function withOpenPayloads(name: string, value: Value, hides: ExactJson | undefined): Value {
  const isHidden = (variant: Value) =>
    hides === true || (isListValue(hides) && hides.some(each => each === variant))
  if (name === 'payload') return isHidden('true') ? revealed(value) : value
  if (name !== 'variants' || !isListValue(value)) return value
  return value.map(variant =>
    isObjectValue(variant) && isHidden(variant.key ?? null)
      ? { ...variant, payload: revealed(variant.payload ?? null) }
      : variant,
  )
}

function isGiven(attributes: Attributes, name: string): boolean {
  return (attributes[name] ?? null) !== null
}

/**
 * The key of the flag if a value is its id: the id is unknown before the flag exists. Undefined for any other
 * value; throws a refusal if the flag lives somewhere else.
 */
export function keyOfFlag(value: Value, place: ServiceTarget): string | undefined {
  if (!(value instanceof Unknown) || !value.flag) return undefined
  if (value.flag.place === placeText(place)) return value.flag.key
  throw invalid(
    `${value.origin} is a flag of another project or service`,
    'take the provider that declares the flag',
  )
}

/** Conditions that name other flags by key instead of id. */
function withFlagKeys(value: Value, place: ServiceTarget): Value {
  if (!findUnknown(value)) return value
  if (isListValue(value)) return value.map(each => withFlagKeys(each, place))
  if (!isObjectValue(value)) return value
  const isAboutFlag = value.type === 'flag'
  return mapMembers(value, (member, name) =>
    isAboutFlag && name === 'key' ? (keyOfFlag(member, place) ?? member) : withFlagKeys(member, place),
  )
}
