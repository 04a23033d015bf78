import type { ObjectType, Type } from '../values/type.ts'
import { mapMembers } from '../values/walk-type.ts'
import { type Attribute, type Attributes, type Block, isNestedAttribute, type NestedBlock } from './schema.ts'

/** The type of the values that a block describes. */
export function typeOfBlock({ attributes, blocks = {} }: Block): ObjectType {
  return ['object', { ...membersOf(attributes), ...mapMembers(blocks, typeOfNestedBlock) }]
}

export function typeOfAttribute(attribute: Attribute): Type {
  if (!isNestedAttribute(attribute)) return attribute.type
  return nested(attribute.nesting, ['object', membersOf(attribute.attributes)])
}

export function typeOfNestedBlock({ nesting, block }: NestedBlock): Type {
  return nested(nesting, typeOfBlock(block))
}

function membersOf(attributes: Attributes): ObjectType[1] {
  return mapMembers(attributes, typeOfAttribute)
}

function nested(nesting: NestedBlock['nesting'], object: ObjectType): Type {
  return nesting === 'single' || nesting === 'group' ? object : [nesting, object]
}
