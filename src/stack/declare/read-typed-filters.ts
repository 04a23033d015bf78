import {
  type ExactJson,
  invalid,
  isListValue,
  isObjectValue,
  knownJson,
  requireKnown,
  revealed,
  type Value,
} from '../../hcl/index.ts'

import type { JsonObject } from '../../model/json/json.ts'
import { targetingField } from '../../model/kind.ts'
import { givenTyped } from '../../schema/terraform/targeting-attributes.ts'
import { encodeFilters, saidTwice } from '../../targeting/codec.ts'
import { typedAttributes } from '../../targeting/typed-form.ts'
import type { Attributes } from '../evaluate/attributes.ts'
import type { ResourceInstance } from '../evaluate/resource-evaluation.ts'
import { withFlagKeys } from './flag-keys.ts'

/** The first of the typed attributes that a flag has; undefined where it has none. */
export function firstTyped(attributes: Attributes): string | undefined {
  return givenTyped(attributes)[0]
}

/** The filters that the typed attributes say in parts, as they are written; null where there are none. */
export function typedFiltersOf({ kind, attributes, place, block }: ResourceInstance): JsonObject | null {
  const [field, first] = [targetingField(kind), firstTyped(attributes)]
  if (field === undefined || first === undefined) return null
  if (isGiven(attributes, field))
    throw invalid(`\`${field}\` is given too`, `give \`${field}\`, or the typed attributes`)
  const [long, short] = saidTwice('filters', name => isGiven(attributes, name)) ?? []
  if (short !== undefined) throw invalid(`\`${short}\` is given too`, `give \`${long}\` or \`${short}\``)
  const given = typedAttributes.map(name => {
    const value = withFlagKeys(withOpenPayloads(name, attributes[name] ?? null, block.sensitive), place)
    return [name, knownJson(requireKnown(value, name === first ? 'it' : name))] as const
  })
  return encodeFilters(Object.fromEntries(given))
}

/** Payloads that come from something sensitive, as they are, if the flag says that no plan shows them. */
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
