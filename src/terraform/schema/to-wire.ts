import { typeJson } from '../../hcl/values.ts'

import type { Draft } from '../wire/messages.ts'
import { type Attribute, type Attributes, isComputed, isNestedAttribute, type Schema } from './schema.ts'

export function schemaToWire({ version, block }: Schema): Draft<'Schema'> {
  const { attributes, description } = block
  return {
    version,
    block: {
      // Terraform keeps the schema's version; that of a block is a relic which must agree.
      version,
      attributes: attributesToWire(attributes),
      description,
      description_kind: 'markdown',
    },
  }
}

function attributesToWire(attributes: Attributes): Draft<'Attribute'>[] {
  return Object.entries(attributes).map(([name, attribute]) => attributeToWire(name, attribute))
}

function attributeToWire(name: string, attribute: Attribute): Draft<'Attribute'> {
  const { presence, description, sensitive } = attribute
  return {
    name,
    ...(isNestedAttribute(attribute)
      ? { nested_type: { attributes: attributesToWire(attribute.attributes), nesting: attribute.nesting } }
      : { type: Buffer.from(typeJson(attribute.type)) }),
    description,
    required: presence === 'required',
    optional: presence === 'optional' || presence === 'optional+computed',
    computed: isComputed(attribute),
    sensitive,
    description_kind: 'markdown',
  }
}
