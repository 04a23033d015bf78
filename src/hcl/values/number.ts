import { elsewhere, unsupported } from './type.ts'

/**
 * A number as in Terraform: a binary fraction with a limited number of bits, rounded to nearest, ties to
 * even. Written numbers have 512 bits, counts have 64, and a result has as many as its more precise operand.
 * So `1 / 3`, `0.1 * 3` and all their results equal Terraform's in every digit.
 */
export class BigFloat {
  /** Odd, or zero, so that every number has one form. */
  readonly mantissa: bigint
  readonly exponent: number
  readonly bits: number
  /** Whether the number is zero with a sign. It equals zero, but its text has the sign. */
  readonly isNegativeZero: boolean

  constructor(mantissa: bigint, exponent: number, bits: number, isNegativeZero = false) {
    const [rounded, shift] = roundTo(mantissa, bits)
    const [odd, zeros] = withoutTrailingZeros(rounded)
    this.mantissa = odd
    this.exponent = odd === 0n ? 0 : exponent + shift + zeros
    this.bits = bits
    this.isNegativeZero = odd === 0n && isNegativeZero
  }

  /** Whether the number is below zero, or zero with a sign. */
  get isNegative(): boolean {
    return this.mantissa < 0n || this.isNegativeZero
  }

  /** Plain decimal: the fewest digits that identify it among numbers with the same number of bits. */
  get text(): string {
    const { mantissa, exponent, bits } = this
    if (this.isNegativeZero) return '-0'
    if (exponent >= 0 && exponent < plainBits && bitLength(mantissa) + exponent <= plainBits)
      return (mantissa << BigInt(exponent)).toString()
    return shortestDecimal(mantissa, exponent, bits)
  }

  get isWhole(): boolean {
    return this.exponent >= 0
  }

  /** The nearest JavaScript number. It is exact for all whole numbers of usual size. */
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

/** Numbers with more digits before or after the point are refused, because nobody needs them. */
const mostDigits = 2000

export function isNumber(value: unknown): value is BigFloat {
  return value instanceof BigFloat
}

/** A count: the length of a value, or the index of an element. */
export function countOf(count: number | bigint): BigFloat {
  return new BigFloat(BigInt(count), 0, countBits)
}

/** As Go in base 10: `.5`, `5.`, `5e1`, and `5p1` with a binary exponent. Undefined for any other text. */
export function parseNumber(text: string): BigFloat | undefined {
  if (/^[+-]?[iI]nf$/.test(text)) throw unsupported('a number without end', elsewhere)
  const match = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:([ep])([+-]?\d+))?$/i.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', base = 'e', exponentText = '0'] = match
  const isBinary = base.toLowerCase() === 'p'
  const exponent = (isBinary ? 0 : Number(exponentText)) - fraction.length
  const shift = isBinary ? Number(exponentText) : 0
  if (Math.max(Math.abs(exponent), Math.abs(shift), whole.length + fraction.length) > mostDigits)
    throw tooLong()
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  return exponent >= 0
    ? new BigFloat(digits * 10n ** BigInt(exponent), shift, literalBits, sign === '-')
    : digits === 0n
      ? new BigFloat(0n, 0, literalBits, sign === '-')
      : quotient(digits, 10n ** BigInt(-exponent), shift, literalBits)
}

/** Converts a double exactly. */
export function fromDouble(value: number): BigFloat {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  const whole = bits.getBigUint64(0)
  const [biased, fraction] = [Number((whole >> 52n) & 0x7ffn), whole & 0xfffffffffffffn]
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n
  const sign = value < 0 ? -1n : 1n
  return new BigFloat(sign * mantissa, Math.max(biased, 1) - 1075, plainBits, Object.is(value, -0))
}

export function add(left: BigFloat, right: BigFloat): BigFloat {
  const exponent = Math.min(left.exponent, right.exponent)
  return new BigFloat(
    shifted(left, exponent) + shifted(right, exponent),
    exponent,
    Math.max(left.bits, right.bits),
    left.isNegativeZero && right.isNegativeZero,
  )
}

export function negate({ mantissa, exponent, bits, isNegativeZero }: BigFloat): BigFloat {
  return new BigFloat(-mantissa, exponent, bits, !isNegativeZero)
}

export function subtract(left: BigFloat, right: BigFloat): BigFloat {
  return add(left, negate(right))
}

