import type { Type } from '../../hcl/values.ts'

import type { Field } from '../../model/field.ts'
import type { JsonObject } from '../../model/json/json.ts'

interface Described {
  readonly description: string
  readonly required?: true
  readonly optional?: true
  /** The service fills it in where the configuration says nothing. */
  readonly computed?: true
  readonly sensitive?: true
  /** All values that it takes, or each element of it; any of its type when left out. */
  readonly choices?: readonly (string | number)[]
}

/** One attribute: of a type, or a list of objects with attributes of their own. */
export type TerraformAttribute = Described &
  ({ readonly type: Type } | { readonly list: TerraformAttributes })

export type TerraformAttributes = { readonly [name: string]: TerraformAttribute }

/** What a resource, a data source or the provider's own block consists of. */
export interface TerraformBlock {
  readonly version: number
  readonly description: string
  readonly attributes: TerraformAttributes
}

/** A managed field as an attribute: what the configuration leaves out, the service fills in. */
export function managedAttribute(field: Field): TerraformAttribute {
  return {
    type: terraformType(field),
    description: `${field.doc}${valuePhrase(field)}`,
    ...(field.type === 'string' && field.oneOf ? { choices: field.oneOf } : {}),
    ...(field.required ? { required: true } : { optional: true, computed: true }),
  }
}

/** A field as something that is only shown. */
export function shownAttribute(field: Field): TerraformAttribute {
  return { type: terraformType(field), description: field.doc, computed: true }
}

/** JSON travels as text, because its shape is nobody's promise. */
function terraformType(field: Field): Type {
  switch (field.type) {
    case 'string':
    case 'json':
    case 'structure':
      return 'string'
    case 'integer':
      return 'number'
    case 'boolean':
      return 'bool'
    case 'list':
    case 'set':
      return [field.type, field.of === 'integer' ? 'number' : 'string']
  }
}

/** A block in the form of `terraform providers schema -json`. */
export function blockJson({ version, attributes, description }: TerraformBlock): JsonObject {
  return {
    version,
    block: { attributes: attributesJson(attributes), description, description_kind: 'markdown' },
  }
}

function attributesJson(attributes: TerraformAttributes): JsonObject {
  const names = Object.keys(attributes).sort()
  return Object.fromEntries(names.map(name => [name, attributeJson(attributes[name] as TerraformAttribute)]))
}

function attributeJson(attribute: TerraformAttribute): JsonObject {
  const { description, required, optional, computed, sensitive } = attribute
  const shape: JsonObject =
    'type' in attribute
      ? { type: attribute.type }
      : { nested_type: { attributes: attributesJson(attribute.list), nesting_mode: 'list' } }
  return {
    ...shape,
    description,
    description_kind: 'markdown',
    ...(required ? { required } : {}),
    ...(optional ? { optional } : {}),
    ...(computed ? { computed } : {}),
    ...(sensitive ? { sensitive } : {}),
  }
}

function valuePhrase(field: Field): string {
  if (field.type === 'json') return ' JSON text; `jsonencode(...)` writes it.'
  if (field.type === 'string' && field.oneOf)
    return ` One of ${field.oneOf.map(value => `"${value}"`).join(', ')}.`
  return ''
}
