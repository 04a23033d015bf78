import { BigFloat, truncate } from '../../../cty/big-float.ts'
import { convert, textOf } from '../../../cty/convert.ts'
import { elsewhere, invalid, unsupported } from '../../../cty/invalid-value.ts'
import { list, nothing, ofText, sequenceOf, type Typed } from '../../../cty/typed.ts'
import type { Value } from '../../../cty/value.ts'
import { type FunctionRows, textAt } from './function-row.ts'
import { jsonOf } from './json-functions.ts'
import { characters } from './text-functions.ts'

export const formatFunctions: FunctionRows = {
  format: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    gives: 'string',
    takesNull: true,
    apply: given => ofText(format(textAt(given, 0), given.slice(1))),
  },
  formatlist: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    gives: ['list', 'string'],
    takesNull: true,
    apply: given => formatList(textAt(given, 0), given.slice(1)),
  },
}

interface Verb {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
  readonly letter: string
}

/** `%s`, `%d`, `%f`, `%t`, `%v` and `%q` with what may stand between the sign and the letter; `%%` is a sign. */
function format(pattern: string, given: readonly Typed[]): string {
  if (given.some(({ plain }) => plain === null)) throw unsupported('a value that is null', elsewhere)
  let next = 0
  const text = pattern.replace(
    /%(?:([-+ 0#]*)(\d*)(?:\.(\d*))?(\[\d+\])?(.?))/gsu,
    (
      whole,
      flags: string,
      width: string,
      precision: string | undefined,
      index: string | undefined,
      letter: string,
    ) => {
      if (whole === '%%') return '%'
      if (index !== undefined || flags.includes('#'))
        throw unsupported(`the verb ${JSON.stringify(whole)}`, elsewhere)
      if (next >= given.length) throw invalid(`there is no argument for ${JSON.stringify(whole)}`)
      const value = given[next] ?? nothing
      next += 1
      return formatOne(
        {
          flags,
          width: Number(width),
          precision: precision === undefined ? undefined : Number(precision),
          letter,
        },
        value,
      )
    },
  )
  if (next < given.length)
    throw invalid(`there are ${given.length} arguments and only ${next} places for them`)
  return text.normalize('NFC')
}

function formatList(pattern: string, given: readonly Typed[]): Typed {
  const lists = given.map(sequenceOf)
  const lengths = new Set(lists.flatMap(sequence => sequence?.elements.length ?? []))
  if (lengths.size > 1) throw invalid('its lists are not of one length')
  const [length = 1] = lengths
  const rows = Array.from({ length }, (_, row) =>
    format(
      pattern,
      given.map((value, index) => {
        const sequence = lists[index]
        return sequence ? (sequence.elements[row] ?? nothing) : value
      }),
    ),
  )
  return list(rows.map(ofText), 'string')
}

function formatOne(verb: Verb, value: Typed): string {
  switch (verb.letter) {
    case 's':
      return padded(verb, cut(verb, primitiveText(value.plain)))
    case 'v':
      return formatAny(verb, value.plain)
    case 'q':
      return padded(verb, quoted(cut(verb, primitiveText(value.plain))))
    case 't':
      return padded(verb, String(requireBool(convert(value, 'bool').plain, verb)))
    case 'd':
      return formatWhole(verb, value)
    case 'f':
      return formatFixed(verb, value)
    default:
      throw unsupported(`the verb "%${verb.letter}"`, elsewhere)
  }
}

function formatAny(verb: Verb, value: Value): string {
  if (typeof value === 'string') return padded(verb, cut(verb, value))
  if (value instanceof BigFloat && verb.precision === undefined) return paddedNumber(verb, generalText(value))
  if (typeof value === 'boolean') return padded(verb, String(value))
  if (value instanceof BigFloat) throw unsupported('a number with "%v" and a precision', elsewhere)
  return padded(verb, jsonOf(value))
}

/** As few digits as say it; with an exponent where the point would be far from the first of them. */
function generalText({ text }: BigFloat): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const all = whole + fraction
  const digits = all.replace(/^0+/, '').replace(/0+$/, '')
  const exponent = digits === '' ? 0 : whole.length - 1 - (all.length - all.replace(/^0+/, '').length)
  if (exponent >= -4 && exponent < 6) return text
  const power = String(Math.abs(exponent)).padStart(2, '0')
  const rest = digits.slice(1)
  return `${sign}${digits.charAt(0)}${rest && `.${rest}`}e${exponent < 0 ? '-' : '+'}${power}`
}

function formatWhole(verb: Verb, value: Typed): string {
  const { plain: number } = convert(value, 'number')
  if (!(number instanceof BigFloat)) throw invalid('"%d" needs a number')
  if (!number.isWhole) throw invalid('"%d" needs a whole number')
  if (verb.precision !== undefined) throw unsupported('"%d" with a precision', elsewhere)
  return paddedNumber(verb, truncate(number).toString())
}

function formatFixed(verb: Verb, value: Typed): string {
  const { plain: number } = convert(value, 'number')
  if (!(number instanceof BigFloat)) throw invalid('"%f" needs a number')
  return paddedNumber(verb, fixedText(number, verb.precision ?? 6))
}

/** The exact value with so many digits after the point, ties to the even one. */
function fixedText({ mantissa, exponent }: BigFloat, places: number): string {
  const scaled = (mantissa < 0n ? -mantissa : mantissa) * 10n ** BigInt(places)
  const digits = (exponent >= 0 ? scaled << BigInt(exponent) : halved(scaled, -exponent))
    .toString()
    .padStart(places + 1, '0')
  const sign = mantissa < 0n ? '-' : ''
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

function halved(value: bigint, times: number): bigint {
  const [kept, dropped] = [value >> BigInt(times), value & ((1n << BigInt(times)) - 1n)]
  const half = 1n << BigInt(times - 1)
  return dropped > half || (dropped === half && (kept & 1n) === 1n) ? kept + 1n : kept
}

function primitiveText(value: Value): string {
  const text = textOf(value)
  if (text === undefined) throw invalid('"%s" and "%q" need a text, a number or a bool')
  return text
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function requireBool(value: Value, { letter }: Verb): boolean {
  if (typeof value !== 'boolean') throw invalid(`"%${letter}" needs a bool`)
  return value
}

function cut({ precision }: Verb, text: string): string {
  return precision === undefined ? text : characters(text).slice(0, precision).join('')
}

function padded({ flags, width }: Verb, text: string): string {
  const room = ' '.repeat(Math.max(0, width - characters(text).length))
  if (flags.includes('0') && room !== '') throw unsupported('zeros before a text', elsewhere)
  return flags.includes('-') ? text + room : room + text
}

function paddedNumber({ flags, width }: Verb, digits: string): string {
  const isNegative = digits.startsWith('-')
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const plain = isNegative ? digits.slice(1) : digits
  const missing = Math.max(0, width - sign.length - plain.length)
  if (flags.includes('-')) return sign + plain + ' '.repeat(missing)
  if (flags.includes('0')) return sign + '0'.repeat(missing) + plain
  return ' '.repeat(missing) + sign + plain
}
