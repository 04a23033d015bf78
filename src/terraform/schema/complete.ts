import { isListValue, isObjectValue, type ObjectValue, type Value } from '../values/value.ts'
import { mapMembers, memberOf } from '../values/walk-type.ts'
import { type Attribute, type Attributes, type Block, isNestedAttribute, type NestedBlock } from './schema.ts'

/**
 * A value with everything that its schema knows: Terraform refuses an object that lacks an attribute. What is
 * missing is null, or without elements where it is a block. Values that are only ever written are taken out.
 * Names that the schema does not know stay, for the encoder to refuse.
 */
export function completeValue({ attributes, blocks = {} }: Block, value: ObjectValue): ObjectValue {
  return {
    ...value,
    ...completeAttributes(attributes, value),
    ...mapMembers(blocks, (nested, name) => completeBlock(nested, memberOf(value, name))),
  }
}

function completeAttributes(attributes: Attributes, value: ObjectValue): ObjectValue {
  return mapMembers(attributes, (attribute, name) => completeAttribute(attribute, memberOf(value, name)))
}

function completeAttribute(attribute: Attribute, value: Value): Value {
  if (attribute.writeOnly) return null
  if (!isNestedAttribute(attribute)) return value
  return eachElement(attribute.nesting, value, element => ({
    ...element,
    ...completeAttributes(attribute.attributes, element),
  }))
}

function completeBlock({ nesting, block }: NestedBlock, value: Value): Value {
  const present = value === null ? emptyBlock(nesting) : value
  return eachElement(nesting, present, element => completeValue(block, element))
}

function emptyBlock(nesting: NestedBlock['nesting']): Value {
  switch (nesting) {
    case 'single':
      return null
    case 'list':
    case 'set':
      return []
    case 'group':
    case 'map':
      return {}
    default:
      return nesting satisfies never
  }
}

/** Completes the objects inside a nested value. What is no object here is for the encoder to refuse. */
function eachElement(
  nesting: NestedBlock['nesting'],
  value: Value,
  complete: (element: ObjectValue) => ObjectValue,
): Value {
  const one = (element: Value): Value => (isObjectValue(element) ? complete(element) : element)
  if (isListValue(value)) return value.map(one)
  return nesting === 'map' && isObjectValue(value) ? mapMembers(value, one) : one(value)
}
