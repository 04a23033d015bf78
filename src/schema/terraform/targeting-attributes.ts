import { knownJson } from '../../cty/encoding/json-value.ts'
import { isWhollyKnown } from '../../cty/marks.ts'
import { type Unknown, unknown } from '../../cty/unknown.ts'
import type { ObjectValue, Value } from '../../cty/value.ts'
import { memberOf } from '../../cty/walk-type.ts'
import { canonicalText, type JsonObject } from '../../model/json/json.ts'
import { encodeFilters } from '../../targeting/codec/codec.ts'
import { typedAttributes } from '../../targeting/codec/typed-form.ts'
import { compactFilters } from '../../targeting/index.ts'

/** Those of the typed attributes that a configuration gives. */
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
  return canonicalText(compactFilters(typedFilters(config)))
}

/**
 * Who gets a flag, by the values of a state, a plan or a configuration, as JSON text: what its typed attributes amount to
 * or, where it has none, its `field`. Beside typed attributes that one says nothing of its own.
 */
export function targetingText(field: string, values: ObjectValue): Value {
  return typedFiltersText(values) ?? memberOf(values, field)
}

/** The same as JSON. */
export function typedFilters(config: ObjectValue): JsonObject {
  return encodeFilters(
    Object.fromEntries(typedAttributes.map(name => [name, knownJson(memberOf(config, name))])),
  )
}
