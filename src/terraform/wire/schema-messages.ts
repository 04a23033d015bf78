import type { MessageTable } from './field-row.ts'

/** How a provider describes its own values. */
export const schemaMessages = {
  Schema: { version: [1, 'int64'], block: [2, 'Block'] },
  Block: {
    version: [1, 'int64'],
    attributes: [2, 'Attribute', 'repeated'],
    description: [4, 'string'],
    description_kind: [5, 'StringKind'],
    deprecated: [6, 'bool'],
  },
  Attribute: {
    name: [1, 'string'],
    type: [2, 'bytes'],
    description: [3, 'string'],
    required: [4, 'bool'],
    optional: [5, 'bool'],
    computed: [6, 'bool'],
    sensitive: [7, 'bool'],
    description_kind: [8, 'StringKind'],
    deprecated: [9, 'bool'],
    nested_type: [10, 'Object'],
    write_only: [11, 'bool'],
  },
  Object: { attributes: [1, 'Attribute', 'repeated'], nesting: [3, 'Nesting'] },
  ResourceIdentitySchema: {
    version: [1, 'int64'],
    identity_attributes: [2, 'IdentityAttribute', 'repeated'],
  },
  IdentityAttribute: {
    name: [1, 'string'],
    type: [2, 'bytes'],
    required_for_import: [3, 'bool'],
    optional_for_import: [4, 'bool'],
    description: [5, 'string'],
  },
  Function: {
    parameters: [1, 'Parameter', 'repeated'],
    variadic_parameter: [2, 'Parameter'],
    return: [3, 'Return'],
    summary: [4, 'string'],
    description: [5, 'string'],
    description_kind: [6, 'StringKind'],
    deprecation_message: [7, 'string'],
  },
  Parameter: {
    name: [1, 'string'],
    type: [2, 'bytes'],
    allow_null_value: [3, 'bool'],
    allow_unknown_values: [4, 'bool'],
    description: [5, 'string'],
    description_kind: [6, 'StringKind'],
  },
  Return: { type: [1, 'bytes'] },
} as const satisfies Readonly<Record<string, MessageTable>>

export const schemaEnums = {
  StringKind: ['plain', 'markdown'],
  Nesting: ['invalid', 'single', 'list', 'set', 'map'],
} as const satisfies Readonly<Record<string, readonly string[]>>
