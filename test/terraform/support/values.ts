import { numberText } from '../../../src/hcl/json.ts'
import { decodeValue, encodeValue } from '../../../src/hcl/msgpack.ts'
import { attributeType, elementType, type Type } from '../../../src/hcl/values/type.ts'
import {
  isListValue,
  isNumberValue,
  mapMembers,
  type ObjectValue,
  type Value,
} from '../../../src/hcl/values/value.ts'
import { type Block, type Schema, typeOfBlock } from '../../../src/terraform/provider.ts'
import type { Message } from '../../../src/terraform/serve/messages.ts'

/** A value of a block as Terraform sends it, with every attribute. */
export function wire(block: Block, value: ObjectValue | null) {
  return { msgpack: encodeValue(typeOfBlock(block), value) }
}

/** A value of a block as it arrives on the other side. */
export function overTheWire({ block }: Schema, value: ObjectValue): ObjectValue {
  return unwire(block, wire(block, value)) as ObjectValue
}

export function unwire(
  block: Block,
  answer: Pick<Message<'DynamicValue'>, 'msgpack'> | undefined,
): Value | undefined {
  return answer && decodeValue(typeOfBlock(block), answer.msgpack)
}

/** A value as Terraform writes it into the state file. */
export function stateText(type: Type, value: Value): string {
  if (value === null) return 'null'
  if (isNumberValue(value)) return numberText(value)
  if (typeof type === 'string') return JSON.stringify(value)
  if (isListValue(value)) {
    const at = (index: number) => (type[0] === 'tuple' ? (type[1][index] as Type) : elementType(type))
    return `[${value.map((element, index) => stateText(at(index), element)).join(',')}]`
  }
  const of = (name: string): Type => (type[0] === 'object' ? attributeType(type, name) : elementType(type))
  const members = mapMembers(value as ObjectValue, (member, name) => stateText(of(name), member))
  return `{${Object.entries(members)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`
}
