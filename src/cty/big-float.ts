import { elsewhere, unsupported } from './invalid-value.ts'
import { shortestDecimal } from './shortest-decimal.ts'

/**
 * A number as Terraform has it: a binary fraction of so many bits, rounded to the nearest, ties to even. What people
 * write has 512 bits and what is counted 64, and a result as many as the better of its operands; so `1 / 3`, `0.1 * 3`
 * and all that follows from them come out to the last digit as they do there.
 */
export class BigFloat {
  /** Odd, or zero: every number has one form. */
  readonly mantissa: bigint
  readonly exponent: number
  readonly bits: number

  constructor(mantissa: bigint, exponent: number, bits: number) {
    const [rounded, shift] = roundTo(mantissa, bits)
    const [odd, zeros] = withoutTrailingZeros(rounded)
    this.mantissa = odd
    this.exponent = odd === 0n ? 0 : exponent + shift + zeros
    this.bits = bits
  }

  /** The number in plain decimals: the fewest digits that mean no other number of as many bits. */
  get text(): string {
    const { mantissa, exponent, bits } = this
    if (exponent >= 0 && exponent < plainBits && bitLength(mantissa) + exponent <= plainBits)
      return (mantissa << BigInt(exponent)).toString()
    return shortestDecimal(mantissa, exponent, bits)
  }

  get isWhole(): boolean {
    return this.exponent >= 0
  }

  /** The nearest number that JavaScript has; exact for all whole ones that people count with. */
  toNumber(): number {
    return Number(this.text)
  }

  toString(): string {
    return this.text
  }
}

const literalBits = 512
const countBits = 64
const plainBits = 53

/** Numbers with more digits than this before or after the point are refused: nobody means them. */
const mostDigits = 2000

export function isNumber(value: unknown): value is BigFloat {
  return value instanceof BigFloat
}

/** A number that was counted: the length of something, the index of an element. */
export function countOf(count: number | bigint): BigFloat {
  return new BigFloat(BigInt(count), 0, countBits)
}

/** A number from its decimal text; undefined where the text is none. */
export function parseNumber(text: string): BigFloat | undefined {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match
  const exponent = Number(exponentText) - fraction.length
  if (Math.abs(exponent) > mostDigits || whole.length + fraction.length > mostDigits) throw tooLong()
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  return exponent >= 0
    ? new BigFloat(digits * 10n ** BigInt(exponent), 0, literalBits)
    : quotient(digits, 10n ** BigInt(-exponent), 0, literalBits)
}

export function add(left: BigFloat, right: BigFloat): BigFloat {
  const exponent = Math.min(left.exponent, right.exponent)
  return new BigFloat(
    shifted(left, exponent) + shifted(right, exponent),
    exponent,
    Math.max(left.bits, right.bits),
  )
}

export function negate({ mantissa, exponent, bits }: BigFloat): BigFloat {
  return new BigFloat(-mantissa, exponent, bits)
}

export function subtract(left: BigFloat, right: BigFloat): BigFloat {
  return add(left, negate(right))
}

export function multiply(left: BigFloat, right: BigFloat): BigFloat {
  return checked(
    new BigFloat(
      left.mantissa * right.mantissa,
      left.exponent + right.exponent,
      Math.max(left.bits, right.bits),
    ),
  )
}

export function divide(left: BigFloat, right: BigFloat): BigFloat {
  if (right.mantissa === 0n) throw unsupported('a division by zero', elsewhere)
  const bits = Math.max(left.bits, right.bits)
  return checked(quotient(left.mantissa, right.mantissa, left.exponent - right.exponent, bits))
}

/** What is left of a division, with the sign of what is divided. */
export function remainder(left: BigFloat, right: BigFloat): BigFloat {
  const whole = new BigFloat(truncate(divide(left, right)), 0, left.bits)
  const taken = new BigFloat(right.mantissa * whole.mantissa, right.exponent + whole.exponent, left.bits)
  const { mantissa, exponent } = subtract(left, taken)
  return new BigFloat(mantissa, exponent, left.bits)
}

/** Negative, zero or positive, as the left one is less, the same or more. */
export function compare(left: BigFloat, right: BigFloat): number {
  const exponent = Math.min(left.exponent, right.exponent)
  const [one, other] = [shifted(left, exponent), shifted(right, exponent)]
  return one < other ? -1 : one > other ? 1 : 0
}

export function floor(number: BigFloat): BigFloat {
  // A shift to the right of a bigint rounds down, negative ones too.
  return number.isWhole ? number : new BigFloat(number.mantissa >> BigInt(-number.exponent), 0, number.bits)
}

export function ceil(number: BigFloat): BigFloat {
  return negate(floor(negate(number)))
}

/** The whole part of a number. */
export function truncate(number: BigFloat): bigint {
  const { mantissa, exponent } = number
  return exponent >= 0 ? mantissa << BigInt(exponent) : mantissa / (1n << BigInt(-exponent))
}

function bitLength(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16)
  return digits === '0' ? 0 : digits.length * 4 - Math.clz32(Number.parseInt(digits.charAt(0), 16)) + 28
}

/** A quotient that is right to the last bit: what comes after it is told by one bit more. */
function quotient(dividend: bigint, divisor: bigint, exponent: number, bits: number): BigFloat {
  const shift = Math.max(0, bits + 2 + bitLength(divisor) - bitLength(dividend))
  const sign = dividend < 0n !== divisor < 0n ? -1n : 1n
  const [over, under] = [magnitude(dividend) << BigInt(shift), magnitude(divisor)]
  const rest = over % under === 0n ? 0n : 1n
  return new BigFloat(sign * (((over / under) << 1n) | rest), exponent - shift - 1, bits)
}

function checked(number: BigFloat): BigFloat {
  if (Math.abs(number.exponent) > mostDigits * 4) throw tooLong()
  return number
}

function tooLong() {
  return unsupported('a number of so many digits', elsewhere)
}

function shifted({ mantissa, exponent }: BigFloat, to: number): bigint {
  return mantissa << BigInt(exponent - to)
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

/** The mantissa with at most so many bits, and how many were dropped. */
function roundTo(mantissa: bigint, bits: number): readonly [bigint, number] {
  const excess = bitLength(mantissa) - bits
  if (excess <= 0) return [mantissa, 0]
  const whole = magnitude(mantissa)
  const [kept, dropped] = [whole >> BigInt(excess), whole & ((1n << BigInt(excess)) - 1n)]
  const half = 1n << BigInt(excess - 1)
  const isUp = dropped > half || (dropped === half && (kept & 1n) === 1n)
  const rounded = isUp ? kept + 1n : kept
  return [mantissa < 0n ? -rounded : rounded, excess]
}

function withoutTrailingZeros(mantissa: bigint): readonly [bigint, number] {
  if (mantissa === 0n) return [0n, 0]
  let [rest, zeros] = [mantissa, 0]
  for (const step of [1024, 64, 8, 1]) {
    const mask = (1n << BigInt(step)) - 1n
    while ((rest & mask) === 0n) {
      rest >>= BigInt(step)
      zeros += step
    }
  }
  return [rest, zeros]
}
