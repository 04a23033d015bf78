/**
 * JSON as it travels. Everything that is compared, hashed or sent in this house has one of these types. Each number
 * has one form: a JavaScript number where that says it exactly, else a `BigNum`. Whoever writes it for somebody else
 * writes it with `writeJson`.
 */
export type Json = null | boolean | number | BigNum | string | JsonArray | JsonObject
export type JsonArray = readonly Json[]
export interface JsonObject {
  readonly [member: string]: Json
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof BigNum)
}

/** `Array.isArray` that keeps the readonly element type. */
export function isJsonArray(value: unknown): value is JsonArray {
  return Array.isArray(value)
}

/**
 * Levels of lists and maps inside each other, in whatever is JSON or YAML: what people write, what a command keeps,
 * what the service answers. Filters go about 8 levels deep, and whoever walks through JSON
 * recursively may rely on this: a call stack bears some thousand.
 */
export const deepest = 200
export const tooDeep = 'it is nested too deep'

/**
 * Up to fifteen digits a double says any number, but for what an exponent makes of it. What looks so inside of a
 * text only costs time.
 */
export const mayHoldBigNumber = /(?:^|[[:,\s])-?(?:\d[\d.]{15}|[\d.]+[eE])/

/**
 * Whether a JSON text goes deeper than anybody may. Counted by a loop, before it is parsed by what goes through values
 * recursively and would end in a bare "Maximum call stack size exceeded".
 */
export function isTextTooDeep(text: string): boolean {
  return membersWritten(text) === undefined
}

/** How many members a JSON text writes, of all its objects together; undefined where it goes deeper than anybody may. */
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

/**
 * Whether what is read from JSON is nested deeper than so many levels. To look at the lists and objects of a value takes a
 * tenth of what it takes to look at each character of its text.
 */
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
 * A number that no JavaScript number says exactly: an id beyond 2^53, a version of many digits. Its text has all of
 * them, in the one form of `canonicalDecimal`.
 */
export class BigNum {
  readonly text: string

  constructor(text: string) {
    this.text = canonicalDecimal(text)
  }

  toString(): string {
    return this.text
  }

  /** What `JSON.stringify` shows in a message. What is kept or sent is written by `writeJson`, as a number. */
  toJSON(): string {
    return this.text
  }
}

/**
 * A number from its decimal text. It is a JavaScript number exactly where the shortest text of that number says the
 * same, and whole ones only where they are safe; so every number has one form, and `0.1` is the `0.1` it looks like.
 */
export function numberFrom(text: string): number | BigNum {
  const canonical = canonicalDecimal(text)
  return exactNumber(canonical) ?? new BigNum(canonical)
}

/** A number from a float of 64 bits. Whole ones are exact; a fraction means the shortest text that rounds to it. */
export function numberFromFloat(float: number): number | BigNum {
  if (!Number.isFinite(float)) throw new RangeError('a number must be finite')
  if (Number.isInteger(float)) return numberFrom(BigInt(float).toString())
  return float
}

/** The nearest JavaScript number, for what is only ever worked with as one: percentages, and what is ordered. */
export function doubleOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return value instanceof BigNum ? Number(value.text) : undefined
}

/**
 * What a number that was written as `written` is read as and sent as, where that is another text: `2.1` for `2.10`.
 * To whoever compares texts, versions above all, the two are different values.
 */
export function respelled(written: string, read: number | BigNum): string | undefined {
  const text = read instanceof BigNum ? read.text : JSON.stringify(read)
  return written === text || written === numberText(read) ? undefined : text
}

/** A number that is shown with the digits it was written with: a text with it is sent as it is. */
export class WrittenNumber extends BigNum {
  override readonly text: string

  constructor(written: string) {
    super(written)
    this.text = written
  }
}

/** A number for people to read: as it was written, where it would be sent as another text otherwise. */
export function numberAsWritten(written: string): number | BigNum {
  const read = numberFrom(written)
  const isExact = String(read) === written && !Object.is(read, -0)
  return isExact ? read : new WrittenNumber(written)
}

export function numberText(value: number | Pick<BigNum, 'text'>): string {
  return canonicalDecimal(typeof value === 'number' ? String(value) : value.text)
}

/**
 * The one text of a decimal number: no zeros that say nothing, an exponent only where the plain form would be long.
 * Two texts are the same number exactly when their canonical texts are the same.
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

/** Whether the JavaScript number of a decimal text is that very number, as its shortest text has it: `0.1` is. */
export function isExact(text: string): boolean {
  const near = Number(text)
  // What is so small, or so large, may have an exponent that is out of any range.
  if (near === 0) return !/[1-9]/.test(text.replace(/e.*/i, ''))
  return Number.isFinite(near) && canonicalDecimal(text) === canonicalDecimal(String(near))
}

/**
 * The JavaScript number of a decimal text; undefined where that would be another number, or a whole one so large that
 * it stands for its neighbours as well.
 */
export function exactNumber(text: string): number | undefined {
  const near = Number(text)
  if (Number.isInteger(near) && !Number.isSafeInteger(near)) return undefined
  // There is no minus zero in decimals.
  return isExact(text) ? near || 0 : undefined
}

/** Beyond these places of the point people count zeros, and get it wrong. */
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

/** What files of some editors begin with. Terraform takes it away where a text of JSON begins with it. */
export const byteOrderMark = '\ufeff'
