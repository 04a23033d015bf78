import { convert } from '../values/convert.ts'
import { absolute, add, BigFloat, ceil, compare, countOf, floor, fromDouble } from '../values/number.ts'
import { elsewhere, invalid, unsupported } from '../values/refusal.ts'
import type { Type } from '../values/type.ts'
import { list, ofNumber, type Typed } from '../values/typed.ts'
import { type FunctionRow, type FunctionRows, row } from './function-row.ts'

export const numberFunctions: FunctionRows = {
  min: row(['number', '...number'], 'number', (...all) => best(all, difference => difference < 0)),
  max: row(['number', '...number'], 'number', (...all) => best(all, difference => difference > 0)),
  abs: row(['number'], 'number', absolute),
  ceil: row(['number'], 'number', ceil),
  floor: row(['number'], 'number', floor),
  signum: row(['whole'], 'number', whole => countOf(Math.sign(whole))),
  sum: row(['sequence'], 'number', ({ elements }) => {
    if (elements.length === 0) throw invalid('there is nothing to sum up')
    return elements.map(numberIn).reduce(add)
  }),
  range: row(['number', 'number?', 'number?'], ['list', 'number'], range),
  // Terraform calculates these two with doubles, and these are equal to the last bit.
  pow: row(['number', 'number'], 'number', (base, exponent) =>
    finite(power(doubleOf(base, 1), doubleOf(exponent, 2))),
  ),
  log: row(['number', 'number'], 'number', (value, base) =>
    finite(logarithm(doubleOf(value, 1)) / logarithm(doubleOf(base, 2))),
  ),
  parseint: row(['any', 'whole'], 'number', parseWhole),
  tostring: to('string'),
  tonumber: to('number'),
  tobool: to('bool'),
  tolist: to(['list', 'dynamic']),
  toset: to(['set', 'dynamic']),
  tomap: to(['map', 'dynamic']),
}

function to(type: Type): FunctionRow {
  // A set may contain fewer elements after they become known.
  const movesUnknown = typeof type !== 'string' && type[0] !== 'set'
  return row(['any'], type, value => convert(value, type), { takesNull: true, movesUnknown })
}

function numberIn(element: Typed): BigFloat {
  const { plain: number } = convert(element, 'number')
  if (number instanceof BigFloat) return number
  throw invalid('an element is not a number')
}

function best(given: readonly BigFloat[], isBetter: (difference: number) => boolean): BigFloat {
  return given.reduce((before, each) => (isBetter(compare(each, before)) ? each : before))
}

/** Terraform has the same limit. */
const longestRange = 1024

function range(first: BigFloat, second?: BigFloat, third?: BigFloat): Typed {
  const zero = countOf(0)
  const [start, limit] = second ? [first, second] : [zero, first]
  const isDown = compare(limit, start) < 0
  const step = third ?? countOf(isDown ? -1 : 1)
  const direction = compare(step, zero)
  if (compare(start, limit) === 0) return list([], 'number')
  if (direction === 0) throw invalid('its step is zero')
  if (third && direction < 0 !== isDown) throw invalid('its step leads away from the limit')
  const elements: Typed[] = []
  for (let at = start; compare(at, limit) * direction < 0; at = add(at, step)) {
    if (elements.length >= longestRange) throw invalid(`it has more than ${longestRange} elements`)
    elements.push(ofNumber(at))
  }
  return list(elements, 'number')
}

function doubleOf(number: BigFloat, argument: number): number {
  const value = number.toNumber()
  if (Number.isFinite(value)) return value
  throw invalid(`argument ${argument} is too large`)
}

function finite(result: number): BigFloat {
  if (Number.isFinite(result)) return fromDouble(result)
  if (Number.isNaN(result)) throw invalid('there is no such number')
  throw unsupported('a result that is no finite number', elsewhere)
}

