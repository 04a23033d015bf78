/** A piece of DER, the binary form of certificates: a tag, a length, and what is inside. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Uint8Array.of(tag), lengthOf(content.length), content])
}

export function derSequence(...contents: readonly Uint8Array[]): Buffer {
  return der(0x30, ...contents)
}

/** A whole number of one byte that is not negative. */
export function derSmallInteger(value: number): Buffer {
  return der(0x02, Uint8Array.of(value))
}

export function derBoolean(value: boolean): Buffer {
  return der(0x01, Uint8Array.of(value ? 0xff : 0x00))
}

/** An object identifier from its dotted form. */
export function derObjectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(base128)]))
}

export function derText(text: string): Buffer {
  return der(0x0c, Buffer.from(text))
}

/** A moment, to the second. Years from 2050 on need the form with four digits. */
export function derTime(atMs: number): Buffer {
  const at = new Date(atMs)
  const digits = `${at.toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return Uint8Array.of(0x80 | bytes.length, ...bytes)
}

function base128(part: number): number[] {
  const bytes = [part & 0x7f]
  for (let rest = part >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}
