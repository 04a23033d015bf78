/** A whole number in groups of seven bits, the lowest first. A negative one takes ten bytes, as two's complement. */
export function encodeVarint(value: number | bigint): Uint8Array {
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

/** What stands at `at`, as an unsigned number of 64 bits, and where it ends. It is a bigint from five groups on. */
export function decodeVarint(
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

/** How many bytes a value takes, as the low three bits of a field's tag say it. */
export const wireType = { varint: 0, fixed64: 1, lengthDelimited: 2, fixed32: 5 } as const
