import {
  type Draft,
  type EnumName,
  enums,
  type FieldLabel,
  type FieldRow,
  type Message,
  type MessageName,
  type MessageTable,
  messages,
  type Scalars,
} from './messages.ts'

export type FieldType =
  | { readonly is: 'scalar'; readonly scalar: keyof Scalars }
  | { readonly is: 'enum'; readonly members: readonly string[] }
  | { readonly is: 'message'; readonly message: MessageName }

export interface Field {
  readonly name: string
  readonly number: number
  readonly type: FieldType
  readonly label: FieldLabel | undefined
}

interface CompiledMessage {
  readonly fields: readonly Field[]
  readonly byNumber: ReadonlyMap<number, Field>
}

/** The message tables, compiled once for the codec. */
export const compiled: ReadonlyMap<string, CompiledMessage> = new Map(
  Object.entries<MessageTable>(messages).map(([name, table]) => [name, compile(table)]),
)

function compile(table: MessageTable): CompiledMessage {
  const fields = Object.entries(table).map(([name, row]) => compileField(name, row))
  return { fields, byNumber: new Map(fields.map(field => [field.number, field])) }
}

function compileField(name: string, [number, type, label]: FieldRow): Field {
  return { name, number, type: fieldType(type), label }
}

function fieldType(type: string): FieldType {
  if (isMessage(type)) return { is: 'message', message: type }
  if (isEnum(type)) return { is: 'enum', members: enums[type] }
  if (isScalar(type)) return { is: 'scalar', scalar: type }
  throw new TypeError(`"${type}" is the type of a field, but there is no table for it`)
}

function isMessage(type: string): type is MessageName {
  return Object.hasOwn(messages, type)
}

function isEnum(type: string): type is EnumName {
  return Object.hasOwn(enums, type)
}

function isScalar(type: string): type is keyof Scalars {
  return ['string', 'bytes', 'bool', 'uint32', 'int64'].includes(type)
}

/** Encodes a message. Zeros and empty values are omitted, except in `optional` fields. */
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
    // The draft types guarantee arrays here and records below.
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
    // The draft types guarantee an object.
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
      // The draft types guarantee bytes here and a number below.
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
  // Every name is a key of the compiled tables.
  return compiled.get(name) as CompiledMessage
}

/** Decodes a message. Unknown fields are skipped, because the other side may be newer. */
export function decodeMessage<Name extends MessageName>(name: Name, bytes: Uint8Array): Message<Name> {
  // The table of the fields is the same as the table of the type.
  return decodeFields(name, bytes) as Message<Name>
}

/** A field on the wire: a number, or a range of bytes. */
interface Piece {
  readonly number: number
  readonly value: number | bigint | Uint8Array
}

function decodeFields(name: MessageName, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  // Every name is a key of the compiled tables.
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
    // The number of a field; the low three bits are the wire type of its value.
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
      throw new RangeError(
        `a message contains a field of wire type ${type}, which this protocol does not use`,
      )
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
    // Records grow by `defineProperty`, because an assignment does not work for "__proto__".
    Object.defineProperty(found[name], key, { value: element, enumerable: true, configurable: true })
  } else if (label === 'repeated') {
    // `emptyOf` created an array there.
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
    throw new RangeError('a message has a number instead of bytes')
  return value
}

function numberOf(value: Piece['value']): number | bigint {
  if (typeof value !== 'bigint' && typeof value !== 'number')
    throw new RangeError('a message has bytes instead of a number')
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

/** Groups of seven bits, lowest first. A negative number takes ten bytes in two's complement. */
function encodeVarint(value: number | bigint): Uint8Array {
  if (typeof value === 'number' && value >= 0 && value <= 0x7fffffff) return encodeSmall(value)
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}

/** Reads an unsigned 64-bit number at `at`, and returns where it ends. From five groups on it is a bigint. */
function decodeVarint(
  bytes: Uint8Array,
  at: number,
): { readonly value: number | bigint; readonly end: number } {
  let value = 0
  for (let index = 0; index < 4; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) break
    value |= (byte & 0x7f) << (7 * index)
    if (byte < 0x80) return { value, end: at + index + 1 }
  }
  return decodeLarge(bytes, at)
}

function decodeLarge(bytes: Uint8Array, at: number): { readonly value: bigint; readonly end: number } {
  let value = 0n
  for (let index = 0; index < 10; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) break
    value |= BigInt(byte & 0x7f) << BigInt(7 * index)
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: at + index + 1 }
  }
  throw new RangeError('a message ends in the middle of a number')
}

function encodeSmall(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  bytes.push(rest)
  return Uint8Array.from(bytes)
}

/** The size of a value, as the low three bits of a field's tag encode it. */
const wireType = { varint: 0, fixed64: 1, lengthDelimited: 2, fixed32: 5 } as const
