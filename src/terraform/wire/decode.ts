import { type CompiledMessage, compiled, type Field, type FieldType } from './compile.ts'
import type { Scalars } from './field-row.ts'
import type { Message, MessageName } from './messages.ts'
import { decodeVarint, wireType } from './varint.ts'

/** The message in some bytes. Fields that no table has are skipped: the other side may be newer. */
export function decodeMessage<Name extends MessageName>(name: Name, bytes: Uint8Array): Message<Name> {
  // The fields are read by the table that the type is inferred from.
  return decodeFields(name, bytes) as Message<Name>
}

/** A field on the wire: a number, or a stretch of bytes. */
interface Piece {
  readonly number: number
  readonly value: number | bigint | Uint8Array
}

function decodeFields(name: MessageName, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  // Every name is a key of the tables that were compiled.
  const { fields, byNumber } = compiled.get(name) as CompiledMessage
  const found: Record<string, unknown> = {}
  for (const field of fields) found[field.name] = emptyOf(field)
  for (const { number, value } of piecesOf(bytes)) {
    const field = byNumber.get(number)
    if (field) add(found, field, value)
  }
  return found
}

function piecesOf(bytes: Uint8Array): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  while (at < bytes.length) {
    const tag = decodeVarint(bytes, at)
    // The number of a field and the type of what follows, in the low three bits.
    const numbered = Number(tag.value)
    const piece = readPiece(bytes, tag.end, numbered % 8)
    pieces.push({ number: Math.floor(numbered / 8), value: piece.value })
    at = piece.end
  }
  return pieces
}

function readPiece(bytes: Uint8Array, at: number, type: number): { value: Piece['value']; end: number } {
  switch (type) {
    case wireType.varint:
      return decodeVarint(bytes, at)
    case wireType.fixed64:
      return stretch(bytes, at, 8)
    case wireType.fixed32:
      return stretch(bytes, at, 4)
    case wireType.lengthDelimited: {
      const { value, end } = decodeVarint(bytes, at)
      return stretch(bytes, end, Number(value))
    }
    default:
      throw new RangeError(`a message has a field of wire type ${type}, which nothing here is sent as`)
  }
}

function stretch(bytes: Uint8Array, at: number, length: number): { value: Uint8Array; end: number } {
  const end = at + length
  if (end > bytes.length) throw new RangeError('a message ends in the middle of a field')
  return { value: bytes.subarray(at, end), end }
}

function add(found: Record<string, unknown>, { name, type, label }: Field, value: Piece['value']): void {
  if (label === 'map') {
    const entry = Object.fromEntries(Array.from(piecesOf(bytesOf(value)), each => [each.number, each.value]))
    const key = Buffer.from(bytesOf(entry[1] ?? new Uint8Array())).toString()
    const element = entry[2] === undefined ? emptyElement(type) : decodeOne(type, entry[2])
    // A record grows by definition and not by assignment, which "__proto__" would escape.
    Object.defineProperty(found[name], key, { value: element, enumerable: true, configurable: true })
  } else if (label === 'repeated') {
    // `emptyOf` put an array there.
    const elements = found[name] as unknown[]
    elements.push(decodeOne(type, value))
  } else {
    found[name] = decodeOne(type, value)
  }
}

function decodeOne(type: FieldType, value: Piece['value']): unknown {
  if (type.is === 'message') return decodeFields(type.message, bytesOf(value))
  if (type.is === 'enum') return type.members[Number(numberOf(value))] ?? type.members[0]
  return decodeScalar(type.scalar, value)
}

function decodeScalar(scalar: keyof Scalars, value: Piece['value']): unknown {
  switch (scalar) {
    case 'string':
      return Buffer.from(bytesOf(value)).toString()
    case 'bytes':
      return bytesOf(value)
    case 'bool':
      return Number(numberOf(value)) !== 0
    case 'uint32':
      return Number(BigInt.asUintN(32, BigInt(numberOf(value))))
    case 'int64': {
      const number = numberOf(value)
      if (typeof number === 'number') return number
      const signed = BigInt.asIntN(64, number)
      return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed
    }
    default:
      return scalar satisfies never
  }
}

function bytesOf(value: Piece['value']): Uint8Array {
  if (typeof value === 'bigint' || typeof value === 'number')
    throw new RangeError('a message has a number where bytes belong')
  return value
}

function numberOf(value: Piece['value']): number | bigint {
  if (typeof value !== 'bigint' && typeof value !== 'number')
    throw new RangeError('a message has bytes where a number belongs')
  return value
}

function emptyOf({ type, label }: Field): unknown {
  if (label === 'repeated') return []
  if (label === 'map') return {}
  return label === 'optional' || type.is === 'message' ? undefined : emptyElement(type)
}

function emptyElement(type: FieldType): unknown {
  if (type.is === 'message') return decodeFields(type.message, new Uint8Array())
  if (type.is === 'enum') return type.members[0]
  return zeros[type.scalar]
}

const zeros: Scalars = { string: '', bytes: new Uint8Array(), bool: false, uint32: 0, int64: 0 }