/** Multiplies. The product has as many bits as necessary, up to 512. */
export function multiply(left: BigFloat, right: BigFloat): BigFloat {
  const isNegativeZero = left.isNegative !== right.isNegative
  const wide = new BigFloat(
    left.mantissa * right.mantissa,
    left.exponent + right.exponent,
    literalBits,
    isNegativeZero,
  )
  const bits = Math.max(left.bits, right.bits, bitLength(wide.mantissa))
  return checked(new BigFloat(wide.mantissa, wide.exponent, bits, isNegativeZero))
}

export function divide(left: BigFloat, right: BigFloat): BigFloat {
  if (right.mantissa === 0n) throw unsupported('a division by zero', elsewhere)
  const bits = Math.max(left.bits, right.bits)
  if (left.mantissa === 0n) return new BigFloat(0n, 0, bits, left.isNegative !== right.isNegative)
  return checked(quotient(left.mantissa, right.mantissa, left.exponent - right.exponent, bits))
}

/** The remainder of a division, with the sign of the dividend. */
export function remainder(left: BigFloat, right: BigFloat): BigFloat {
  const whole = new BigFloat(truncate(divide(left, right)), 0, left.bits)
  const taken = new BigFloat(right.mantissa * whole.mantissa, right.exponent + whole.exponent, left.bits)
  const { mantissa, exponent, isNegativeZero } = subtract(left, taken)
  return new BigFloat(mantissa, exponent, left.bits, isNegativeZero)
}

/** Negative, zero or positive if the left number is less, equal or greater. */
export function compare(left: BigFloat, right: BigFloat): number {
  const exponent = Math.min(left.exponent, right.exponent)
  const [one, other] = [shifted(left, exponent), shifted(right, exponent)]
  return one < other ? -1 : one > other ? 1 : 0
}

export function floor(number: BigFloat): BigFloat {
  // A right shift of a bigint rounds down, even for negative numbers. Zero results have no sign.
  return number.isWhole && !number.isNegativeZero
    ? number
    : new BigFloat(number.mantissa >> BigInt(-number.exponent), 0, number.bits)
}

export function ceil(number: BigFloat): BigFloat {
  const { mantissa, exponent, bits } = negate(floor(negate(number)))
  return new BigFloat(mantissa, exponent, bits)
}

export function absolute({ mantissa, exponent, bits }: BigFloat): BigFloat {
  return new BigFloat(mantissa < 0n ? -mantissa : mantissa, exponent, bits)
}

export function truncate(number: BigFloat): bigint {
  const { mantissa, exponent } = number
  return exponent >= 0 ? mantissa << BigInt(exponent) : mantissa / (1n << BigInt(-exponent))
}

function bitLength(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16)
  return digits === '0' ? 0 : digits.length * 4 - Math.clz32(Number.parseInt(digits.charAt(0), 16)) + 28
}

/** The quotient for exact rounding: an additional bit represents the remainder. */
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

/** Limits the bits of the mantissa, and returns how many were dropped. */
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

/**
 * The shortest decimal, without exponent, that identifies `mantissa * 2^exponent` among numbers with this
 * many bits. It has as many digits of the exact decimal as are needed to exclude the numbers half a bit below
 * and above.
 */
function shortestDecimal(mantissa: bigint, exponent: number, bits: number): string {
  if (mantissa === 0n) return '0'
  const decimal = shortestDigits({ mantissa, exponent, bits })
  return (mantissa < 0n ? '-' : '') + fixed(decimal, Math.max(decimal.digits.length - decimal.point, 0))
}

/** A binary fraction, like a `BigFloat`. */
interface Binary {
  readonly mantissa: bigint
  readonly exponent: number
  readonly bits: number
}

/** The digits of the shortest decimal, without a sign; none for zero. */
export function shortestDigits({ mantissa, exponent, bits }: Binary): Decimal {
  if (mantissa === 0n) return { digits: '', point: 0 }
  const whole = mantissa < 0n ? -mantissa : mantissa
  // One additional bit, so that the last bit is half of the number's last bit.
  const shift = bits + 1 - whole.toString(2).length
  const wide = whole << BigInt(shift)
  const at = exponent - shift
  const [exact, lower, upper] = [
    exactDecimal(wide, at),
    exactDecimal(wide - 1n, at),
    exactDecimal(wide + 1n, at),
  ]
  const isInclusive = (wide & 2n) === 0n
  return shorten(exact, lower, upper, isInclusive)
}

/** `0.digits * 10^point`, without trailing zeros. */
export interface Decimal {
  readonly digits: string
  readonly point: number
}

