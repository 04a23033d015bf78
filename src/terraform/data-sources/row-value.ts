import { mapMembers, type ObjectValue, type Type, type Value } from '../../hcl/values.ts'

import { isJsonArray, isJsonNumber, type Json, type JsonObject } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import type { TerraformAttributes } from '../../schema/terraform/terraform-attribute.ts'

/** A record as the attributes of a row. Services answer other types than they promise, so each is made to fit. */
export function rowOf(attributes: TerraformAttributes, record: JsonObject): ObjectValue {
  return mapMembers(attributes, (attribute, name) =>
    'type' in attribute ? fitted(attribute.type, record[name] ?? null) : null,
  )
}

function fitted(type: Type, value: Json): Value {
  if (value === null) return null
  if (typeof type !== 'string') {
    const [, of] = type
    return isJsonArray(value) && typeof of === 'string' ? value.map(element => fitted(of, element)) : null
  }
  switch (type) {
    case 'bool':
      return typeof value === 'boolean' ? value : null
    case 'number':
      return isJsonNumber(value) ? value : null
    default:
      return typeof value === 'string' ? value : writeJson(value)
  }
}
