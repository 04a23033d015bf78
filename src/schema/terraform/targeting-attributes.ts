import {
  findUnknown,
  isListValue,
  isObjectValue,
  knownJson,
  memberOf,
  type ObjectValue,
  Unknown,
  type Value,
} from '../../hcl/values.ts'
import { canonicalText, type JsonObject } from '../../model/json/json.ts'
import { encodeFilters, isEmptyCondition } from '../../targeting/codec.ts'
import { compactFilters } from '../../targeting/index.ts'
import { typedAttributes } from '../../targeting/typed-form.ts'

/** The typed attributes that a configuration gives. */
export function givenTyped(config: ObjectValue): string[] {
  return typedAttributes.filter(name => memberOf(config, name) !== null)
}

/**
 * The `filters` that a configuration's typed attributes mean, as JSON text; unknown if any part of them is
 * unknown, and undefined if there are none.
 */
export function typedFiltersText(config: ObjectValue): string | Unknown | undefined {
  const given = givenTyped(config)
  if (given.length === 0) return undefined
  for (const name of given) {
    const unknown = findUnknown(memberOf(config, name))
    if (unknown) return new Unknown(unknown.origin)
  }
  return canonicalText(compactFilters(typedFilters(config)))
}

/**
 * Who gets a flag, by the values of a state, a plan or a configuration, as JSON text: the meaning of its
 * typed attributes or, if there are none, its `field`. Beside typed attributes, `field` only repeats them.
 */
export function targetingText(field: string, values: ObjectValue): Value {
  return typedFiltersText(values) ?? memberOf(values, field)
}

/** Conditions of a configuration without limits, for example because all limits in one are null. */
export function emptyConditions(
  config: ObjectValue,
): readonly { readonly path: readonly ['release', number]; readonly message: string }[] {
  const release = memberOf(config, 'release')
  const all = isListValue(release) ? [...release.entries()] : []
  return all.flatMap(([index, condition]) =>
    isObjectValue(condition) && isEmptyCondition(condition)
      ? [
          {
            path: ['release', index],
            message: `condition ${index + 1} says nothing of who meets it, so everybody does`,
          },
        ]
      : [],
  )
}

/** The same as JSON. */
export function typedFilters(config: ObjectValue): JsonObject {
  return encodeFilters(
    Object.fromEntries(typedAttributes.map(name => [name, knownJson(memberOf(config, name))])),
  )
}

/** Whether a text looks like one that `mock_provider` creates in a `terraform test` for computed texts. */
export function looksMadeUp(value: Value): boolean {
  return typeof value === 'string' && (ofTerraform.test(value) || ofOpenTofu.test(value))
}

/** Terraform creates eight small letters and digits. */
const ofTerraform = /^[a-z0-9]{8}$/

/**
 * OpenTofu creates 4 to 15 letters and digits. Only small letters, or only digits, are more often a name or a
 * number that somebody wrote, and are reported immediately.
 */
const ofOpenTofu = /^(?![a-z]+$|\d+$)[A-Za-z0-9]{4,15}$/