/** All digits of a number, without its sign. */
export function decimalOf({ mantissa, exponent }: Binary): Decimal {
  if (mantissa === 0n) return { digits: '', point: 0 }
  return exactDecimal(mantissa < 0n ? -mantissa : mantissa, exponent)
}

function exactDecimal(mantissa: bigint, exponent: number): Decimal {
  const digits =
    exponent >= 0
      ? (mantissa << BigInt(exponent)).toString()
      : (mantissa * 5n ** BigInt(-exponent)).toString()
  return { digits: digits.replace(/0+$/, ''), point: digits.length + Math.min(exponent, 0) }
}

function shorten(exact: Decimal, lower: Decimal, upper: Decimal, isInclusive: boolean): Decimal {
  for (let index = 0; index < exact.digits.length; index++) {
    const digit = exact.digits.charAt(index)
    const [below, above] = [lower.digits.charAt(index) || '0', upper.digits.charAt(index) || '0']
    const canDrop = below !== digit || (isInclusive && index + 1 === lower.digits.length)
    const canRaise =
      digit !== above && (isInclusive || Number(digit) + 1 < Number(above) || index + 1 < upper.digits.length)
    if (canDrop && canRaise)
      return isNearerAbove(exact, index + 1) ? raised(exact, index + 1) : cut(exact, index + 1)
    if (canDrop) return cut(exact, index + 1)
    if (canRaise) return raised(exact, index + 1)
  }
  return exact
}

function isNearerAbove({ digits }: Decimal, length: number): boolean {
  const rest = digits.slice(length)
  if (rest !== '5') return rest >= '5'
  // Exactly in the middle: to the even digit.
  return Number(digits.charAt(length - 1)) % 2 === 1
}

function cut({ digits, point }: Decimal, length: number): Decimal {
  return { digits: digits.slice(0, length).replace(/0+$/, ''), point }
}

function raised({ digits, point }: Decimal, length: number): Decimal {
  const up = (BigInt(digits.slice(0, length)) + 1n).toString()
  return { digits: up.replace(/0+$/, ''), point: point + up.length - length }
}

/** A number in Go's default form: with an exponent if the point is far from the first digit. */
export function generalText(number: BigFloat, precision?: number): string {
  return (number.isNegative ? '-' : '') + general(precision, number, 'e')
}

/**
 * Digits without a sign, with an exponent if the point is far from the first digit. Without a precision: the
 * fewest digits.
 */
export function general(precision: number | undefined, number: BigFloat, e: string): string {
  const isShortest = precision === undefined
  const decimal = isShortest ? shortestDigits(number) : rounded(decimalOf(number), precision || 1)
  const { digits, point } = decimal
  const most = isShortest ? digits.length : precision || 1
  const limit = isShortest ? 6 : most > digits.length && digits.length >= point ? digits.length : most
  const exponent = point - 1
  if (exponent < -4 || exponent >= limit) return withExponent(decimal, Math.min(most, digits.length) - 1, e)
  return fixed(decimal, Math.max((most > point ? digits.length : most) - point, 0))
}

/** Limits the decimal to a number of digits, ties to even. */
export function rounded({ digits, point }: Decimal, count: number): Decimal {
  if (count < 0 || count >= digits.length) return { digits, point }
  const isTie = digits.length === count + 1 && digits.charAt(count) === '5'
  const isUp = isTie ? count > 0 && Number(digits.charAt(count - 1)) % 2 === 1 : digits.charAt(count) >= '5'
  const kept = digits.slice(0, count)
  if (!isUp) return trimmed(kept, point)
  const up = (BigInt(kept || '0') + 1n).toString().padStart(count, '0')
  return trimmed(up, point + up.length - count)
}

function trimmed(digits: string, point: number): Decimal {
  const significant = digits.replace(/0+$/, '')
  return significant === '' ? { digits: '', point: 0 } : { digits: significant, point }
}

export function fixed({ digits, point }: Decimal, places: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  if (places === 0) return whole
  const behind = point > 0 ? digits.slice(point) : '0'.repeat(Math.min(-point, places)) + digits
  return `${whole}.${behind.slice(0, places).padEnd(places, '0')}`
}

export function withExponent({ digits, point }: Decimal, places: number, e: string): string {
  const behind = digits.slice(1, 1 + Math.max(0, places)).padEnd(Math.max(0, places), '0')
  const exponent = digits === '' ? 0 : point - 1
  const power = String(Math.abs(exponent)).padStart(2, '0')
  return `${digits.charAt(0) || '0'}${behind && `.${behind}`}${e}${exponent < 0 ? '-' : '+'}${power}`
}
