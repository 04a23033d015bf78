import { type CompiledMessage, compiled, type Field, type FieldType } from './compile.ts'
import type { Scalars } from './field-row.ts'
import type { Draft, MessageName } from './messages.ts'
import { encodeVarint, wireType } from './varint.ts'

/** A message as bytes. Zeros and empties are left out, save where a field tells a missing value from a zero. */
export function encodeMessage<Name extends MessageName>(name: Name, message: Draft<Name>): Buffer {
  return encodeFields(compiledMessage(name), message)
}

type Chunks = Uint8Array[]

function encodeFields({ fields }: CompiledMessage, message: object): Buffer {
  const values = message as Readonly<Record<string, unknown>>
  const chunks: Chunks = []
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    if (value !== undefined) pushField(chunks, field, value)
  }
  return Buffer.concat(chunks)
}

function pushField(chunks: Chunks, field: Field, value: unknown): void {
  const { number, type, label } = field
  if (label === 'repeated') {
    // The types of drafts have made sure of arrays here and of records below.
    for (const element of value as readonly unknown[]) pushValue(chunks, number, type, element)
  } else if (label === 'map') {
    for (const [key, element] of Object.entries(value as Readonly<Record<string, unknown>>)) {
      const entry: Chunks = []
      pushValue(entry, 1, { is: 'scalar', scalar: 'string' }, key)
      pushValue(entry, 2, type, element)
      pushBytes(chunks, number, Buffer.concat(entry))
    }
  } else if (label === 'optional' || !isZero(type, value)) {
    pushValue(chunks, number, type, value)
  }
}

function isZero(type: FieldType, value: unknown): boolean {
  if (type.is === 'enum') return value === type.members[0]
  if (type.is === 'message') return false
  return value === '' || value === 0 || value === 0n || value === false || isEmptyBytes(value)
}

function isEmptyBytes(value: unknown): boolean {
  return value instanceof Uint8Array && value.length === 0
}

function pushValue(chunks: Chunks, number: number, type: FieldType, value: unknown): void {
  if (type.is === 'message') {
    // The types of drafts have made sure of an object.
    pushBytes(chunks, number, encodeFields(compiledMessage(type.message), value as object))
  } else if (type.is === 'enum') {
    pushVarint(chunks, number, type.members.indexOf(String(value)))
  } else {
    pushScalar(chunks, number, type.scalar, value)
  }
}

function pushScalar(chunks: Chunks, number: number, scalar: keyof Scalars, value: unknown): void {
  switch (scalar) {
    case 'string':
      pushBytes(chunks, number, Buffer.from(String(value)))
      break
    case 'bytes':
      // The types of drafts have made sure of bytes here and of a number below.
      pushBytes(chunks, number, value as Uint8Array)
      break
    case 'bool':
      pushVarint(chunks, number, value === true ? 1 : 0)
      break
    case 'uint32':
    case 'int64':
      pushVarint(chunks, number, value as number | bigint)
      break
    default:
      scalar satisfies never
  }
}

function pushVarint(chunks: Chunks, number: number, value: number | bigint): void {
  chunks.push(encodeVarint((number << 3) | wireType.varint), encodeVarint(value))
}

function pushBytes(chunks: Chunks, number: number, bytes: Uint8Array): void {
  chunks.push(encodeVarint((number << 3) | wireType.lengthDelimited), encodeVarint(bytes.length), bytes)
}

function compiledMessage(name: MessageName): CompiledMessage {
  // Every name is a key of the tables that were compiled.
  return compiled.get(name) as CompiledMessage
}
