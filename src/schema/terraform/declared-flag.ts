import {
  convert,
  impliedTyped,
  invalid,
  memberOf,
  type ObjectValue,
  Refusal,
  type Value,
} from '../../hcl/values.ts'

import { featureFlag } from '../../kinds/index.ts'
import { didYouMean } from '../../model/text/did-you-mean.ts'
import { typedAttributes } from '../../targeting/codec/typed-form.ts'
import { requireNames, typeOfAttribute } from './attribute-types.ts'
import { givenTyped } from './targeting-attributes.ts'
import type { TerraformAttribute } from './terraform-attribute.ts'
import { resourceBlock } from './terraform-schema.ts'

/**
 * An object of somebody's own as the resource of a flag has it: its typed attributes have the types that they have there.
 * Throws a `Refusal` for what a resource would not take, which would else say that the flag reaches nobody.
 */
export function asDeclared(flag: ObjectValue): ObjectValue {
  const { attributes } = resourceBlock(featureFlag)
  for (const name of Object.keys(flag)) {
    const meant = name in attributes ? undefined : didYouMean(name, typedAttributes)
    if (meant !== undefined) throw invalid(`a flag has no \`${name}\``, `did you mean \`${meant}\`?`)
  }
  const typed = givenTyped(flag).map(name => [name, inside(name, () => read(name, flag, attributes[name]))])
  return { ...flag, ...Object.fromEntries(typed) }
}

function read(name: string, flag: ObjectValue, attribute: TerraformAttribute | undefined): Value {
  const value = memberOf(flag, name)
  if (!attribute) return value
  const type = typeOfAttribute(attribute)
  requireNames(value, type, name)
  return convert(impliedTyped(value), type).plain
}

function inside(name: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) throw invalid(`its \`${name}\`: ${error.message}`, error.remedy)
    throw error
  }
}
