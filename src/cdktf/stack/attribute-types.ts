import type {
  TerraformAttribute,
  TerraformAttributes,
  TerraformType,
} from '../../derive/terraform-attribute.ts'
import { didYouMean } from '../../model/did-you-mean.ts'
import { invalid } from './language/refusal.ts'
import type { ObjectType, Type } from './language/type.ts'
import { isMembers, isSequence, Sensitive, type Value } from './language/value.ts'

/** The type of an attribute in the language of configurations. */
export function typeOfAttribute(attribute: TerraformAttribute): Type {
  return 'list' in attribute ? { is: 'list', of: objectType(attribute.list) } : plainType(attribute.type)
}

/**
 * Refuses members that a nested attribute does not have. Terraform drops them without a word, and a condition whose
 * percentage is misspelt reaches everybody.
 */
export function requireNames(value: Value, type: Type, field: string): void {
  const inner = value instanceof Sensitive ? value.value : value
  if (inner === null || typeof type === 'string') return
  if (isSequence(inner) && (type.is === 'list' || type.is === 'set')) {
    for (const [index, element] of inner.elements.entries())
      requireNames(element, type.of, `${field}[${index}]`)
  }
  if (!isMembers(inner) || type.is !== 'object') return
  for (const [name, member] of inner.members) {
    const of = type.members[name]
    if (of === undefined || !Object.hasOwn(type.members, name))
      throw stray(name, field, Object.keys(type.members))
    requireNames(member, of, `${field}.${name}`)
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
  return {
    is: 'object',
    members: Object.fromEntries(entries.map(([name, attribute]) => [name, typeOfAttribute(attribute)])),
    optional: new Set(entries.flatMap(([name, { required }]) => (required ? [] : [name]))),
  }
}

function plainType(type: TerraformType): Type {
  if (typeof type === 'string') return type
  if (type[0] !== 'object') return { is: type[0], of: plainType(type[1]) }
  const members = Object.entries(type[1]).map(([name, of]) => [name, plainType(of)])
  return { is: 'object', members: Object.fromEntries(members) }
}
