import { canonicalDecimal, exactNumber } from './decimal.ts'

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
