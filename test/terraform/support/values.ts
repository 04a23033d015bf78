import { completeValue } from '../../../src/terraform/schema/complete.ts'
import { typeOfBlock } from '../../../src/terraform/schema/implied-type.ts'
import type { Block } from '../../../src/terraform/schema/schema.ts'
import { numberText } from '../../../src/terraform/values/big-num.ts'
import { decodeValue, encodeValue } from '../../../src/terraform/values/msgpack.ts'
import { type Type, typeText } from '../../../src/terraform/values/type.ts'
import {
  Dynamic,
  isListValue,
  isNumberValue,
  type ObjectValue,
  type Value,
} from '../../../src/terraform/values/value.ts'
import { mapMembers } from '../../../src/terraform/values/walk-type.ts'
import type { Message } from '../../../src/terraform/wire/messages.ts'

/** A value of a block as Terraform sends it, with every attribute. */
export function wire(block: Block, value: ObjectValue | null) {
  return rawWire(block, value && { ...completeValue(block, value), ...value })
}

/** The same, with nothing filled in or taken out. */
export function rawWire(block: Block, value: ObjectValue | null) {
  return { msgpack: encodeValue(typeOfBlock(block), value) }
}

export function unwire(block: Block, answer: Message<'DynamicValue'> | undefined): Value | undefined {
  return answer && decodeValue(typeOfBlock(block), answer.msgpack)
}

/** A value as Terraform writes it into the state file. */
export function stateText(type: Type, value: Value): string {
  if (value === null) return 'null'
  if (value instanceof Dynamic)
    return `{"value":${stateText(value.type, value.value)},"type":${typeText(value.type)}}`
  if (isNumberValue(value)) return numberText(value)
  if (typeof type === 'string') return JSON.stringify(value)
  if (isListValue(value)) {
    const of = (index: number): Type => (type[0] === 'tuple' ? (type[1][index] as Type) : (type[1] as Type))
    return `[${value.map((element, index) => stateText(of(index), element)).join(',')}]`
  }
  const of = (name: string): Type => (type[0] === 'object' ? (type[1][name] as Type) : (type[1] as Type))
  const members = mapMembers(value as ObjectValue, (member, name) => stateText(of(name), member))
  return `{${Object.entries(members)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`
}
