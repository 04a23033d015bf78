import { knownJson } from '../../cty/encoding/json-value.ts'
import { invalid } from '../../cty/invalid-value.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { encodeFilters } from '../../targeting/codec/codec.ts'
import { typedAttributes } from '../../targeting/codec/typed-form.ts'
import type { Attributes } from '../evaluate/attributes.ts'
import { requireKnown } from '../language/require-known.ts'

/** The first of the typed attributes that a flag has; undefined where it has none. */
export function firstTyped(attributes: Attributes): string | undefined {
  return typedAttributes.find(name => (attributes[name] ?? null) !== null)
}

/** The filters that the typed attributes say in parts, as they are written; null where there are none. */
export function typedFiltersOf(kind: DeclarableKind, attributes: Attributes): JsonObject | null {
  const [field, first] = [targetingField(kind), firstTyped(attributes)]
  if (field === undefined || first === undefined) return null
  if ((attributes[field] ?? null) !== null)
    throw invalid(`\`${field}\` is given too`, `give \`${field}\`, or the typed attributes`)
  const given = typedAttributes.map(name => {
    const value = attributes[name] ?? null
    return [name, knownJson(requireKnown(value, name === first ? 'it' : name))] as const
  })
  return encodeFilters(Object.fromEntries(given))
}
