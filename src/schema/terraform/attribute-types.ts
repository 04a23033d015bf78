import {
  attributeType,
  invalid,
  isListValue,
  isObjectValue,
  type ObjectType,
  Sensitive,
  type Type,
  type Value,
} from '../../hcl/values.ts'

import { didYouMean } from '../../model/text/did-you-mean.ts'
import type { TerraformAttribute, TerraformAttributes } from './terraform-attribute.ts'

/** The type of an attribute in the language of configurations. */
export function typeOfAttribute(attribute: TerraformAttribute): Type {
  return 'list' in attribute ? ['list', objectType(attribute.list)] : attribute.type
}

/**
 * Refuses members that a nested attribute does not have. Terraform drops them without a word, and a condition whose
 * percentage is misspelt reaches everybody.
 */
export function requireNames(value: Value, type: Type, field: string): void {
  const inner = value instanceof Sensitive ? value.value : value
  if (typeof type === 'string') return
  if (isListValue(inner) && (type[0] === 'list' || type[0] === 'set')) {
    for (const [index, element] of inner.entries()) requireNames(element, type[1], `${field}[${index}]`)
  }
  if (!isObjectValue(inner) || type[0] !== 'object') return
  const [, attributes] = type
  for (const [name, member] of Object.entries(inner)) {
    if (!Object.hasOwn(attributes, name)) throw stray(name, field, Object.keys(attributes))
    requireNames(member, attributeType(type, name), `${field}.${name}`)
  }
}

function stray(name: string, field: string, known: readonly string[]) {
  const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const near = known.includes(snake) ? snake : didYouMean(name, known)
  const hint = near === undefined ? `there are ${known.join(', ')}` : `did you mean "${near}"?`
  return invalid(`${JSON.stringify(name)} is no member of ${field}`, hint)
}

function objectType(attributes: TerraformAttributes): ObjectType {
  const entries = Object.entries(attributes)
  return [
    'object',
    Object.fromEntries(entries.map(([name, attribute]) => [name, typeOfAttribute(attribute)])),
    entries.flatMap(([name, { required }]) => (required ? [] : [name])),
  ]
}
