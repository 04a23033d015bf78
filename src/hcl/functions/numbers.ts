import ipaddr from 'ipaddr.js'
import { convert } from '../values/convert.ts'
import { absolute, add, BigFloat, ceil, compare, countOf, floor, fromDouble } from '../values/number.ts'
import { elsewhere, invalid, type Type, unsupported } from '../values/type.ts'
import { list, ofNumber, type Typed } from '../values/typed.ts'
import { type FunctionRow, type FunctionRows, row, textList } from './function-row.ts'

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
  // When its elements become known, a set may have fewer of them.
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

/** Scales in steps that stay within the range of doubles, if possible. */
function scaled(value: number, exponent: number): number {
  if (exponent > 1000) return scaled(value * 2 ** 1000, exponent - 1000)
  if (exponent < -1000) return value === 0 ? value : scaled(value * 2 ** -1000, exponent + 1000)
  return value * 2 ** exponent
}

/** The natural logarithm with the reduction and polynomial of FreeBSD's e_log.c, which Go uses too. */
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

/** Parses the digits of a whole number. Up to base 36 their case is ignored. */
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

export const cidrFunctions: FunctionRows = {
  cidrhost: row(['text', 'huge'], 'string', (written, number) =>
    addressText(host(parsePrefix(written), number)),
  ),
  cidrnetmask: row(['text'], 'string', written => {
    const prefix = parsePrefix(written)
    if (prefix.bits !== 32) throw invalid('only a prefix of IPv4 has a netmask')
    return addressText({ bits: 32, value: maskOf(prefix) })
  }),
  cidrsubnet: row(['text', 'whole', 'huge'], 'string', (written, more, number) =>
    prefixText(subnet(parsePrefix(written), more, number)),
  ),
  cidrsubnets: row(['text', '...whole'], ['list', 'string'], (written, ...lengths) =>
    textList(subnets(parsePrefix(written), lengths).map(prefixText)),
  ),
}

/** An address as a number of 32 or 128 bits. */
interface Address {
  readonly bits: number
  readonly value: bigint
}

/** A network: its first address, and the length of its prefix in bits. */
interface Prefix extends Address {
  readonly length: number
}

function parsePrefix(text: string): Prefix {
  const [, written = '', digits = ''] = /^([^/]*)\/(\d+)$/.exec(text) ?? []
  const address = written.includes(':') ? parseLong(written) : parseShort(written)
  const length = Number(digits)
  if (!address || digits === '' || length > address.bits)
    throw invalid(`${JSON.stringify(text.slice(0, 60))} is no prefix of addresses`, 'write one as 10.0.0.0/8')
  const prefix = { ...address, length }
  return { ...prefix, value: address.value & maskOf(prefix) }
}

/** Leading zeros of a number are ignored. */
function parseShort(text: string): Address | undefined {
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number)
  if (!parts || parts.some(part => part > 255)) return undefined
  return { bits: 32, value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) }
}

function parseLong(text: string): Address | undefined {
  if (text.includes('%') || text.includes('.'))
    throw unsupported('an address of IPv6 in this form', elsewhere)
  if (!ipaddr.IPv6.isValid(text)) return undefined
  const value = BigInt(`0x${Buffer.from(ipaddr.IPv6.parse(text).toByteArray()).toString('hex')}`)
  if (value >> 32n === 0xffffn) throw unsupported('an address of IPv4 within IPv6', elsewhere)
  return { bits: 128, value }
}

function maskOf({ bits, length }: { readonly bits: number; readonly length: number }): bigint {
  return ((1n << BigInt(length)) - 1n) << BigInt(bits - length)
}

/** A negative number counts from the end. */
function host({ bits, value, length }: Prefix, number: bigint): Address {
  const count = 1n << BigInt(bits - length)
  // Terraform reads only 64 bits of the number, so it may accept a number that is too large.
  const seen = number < 0n ? -number - 1n : BigInt.asIntN(64, number)
  if (seen >= count) throw invalid(`a prefix of ${length} bits has no address with the number ${number}`)
  if (number >= count) throw unsupported('a number beyond the end of the prefix', elsewhere)
  return { bits, value: value | (number < 0n ? count + number : number) }
}

function subnet({ bits, value, length }: Prefix, more: number, number: bigint): Prefix {
  if (more < 0 || number < 0n) throw unsupported('a negative number', elsewhere)
  if (length + more > bits) throw invalid(`a prefix of ${length} bits cannot be made ${more} bits longer`)
  if (number >= 1n << BigInt(more)) {
    if (BigInt.asUintN(64, number) < 1n << BigInt(more))
      throw unsupported('a number beyond the end of the prefix', elsewhere)
    throw invalid(`${more} bits do not hold the number ${number}`)
  }
  return { bits, value: value | (number << BigInt(bits - length - more)), length: length + more }
}

/** Networks in sequence. Each starts at the first fitting place after the previous one. */
function subnets(whole: Prefix, lengths: readonly number[]): readonly Prefix[] {
  const end = whole.value + (1n << BigInt(whole.bits - whole.length))
  let next = whole.value
  return lengths.map(more => {
    const length = whole.length + more
    if (more < 1 || more > 32 || length > whole.bits)
      throw invalid(`a prefix of ${whole.length} bits cannot be made ${more} bits longer`)
    const size = 1n << BigInt(whole.bits - length)
    const value = ((next + size - 1n) / size) * size
    // A network that wraps around to zero is refused too, although it may be intended.
    if (value + size > end || value === 0n)
      throw invalid(`there is no room left for a network with a prefix of ${length} bits`)
    next = value + size
    return { bits: whole.bits, value, length }
  })
}

function prefixText(prefix: Prefix): string {
  return `${addressText(prefix)}/${prefix.length}`
}

function addressText({ bits, value }: Address): string {
  const bytes = Buffer.from(value.toString(16).padStart(bits / 4, '0'), 'hex')
  if (bits === 32) return bytes.join('.')
  return new ipaddr.IPv6([...bytes]).toRFC5952String()
}
