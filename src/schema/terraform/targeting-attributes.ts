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
  for (const name of given) {
    const unknown = findUnknown(memberOf(config, name))
    if (unknown) return new Unknown({}, unknown.origin)
  }
  return canonicalText(compactFilters(typedFilters(config)))
}

/**
 * Who gets a flag, by the values of a state, a plan or a configuration, as JSON text: what its typed attributes amount to
 * or, where it has none, its `field`. Beside typed attributes that one says nothing of its own.
 */
export function targetingText(field: string, values: ObjectValue): Value {
  return typedFiltersText(values) ?? memberOf(values, field)
}

/** Conditions of a configuration that say nothing of who meets them, as where all that limits one is null. */
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

/** Whether it is a text of the form that `mock_provider` makes up in a `terraform test` for each computed text. */
export function looksMadeUp(value: Value): boolean {
  return typeof value === 'string' && (ofTerraform.test(value) || ofOpenTofu.test(value))
}

/** Terraform makes up eight small letters and digits. */
const ofTerraform = /^[a-z0-9]{8}$/

/**
 * OpenTofu makes up 4 to 15 letters and digits. Those that are small letters alone, or digits alone, are more often a name
 * or a number that somebody wrote, and are told of at once.
 */
const ofOpenTofu = /^(?![a-z]+$|\d+$)[A-Za-z0-9]{4,15}$/
