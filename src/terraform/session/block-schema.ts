import { mapMembers } from '../../hcl/values.ts'

import type {
  TerraformAttribute,
  TerraformAttributes,
  TerraformBlock,
} from '../../schema/terraform/terraform-attribute.ts'
import type { Attribute, Attributes, Presence, Schema } from '../schema/schema.ts'

/** A derived block as the protocol layer takes it. */
export function blockSchema({ version, description, attributes }: TerraformBlock): Schema {
  return { version, block: { description, attributes: attributesOf(attributes) } }
}

function attributesOf(attributes: TerraformAttributes): Attributes {
  return mapMembers<TerraformAttribute, Attribute>(attributes, attribute => {
    const { description, sensitive } = attribute
    const described = { description, presence: presenceOf(attribute), ...(sensitive ? { sensitive } : {}) }
    return 'type' in attribute
      ? { ...described, type: attribute.type }
      : { ...described, nesting: 'list', attributes: attributesOf(attribute.list) }
  })
}

function presenceOf({ required, optional, computed }: TerraformAttribute): Presence {
  if (required) return 'required'
  if (optional) return computed ? 'optional+computed' : 'optional'
  return 'computed'
}
