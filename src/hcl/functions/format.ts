import { requireLength } from '../limits.ts'
import { convert, textOf } from '../values/convert.ts'
import {
  BigFloat,
  decimalOf,
  fixed,
  general,
  generalText,
  rounded,
  truncate,
  withExponent,
} from '../values/number.ts'
import { elsewhere, invalid, unsupported } from '../values/refusal.ts'
import { nothing, sequenceOf, type Typed } from '../values/typed.ts'
import type { Value } from '../values/value.ts'
import { jsonOf } from './encoding.ts'
import { type FunctionRows, row, textList } from './function-row.ts'
import { characters } from './text.ts'

export const formatFunctions: FunctionRows = {
  format: row(
    ['text', '...any'],
    'string',
    (pattern, ...values) => {
      requireNoNull(values)
      return format(pattern, values)
    },
    { takesNull: true },
  ),
  formatlist: row(
    ['text', '...any'],
    ['list', 'string'],
    (pattern, ...values) => {
      requireNoNull(values)
      return formatList(pattern, values)
    },
    { takesNull: true },
  ),
}

/** The result of Terraform for an untyped null is unknown before the apply. */
function requireNoNull(values: readonly Typed[]): void {
  if (values.some(({ plain }) => plain === null)) throw unsupported('a value that is null', elsewhere)
}

// An index follows width and precision; in Go itself it comes before them.
const verbs = /%(?:%|([-+ 0#]*)([1-9]\d*)?(?:\.(\d*))?(?:\[([1-9]\d*)\])?([a-zA-Z])|)/g

/** Fills the places of a pattern, each with the next value or with the one whose index it names. */
function format(pattern: string, given: readonly Typed[]): string {
  let [next, highest] = [0, 0]
  const text = pattern.replace(
    verbs,
    (
      whole,
      flags = '',
      width = '',
      precision: string | undefined,
      index: string | undefined,
      letter = '',
    ) => {
      if (whole === '%%') return '%'
      if (whole === '%') throw invalid('a "%" begins no verb', 'write %% for the sign itself')
      const at = index === undefined ? next : Number(index) - 1
      const value = given[at]
      if (value === undefined) throw invalid(`there is no argument for ${JSON.stringify(whole)}`)
      next = at + 1
      highest = Math.max(highest, next)
      requireLength(Number(width))
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
  if (highest < given.length)
    throw invalid(`there are ${given.length} arguments and only ${highest} places for them`)
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
  return textList(rows)
}

function formatOne(verb: Verb, value: Typed): string {
  const { letter } = verb
  if (letter === 'v') return padded(verb, anyText(verb, value.plain))
  if (value.plain === null) throw invalid(`"%${letter}" has nothing to write: the value is null`)
  switch (letter) {
    case 's':
      return padded(verb, cut(verb, primitiveText(value.plain)))
    case 'q':
      return padded(verb, jsonOf(cut(verb, primitiveText(value.plain))))
    case 't':
      return String(convert(value, 'bool').plain)
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      return floatText(verb, numberOf(value, letter))
    default:
      if (isOfWhole(letter)) return wholeText(verb, numberOf(value, letter))
      throw invalid(`there is no verb "%${letter}"`)
  }
}

function anyText({ flags }: Verb, value: Value): string {
  if (flags.includes('#')) return jsonOf(value)
  if (typeof value === 'string') return value
  return value instanceof BigFloat ? generalText(value) : jsonOf(value)
}

function numberOf(value: Typed, letter: string): BigFloat {
  const { plain: number } = convert(value, 'number')
  if (!(number instanceof BigFloat)) throw invalid(`"%${letter}" needs a number`)
  return number
}

function primitiveText(value: Value): string {
  const text = textOf(value)
  if (text === undefined) throw invalid('"%s" and "%q" need a text, a number or a bool')
  return text
}

/** A precision of zero truncates nothing. */
function cut({ precision = 0 }: Verb, text: string): string {
  return precision === 0 ? text : characters(text).slice(0, precision).join('')
}

function padded({ flags, width }: Verb, text: string): string {
  const missing = Math.max(0, width - (width === 0 ? 0 : characters(text).length))
  const room = (flags.includes('0') ? '0' : ' ').repeat(missing)
  return flags.includes('-') ? text + room : room + text
}

/** How to write a value: the parts of a verb between the percent sign and its letter, and that letter. */
interface Verb {
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
function isOfWhole(letter: string): boolean {
  return bases.has(letter)
}

/** A whole number by `%d`, `%b`, `%o`, `%x` or `%X`; the precision is the least number of digits. */
function wholeText({ flags, width, precision, letter }: Verb, number: BigFloat): string {
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
function floatText({ flags, width, precision, letter }: Verb, number: BigFloat): string {
  const digits = digitsBy(letter, precision, number)
  const sign = number.isNegative ? '-' : signOf(flags)
  const missing = Math.max(0, width - sign.length - digits.length)
  if (flags.includes('0')) return sign + '0'.repeat(missing) + digits
  if (flags.includes('-')) return sign + digits + ' '.repeat(missing)
  return ' '.repeat(missing) + sign + digits
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
