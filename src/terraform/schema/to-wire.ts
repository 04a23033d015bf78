import { typeText } from '../values/type.ts'
import type { Draft } from '../wire/messages.ts'
import {
  type Attribute,
  type Attributes,
  type Block,
  isComputed,
  isNestedAttribute,
  type NestedBlock,
  type Schema,
} from './schema.ts'

export function schemaToWire({ version, block }: Schema): Draft<'Schema'> {
  // Terraform keeps the schema's version; that of a block is a relic which must agree.
  return { version, block: { version, ...blockToWire(block) } }
}

function blockToWire({ attributes, blocks = {}, description, deprecated }: Block): Draft<'Block'> {
  return {
    attributes: attributesToWire(attributes),
    block_types: Object.entries(blocks).map(([name, nested]) => nestedBlockToWire(name, nested)),
    description,
    description_kind: 'markdown',
    deprecated,
  }
}

function nestedBlockToWire(
  name: string,
  { nesting, block, minItems, maxItems }: NestedBlock,
): Draft<'NestedBlock'> {
  return { type_name: name, block: blockToWire(block), nesting, min_items: minItems, max_items: maxItems }
}

function attributesToWire(attributes: Attributes): Draft<'Attribute'>[] {
  return Object.entries(attributes).map(([name, attribute]) => attributeToWire(name, attribute))
}

function attributeToWire(name: string, attribute: Attribute): Draft<'Attribute'> {
  const { presence, description, sensitive, writeOnly, deprecated } = attribute
  return {
    name,
    ...(isNestedAttribute(attribute)
      ? { nested_type: { attributes: attributesToWire(attribute.attributes), nesting: attribute.nesting } }
      : { type: Buffer.from(typeText(attribute.type)) }),
    description,
    required: presence === 'required',
    optional: presence === 'optional' || presence === 'optional+computed',
    computed: isComputed(attribute),
    sensitive,
    description_kind: 'markdown',
    deprecated,
    write_only: writeOnly,
  }
}
