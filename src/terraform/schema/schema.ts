import type { Type } from '../values/type.ts'

/** How a resource, a data source or the provider itself is configured, and what it is kept as. */
export interface Schema {
  /** Counts up whenever the form of what is kept changes; states of older versions are upgraded. */
  readonly version: number
  readonly block: Block
}

export interface Block {
  readonly attributes: Attributes
  readonly blocks?: Readonly<Record<string, NestedBlock>>
  readonly description?: string
  readonly deprecated?: true
}

/** Who gives an attribute its value: the configuration, the provider, or the provider where the configuration does not. */
export type Presence = 'required' | 'optional' | 'computed' | 'optional+computed'

interface Described {
  readonly presence: Presence
  readonly description?: string
  /** Never shown in a plan or in a message of ours. */
  readonly sensitive?: true
  /** Reaches the provider and is never kept; Terraform 1.11 and later. */
  readonly writeOnly?: true
  readonly deprecated?: true
}

export interface ValueAttribute extends Described {
  readonly type: Type
}

/** An attribute whose members have a presence of their own. */
export interface NestedAttribute extends Described {
  readonly nesting: 'single' | 'list' | 'set' | 'map'
  readonly attributes: Attributes
}

export type Attribute = ValueAttribute | NestedAttribute
export type Attributes = Readonly<Record<string, Attribute>>

export interface NestedBlock {
  readonly nesting: 'single' | 'group' | 'list' | 'set' | 'map'
  readonly block: Block
  readonly minItems?: number
  readonly maxItems?: number
}

export function isNestedAttribute(attribute: Attribute): attribute is NestedAttribute {
  return 'nesting' in attribute
}

export function isComputed({ presence }: Attribute): boolean {
  return presence === 'computed' || presence === 'optional+computed'
}
