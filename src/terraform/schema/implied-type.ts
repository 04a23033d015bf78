import type { ObjectType, Type } from '../../cty/type.ts'
import { mapMembers } from '../../cty/walk-type.ts'
import { type Attribute, type Block, isNestedAttribute } from './schema.ts'

/** The type of the values that a block describes. */
export function typeOfBlock({ attributes }: Pick<Block, 'attributes'>): ObjectType {
  return ['object', mapMembers(attributes, typeOfAttribute)]
}

export function typeOfAttribute(attribute: Attribute): Type {
  return isNestedAttribute(attribute) ? [attribute.nesting, typeOfBlock(attribute)] : attribute.type
}
