import { type BigFloat, truncate } from '../../../../cty/big-float.ts'
import { invalid } from '../../../../cty/invalid-value.ts'
import { type Decimal, decimalOf, shortestDigits } from '../../../../cty/shortest-decimal.ts'
import { requireLength } from '../../work-limits.ts'

/** How a value is to be written: what stands between the sign and the letter of a verb, and that letter. */
export interface Verb {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
  readonly letter: string
}

const bases: ReadonlyMap<string, number> = new Map([
  ['b', 2],
  ['o', 8],
  ['d', 10],
  ['x', 16],
  ['X', 16],
])

const prefixes: ReadonlyMap<string, string> = new Map([
  ['b', '0b'],
  ['o', '0'],
  ['x', '0x'],
  ['X', '0X'],
])

/** Whether a letter writes whole numbers. */
export function isOfWhole(letter: string): boolean {
  return bases.has(letter)
}

/** A whole number by `%d`, `%b`, `%o`, `%x` or `%X`; the precision says how many digits there are at least. */
export function wholeText({ flags, width, precision, letter }: Verb, number: BigFloat): string {
  if (!number.isWhole) throw invalid(`"%${letter}" needs a whole number`)
  const value = truncate(number)
  const written = (value < 0n ? -value : value).toString(bases.get(letter))
  const digits = letter === 'X' ? written.toUpperCase() : written
  if (precision === 0 && value === 0n) return ''
  const sign = value < 0n ? '-' : signOf(flags)
  const prefix = flags.includes('#') ? (prefixes.get(letter) ?? '') : ''
  const padded = digits.padStart(precision ?? 0, '0')
  const missing = Math.max(0, width - sign.length - prefix.length - padded.length)
  const text = sign + prefix + padded
  if (flags.includes('-')) return text + ' '.repeat(missing)
  if (flags.includes('0') && precision === undefined) return sign + prefix + '0'.repeat(missing) + padded
  return ' '.repeat(missing) + text
}

/** A number by `%e`, `%f` or `%g`, or their capitals. */
export function floatText({ flags, width, precision, letter }: Verb, number: BigFloat): string {
  const digits = digitsBy(letter, precision, number)
  const sign = number.isNegative ? '-' : signOf(flags)
  const missing = Math.max(0, width - sign.length - digits.length)
  if (flags.includes('0')) return sign + '0'.repeat(missing) + digits
  if (flags.includes('-')) return sign + digits + ' '.repeat(missing)
  return ' '.repeat(missing) + sign + digits
}

/** As few digits as say it; with an exponent where the point would be far from the first of them. */
export function generalText(number: BigFloat): string {
  return (number.isNegative ? '-' : '') + digitsBy('g', undefined, number)
}

function signOf(flags: string): string {
  if (flags.includes('+')) return '+'
  return flags.includes(' ') ? ' ' : ''
}

function digitsBy(letter: string, precision: number | undefined, number: BigFloat): string {
  requireLength(precision ?? 0)
  const e = letter === 'E' || letter === 'G' ? 'E' : 'e'
  switch (letter) {
    case 'e':
    case 'E':
      return withExponent(rounded(decimalOf(number), 1 + (precision ?? 6)), precision ?? 6, e)
    case 'f': {
      const exact = decimalOf(number)
      return fixed(rounded(exact, exact.point + (precision ?? 6)), precision ?? 6)
    }
    default:
      return general(precision, number, e)
  }
}

function general(precision: number | undefined, number: BigFloat, e: string): string {
  const isShortest = precision === undefined
  const decimal = isShortest ? shortestDigits(number) : rounded(decimalOf(number), precision || 1)
  const { digits, point } = decimal
  const most = isShortest ? digits.length : precision || 1
  const limit = isShortest ? 6 : most > digits.length && digits.length >= point ? digits.length : most
  const exponent = point - 1
  if (exponent < -4 || exponent >= limit) return withExponent(decimal, Math.min(most, digits.length) - 1, e)
  return fixed(decimal, Math.max((most > point ? digits.length : most) - point, 0))
}

/** The decimal with so many digits at the most, ties to the even one. */
function rounded({ digits, point }: Decimal, count: number): Decimal {
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

function fixed({ digits, point }: Decimal, places: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  if (places === 0) return whole
  const behind = point > 0 ? digits.slice(point) : '0'.repeat(Math.min(-point, places)) + digits
  return `${whole}.${behind.slice(0, places).padEnd(places, '0')}`
}

function withExponent({ digits, point }: Decimal, places: number, e: string): string {
  const behind = digits.slice(1, 1 + Math.max(0, places)).padEnd(Math.max(0, places), '0')
  const exponent = digits === '' ? 0 : point - 1
  const power = String(Math.abs(exponent)).padStart(2, '0')
  return `${digits.charAt(0) || '0'}${behind && `.${behind}`}${e}${exponent < 0 ? '-' : '+'}${power}`
}