/** A power by repeated squaring. Roots except the square root would differ in their last digits. */
function power(base: number, exponent: number): number {
  if (exponent === 0 || base === 1) return 1
  if (exponent === 1) return base
  if (exponent === 0.5) return Math.sqrt(base)
  if (exponent === -0.5) return 1 / Math.sqrt(base)
  if (!Number.isInteger(exponent)) throw unsupported('a power whose exponent is no whole number', elsewhere)
  if (base === 0) return base ** exponent
  if (Math.abs(exponent) > 100_000) throw unsupported('a power with such an exponent', elsewhere)
  let [result, scale] = [1, 0]
  let [mantissa, shift] = split(base)
  for (let left = Math.abs(exponent); left !== 0; left = Math.floor(left / 2)) {
    if (Math.abs(shift) > 2 ** 12) {
      scale += shift
      break
    }
    if (left % 2 === 1) {
      result *= mantissa
      scale += shift
    }
    mantissa *= mantissa
    shift *= 2
    if (mantissa < 0.5) {
      mantissa += mantissa
      shift -= 1
    }
  }
  return exponent < 0 ? scaled(1 / result, -scale) : scaled(result, scale)
}

/** `mantissa * 2 ** exponent`, with a mantissa from one half up to one. */
function split(value: number): [number, number] {
  const exponent = Math.floor(Math.log2(Math.abs(value))) + 1
  const mantissa = scaled(value, -exponent)
  if (Math.abs(mantissa) >= 1) return [mantissa / 2, exponent + 1]
  return Math.abs(mantissa) < 0.5 ? [mantissa * 2, exponent - 1] : [mantissa, exponent]
}

/** In steps that stay within the range of doubles if possible. */
function scaled(value: number, exponent: number): number {
  if (exponent > 1000) return scaled(value * 2 ** 1000, exponent - 1000)
  if (exponent < -1000) return value === 0 ? value : scaled(value * 2 ** -1000, exponent + 1000)
  return value * 2 ** exponent
}

/** The natural logarithm by the reduction and the polynomial of FreeBSD's e_log.c, which Go uses too. */
function logarithm(value: number): number {
  if (value < 0) return Number.NaN
  if (value === 0) return Number.NEGATIVE_INFINITY
  let [fraction, exponent] = split(value)
  if (fraction < Math.SQRT1_2) {
    fraction *= 2
    exponent -= 1
  }
  const f = fraction - 1
  const s = f / (2 + f)
  const s2 = s * s
  const s4 = s2 * s2
  const odd =
    s2 *
    (6.666666666666735e-1 +
      s4 * (2.857142874366239e-1 + s4 * (1.818357216161805e-1 + s4 * 1.479819860511658e-1)))
  const even = s4 * (3.99999999994094e-1 + s4 * (2.222219843214978e-1 + s4 * 1.531383769920937e-1))
  const half = 0.5 * f * f
  return (
    exponent * 0.6931471803691238 - (half - (s * (half + odd + even) + exponent * 1.9082149292705877e-10) - f)
  )
}

const figures = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** A whole number from its digits; up to base 36 their case is ignored. */
function parseWhole({ type, plain }: Typed, base: number): BigFloat {
  if (type !== 'string' || typeof plain !== 'string') throw invalid('argument 1 is not a text')
  if (base < 2 || base > 62) throw invalid('the base is not from 2 to 62')
  const [, sign = '', digits = ''] = /^([+-]?)([0-9a-zA-Z]+)$/.exec(plain) ?? []
  const values = Array.from(base <= 36 ? digits.toLowerCase() : digits, digit => figures.indexOf(digit))
  if (values.length === 0 || values.some(value => value >= base))
    throw invalid(`the text is no whole number of base ${base}`)
  if (values.length > 2000) throw unsupported('a number of so many digits', elsewhere)
  const whole = values.reduce((sum, value) => sum * BigInt(base) + BigInt(value), 0n)
  return new BigFloat(sign === '-' ? -whole : whole, 0, Math.max(64, whole.toString(2).length))
}
