import { decodeValue, encodeValue } from '../../hcl/msgpack.ts'
import {
  decodeState,
  hasSameMembers,
  isObjectValue,
  type ObjectValue,
  type Type,
  type Value,
  ValueError,
} from '../../hcl/values.ts'
import { type Block, typeOfBlock } from '../schema/schema.ts'
import type { Draft, Message } from '../wire/messages.ts'
import { unknownPaths } from './resource/unknown-paths.ts'

type Wire = Message<'DynamicValue'> | undefined

/** A value of the wire. Nothing there is null. */
export function readValue(type: Type, wire: Wire): Value {
  if (wire && wire.msgpack.length > 0) return decodeValue(type, wire.msgpack)
  if (wire && wire.json.length > 0) return decodeState(type, Buffer.from(wire.json).toString())
  return null
}

/** An object of the wire; null where there is none. */
export function readObject(block: Block, wire: Wire): ObjectValue | null {
  const value = readValue(typeOfBlock(block), wire)
  if (value === null || isObjectValue(value)) return value
  throw new ValueError([], 'an object is needed')
}

/** The same where there has to be one. */
export function readPresent(block: Block, wire: Wire): ObjectValue {
  const value = readObject(block, wire)
  if (!value) throw new ValueError([], 'Terraform sent no value')
  return value
}

export function writeValue(type: Type, value: Value): Draft<'DynamicValue'> {
  return { msgpack: encodeValue(type, value) }
}

/** An object with every attribute of its schema: what the value lacks is null. */
export function writeObject(block: Block, value: ObjectValue | null): Draft<'DynamicValue'> {
  return writeValue(typeOfBlock(block), value)
}

/** The same for what is kept: only a plan may leave a value open. */
export function writeKnown(block: Block, value: ObjectValue | null): Draft<'DynamicValue'> {
  const type = typeOfBlock(block)
  const written = writeValue(type, value)
  const [open] = unknownPaths(type, value, [])
  if (open) throw new ValueError(open, 'the value is unknown, which only a plan may leave it')
  return written
}

/** The bytes that an object was read from, where it still is what was read; undefined where it has changed. */
export function asRead(
  value: ObjectValue | null,
  read: ObjectValue | null,
  wire: Wire,
): Draft<'DynamicValue'> | undefined {
  const isSame = value !== null && read !== null && hasSameMembers(value, read)
  return isSame ? wire : undefined
}

/** Whether two values of the wire are the same bytes, and so the same value. */
export function isSameWire(one: Wire, other: Wire): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    Buffer.compare(one.msgpack, other.msgpack) === 0 &&
    Buffer.compare(one.json, other.json) === 0
  )
}
