/**
 * JSON in one form for everything that this code compares, hashes or sends. Each number has one form: a
 * JavaScript number if that is exact, otherwise a `BigNum`. JSON for other programs is always written with
 * `writeJson`.
 */
export type Json = null | boolean | number | BigNum | string | JsonArray | JsonObject
export type JsonArray = readonly Json[]
export interface JsonObject {
  readonly [member: string]: Json
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof BigNum)
}

/** `Array.isArray` with a readonly element type. */
export function isJsonArray(value: unknown): value is JsonArray {
  return Array.isArray(value)
}

/**
 * The deepest nesting of lists and maps in any JSON or YAML, whether from people, from commands or from the
 * service. Filters have about 8 levels. Recursive code may rely on this limit, because a call stack holds a
 * few thousand levels.
 */
export const deepest = 200
export const tooDeep = 'it is nested too deep'

/**
 * A double represents any number of up to fifteen digits, apart from its exponent. A false match inside a
 * string only costs time.
 */
export const mayHoldBigNumber = /(?:^|[[:,\s])-?(?:\d[\d.]{15}|[\d.]+[eE])/

/**
 * Whether a JSON text is nested too deeply. A loop counts this before the recursive parser, which would fail
 * with "Maximum call stack size exceeded".
 */
export function isTextTooDeep(text: string): boolean {
  return membersWritten(text) === undefined
}

/** The number of members in all objects of a JSON text; undefined if it is nested too deeply. */
export function membersWritten(text: string): number | undefined {
  let members = 0
  let depth = 0
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isQuoted) {
      if (code === backslash) index++
      else if (code === quote) isQuoted = false
    } else if (code === quote) isQuoted = true
    else if (code === brace || code === bracket) {
      depth++
      if (depth > deepest) return undefined
    } else if (code === endBrace || code === endBracket) depth--
    else if (code === colon) members++
  }
  return members
}

/** Visiting lists and objects takes a tenth of the time of reading each character of the text. */
export function isDeeperThan(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isJsonArray(value)) {
    if (most === 0) return true
    for (let at = 0; at < value.length; at++) if (isDeeperThan(value[at], most - 1)) return true
    return false
  }
  if (!isJsonObject(value)) return false
  if (most === 0) return true
  for (const name in value) if (isDeeperThan(value[name], most - 1)) return true
  return false
}

const [quote, backslash, bracket, endBracket, brace, endBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]
const colon = 0x3a

/**
 * A number that a JavaScript number cannot represent exactly: an id beyond 2^53, a version with many digits.
 * Its text has all digits, in the form of `canonicalDecimal`.
 */
export class BigNum {
  readonly text: string

  constructor(text: string) {
    this.text = canonicalDecimal(text)
  }

  toString(): string {
    return this.text
  }

  /** For messages with `JSON.stringify`. In files and requests, `writeJson` writes it as a number. */
  toJSON(): string {
    return this.text
  }
}

/**
 * Parses a decimal text. The result is a JavaScript number only if its shortest text is the same number and,
 * for whole numbers, if it is safe. So every number has one form, and `0.1` means exactly 0.1.
 */
export function numberFrom(text: string): number | BigNum {
  const canonical = canonicalDecimal(text)
  return exactNumber(canonical) ?? new BigNum(canonical)
}

/** From a 64-bit float. A whole number is exact, a fraction the shortest text that rounds to it. */
export function numberFromFloat(float: number): number | BigNum {
  if (!Number.isFinite(float)) throw new RangeError('a number must be finite')
  if (Number.isInteger(float)) return numberFrom(BigInt(float).toString())
  return float
}

/** The nearest JavaScript number, for calculations and sorting, for example of percentages. */
export function doubleOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return value instanceof BigNum ? Number(value.text) : undefined
}

/**
 * The text that is sent for a number, if it differs from `written`: `2.1` for `2.10`. For users who compare
 * texts, especially versions, these are two values.
 */
export function respelled(written: string, read: number | BigNum): string | undefined {
  const text = read instanceof BigNum ? read.text : JSON.stringify(read)
  return written === text || written === numberText(read) ? undefined : text
}

/** A number that keeps its written digits for display. Texts that contain it are sent unchanged. */
export class WrittenNumber extends BigNum {
  override readonly text: string

  constructor(written: string) {
    super(written)
    this.text = written
  }
}

/** A number for display: as written, if it would be sent with another text. */
export function numberAsWritten(written: string): number | BigNum {
  const read = numberFrom(written)
  const isExact = String(read) === written && !Object.is(read, -0)
  return isExact ? read : new WrittenNumber(written)
}

export function numberText(value: number | Pick<BigNum, 'text'>): string {
  return canonicalDecimal(typeof value === 'number' ? String(value) : value.text)
}

/**
 * The canonical text of a decimal number: no unnecessary zeros, and an exponent only if the plain form is
 * long. Two texts are the same number exactly if their canonical texts are equal.
 */
export function canonicalDecimal(text: string): string {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text)
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match ?? []
  if (whole + fraction === '') throw new RangeError(`"${text}" is not a number`)
  const significant = `${whole}${fraction}`.replace(/^0+/, '')
  const digits = significant.replace(/0+$/, '')
  if (digits === '') return '0'
  const pointAt = significant.length + Number(exponentText) - fraction.length
  if (!Number.isSafeInteger(pointAt)) throw new RangeError(`the exponent of "${text}" is out of range`)
  return `${sign === '-' ? '-' : ''}${place(digits, pointAt)}`
}

/** Whether the JavaScript number of a decimal text has this number as its shortest text, like `0.1`. */
export function isExact(text: string): boolean {
  const near = Number(text)
  // The exponent of a tiny or huge number may be out of range.
  if (near === 0) return !/[1-9]/.test(text.replace(/e.*/i, ''))
  return Number.isFinite(near) && canonicalDecimal(text) === canonicalDecimal(String(near))
}

/**
 * The JavaScript number of a decimal text. Undefined if it would be another number, or a whole number so
 * large that it also represents its neighbours.
 */
export function exactNumber(text: string): number | undefined {
  const near = Number(text)
  if (Number.isInteger(near) && !Number.isSafeInteger(near)) return undefined
  // A decimal has no minus zero.
  return isExact(text) ? near || 0 : undefined
}

/** People miscount the zeros of a longer number. */
const [leftmostPoint, rightmostPoint] = [-20, 80]

function place(digits: string, pointAt: number): string {
  if (pointAt < leftmostPoint || pointAt > rightmostPoint) {
    const rest = digits.slice(1)
    return `${digits[0]}${rest && `.${rest}`}e${pointAt - 1}`
  }
  if (pointAt <= 0) return `0.${'0'.repeat(-pointAt)}${digits}`
  if (pointAt >= digits.length) return digits.padEnd(pointAt, '0')
  return `${digits.slice(0, pointAt)}.${digits.slice(pointAt)}`
}

/** Some editors write this mark at the start of files. Terraform removes it from the start of JSON texts. */
export const byteOrderMark = '\ufeff'
