import { mapMembers, type ObjectType, type Type } from '../../hcl/values.ts'

import { oncePer } from '../../model/runtime.ts'

/** How a resource, a data source or the provider itself is configured, and what it is kept as. */
export interface Schema {
  /** Counts up whenever the form of what is kept changes; states of another version are refused. */
  readonly version: number
  readonly block: Block
}

export interface Block {
  readonly attributes: Attributes
  readonly description?: string
}

/** Who gives an attribute its value: the configuration, the provider, or the provider where the configuration does not. */
export type Presence = 'required' | 'optional' | 'computed' | 'optional+computed'

interface Described {
  readonly presence: Presence
  readonly description?: string
  /** Never shown in a plan or in a message of ours. */
  readonly sensitive?: true
}

export interface ValueAttribute extends Described {
  readonly type: Type
}

/** A list of objects whose members have a presence of their own. */
export interface NestedAttribute extends Described {
  readonly nesting: 'list'
  readonly attributes: Attributes
}

export type Attribute = ValueAttribute | NestedAttribute
export type Attributes = Readonly<Record<string, Attribute>>

export function isNestedAttribute(attribute: Attribute): attribute is NestedAttribute {
  return 'nesting' in attribute
}

export function isComputed({ presence }: Attribute): boolean {
  return presence === 'computed' || presence === 'optional+computed'
}

/** The type of the values that a block describes. */
export function typeOfBlock({ attributes }: Pick<Block, 'attributes'>): ObjectType {
  return typeOfAttributes(attributes)
}

const typeOfAttributes = oncePer(
  (attributes: Attributes): ObjectType => ['object', mapMembers(attributes, typeOfAttribute)],
)

export function typeOfAttribute(attribute: Attribute): Type {
  return isNestedAttribute(attribute) ? [attribute.nesting, typeOfBlock(attribute)] : attribute.type
}
