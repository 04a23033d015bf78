/**
 * The shortest decimal that means `mantissa * 2^exponent` and no other number of so many bits, written without an
 * exponent: digits are taken from the exact decimal until they are told apart from those of the neighbours half a
 * bit below and above.
 */
export function shortestDecimal(mantissa: bigint, exponent: number, bits: number): string {
  if (mantissa === 0n) return '0'
  return (mantissa < 0n ? '-' : '') + plain(shortestDigits({ mantissa, exponent, bits }))
}

/** A binary fraction, as `BigFloat` is one. */
interface Binary {
  readonly mantissa: bigint
  readonly exponent: number
  readonly bits: number
}

/** The digits of that decimal, whatever the sign; none where it is zero. */
export function shortestDigits({ mantissa, exponent, bits }: Binary): Decimal {
  if (mantissa === 0n) return { digits: '', point: 0 }
  const whole = mantissa < 0n ? -mantissa : mantissa
  // One bit more than the number has, so that the last of them is half of its own last.
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

/** `0.digits * 10^point`, without zeros at the end. */
export interface Decimal {
  readonly digits: string
  readonly point: number
}

/** All digits of a number, whatever its sign. */
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

function plain({ digits, point }: Decimal): string {
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return digits.padEnd(point, '0')
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}
