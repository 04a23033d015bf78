import { ownNames } from './published-names.ts'
import protocol from './published-protocol.json' with { type: 'json' }

// The file says so of every name; TypeScript would know only those that it holds.
const published: Readonly<Record<string, readonly string[]>> = protocol.messages

/** A published field: `3 name type label`. */
export interface PublishedField {
  readonly name: string
  readonly type: string
  readonly label: string | undefined
}

export function publishedField(message: string, number: number): PublishedField | undefined {
  const row = published[message]?.map(each => each.split(' ')).find(([first]) => first === String(number))
  const [, name = '', type = '', label] = row ?? []
  return row && { name, type, label }
}

/** A field on the wire with the bytes that it takes, and those of its content where it has a length. */
interface Piece {
  readonly number: number
  readonly whole: Buffer
  readonly content: Buffer | undefined
}

/**
 * The fields of a message, read by the published facts and not by the codec. Only numbers and what has a length occur
 * in the protocol.
 */
export function piecesOf(bytes: Uint8Array): Piece[] {
  const all = Buffer.from(bytes)
  const pieces: Piece[] = []
  for (let at = 0; at < all.length; ) {
    const tag = varintAt(all, at)
    const value = varintAt(all, tag.end)
    const isNumber = (tag.value & 7) === 0
    const end = isNumber ? value.end : value.end + value.value
    const content = isNumber ? undefined : all.subarray(value.end, end)
    pieces.push({ number: tag.value >> 3, whole: all.subarray(at, end), content })
    at = end
  }
  return pieces
}

/** A message without the fields that ours leaves out, at any depth, and the names of what that were. */
export function withoutLeftOut(
  message: string,
  bytes: Uint8Array,
  ownFields: (message: string) => ReadonlySet<number>,
): { readonly bytes: Buffer; readonly leftOut: readonly string[] } {
  const leftOut: string[] = []
  const kept = piecesOf(bytes).flatMap(({ number, whole, content }) => {
    const field = publishedField(message, number)
    if (!field) throw new Error(`${message} has no field ${number}`)
    const own = ownNames.get(message) ?? message
    if (!ownFields(own).has(number)) {
      leftOut.push(`${own}.${field.name}`)
      return []
    }
    if (!content || field.label === 'map' || !published[field.type]) return [whole]
    const inner = withoutLeftOut(field.type, content, ownFields)
    leftOut.push(...inner.leftOut)
    return [varint((number << 3) | 2), varint(inner.bytes.length), inner.bytes]
  })
  return { bytes: Buffer.concat(kept), leftOut }
}

function varintAt(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let [value, end] = [0, at]
  for (;;) {
    const byte = bytes.readUInt8(end)
    value += (byte & 0x7f) * 2 ** (7 * (end - at))
    end += 1
    if (byte < 0x80) return { value, end }
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    bytes.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
    if (rest <= 0x7f) return Buffer.from(bytes)
  }
}
