import { RE2JS, RE2JSSyntaxException } from 're2js'
import { joined, requireLength } from '../language/expression.ts'
import { whiteSpace } from '../language/template.ts'
import { convert, textOf } from '../values/convert.ts'
import {
  BigFloat,
  countOf,
  decimalOf,
  fixed,
  general,
  generalText,
  rounded,
  truncate,
  withExponent,
} from '../values/number.ts'
import { elsewhere, invalid, type Type, unsupported } from '../values/type.ts'
import { list, nothing, object, ofText, sequenceOf, type Typed, tuple } from '../values/typed.ts'
import type { Value } from '../values/value.ts'
import { jsonOf } from './encoding.ts'
import { type FunctionRows, row, textList } from './function-row.ts'

export const textFunctions: FunctionRows = {
  lower: row(['text'], 'string', text => mapCharacters(text, character => character.toLowerCase())),
  upper: row(['text'], 'string', text => mapCharacters(text, character => character.toUpperCase())),
  join: row(['text', 'texts', '...texts'], 'string', (separator, ...lists) =>
    joined(lists.flat(), separator),
  ),
  split: row(['text', 'text'], ['list', 'string'], (separator, text) =>
    textList(separator === '' ? Array.from(text) : text.split(separator)),
  ),
  replace: row(['text', 'text', 'text'], 'string', replace),
  trim: row(['text', 'text'], 'string', trimSet),
  trimspace: row(['text'], 'string', text => text.replace(spaceAround, '')),
  trimprefix: row(['text', 'text'], 'string', (text, prefix) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  trimsuffix: row(['text', 'text'], 'string', (text, suffix) =>
    suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  ),
  substr: row(['text', 'whole', 'whole'], 'string', substring),
  strrev: row(['text'], 'string', text => characters(text).reverse().join('')),
  chomp: row(['text'], 'string', text => text.replace(/(?:\r\n|\n|\r)+$/, '')),
  title: row(['text'], 'string', titled),
  indent: row(['whole', 'text'], 'string', (count, text) => {
    if (count < 0) throw invalid('the number of spaces is negative')
    requireLength(count)
    return joined(text.split('\n'), `\n${' '.repeat(count)}`)
  }),
  startswith: row(['text', 'text'], 'bool', (text, prefix) => text.startsWith(prefix)),
  endswith: row(['text', 'text'], 'bool', (text, suffix) => text.endsWith(suffix)),
  strcontains: row(['text', 'text'], 'bool', (text, part) => text.includes(part)),
  // RE2's syntax, so that matching takes linear time.
  regex: row(['text', 'text'], 'dynamic', (written, text) => {
    const pattern = compile(written)
    const { make } = resultsOf(pattern)
    const [first] = matches(pattern, text, 1)
    if (first === undefined) throw invalid('its pattern matches no part of the text')
    return make(first)
  }),
  regexall: row(['text', 'text'], 'dynamic', (written, text) => {
    const pattern = compile(written)
    const { make, type } = resultsOf(pattern)
    return list(matches(pattern, text).map(make), type)
  }),
}

/** Characters as people see them; each may be several code points. */
function characters(value: string): string[] {
  return Array.from(new Intl.Segmenter().segment(value), ({ segment }) => segment)
}

/** The length of a text, in characters as people see them. */
export function lengthOf(value: string): BigFloat {
  return countOf(characters(value).length)
}

const spaceAround = new RegExp(`^${whiteSpace}|${whiteSpace}$`, 'g')

function replace(value: string, from: string, to: string): string {
  if (from.length > 1 && from.startsWith('/') && from.endsWith('/'))
    return replacePattern(value, from.slice(1, -1), to)
  return joined(from === '' ? ['', ...Array.from(value), ''] : value.split(from), to)
}

function trimSet(value: string, cut: string): string {
  const dropped = new Set(cut)
  const letters = Array.from(value)
  const start = letters.findIndex(letter => !dropped.has(letter))
  if (start < 0) return ''
  return letters.slice(start, letters.findLastIndex(letter => !dropped.has(letter)) + 1).join('')
}

function substring(value: string, offset: number, length: number): string {
  const letters = characters(value)
  const start = offset < 0 ? Math.max(0, offset + letters.length) : offset
  return letters.slice(start, length < 0 ? undefined : start + length).join('')
}

/** Terraform maps each code point to one. If JavaScript produces several, the results would differ. */
function mapCharacters(value: string, form: (character: string) => string): string {
  return Array.from(value, character => mapCharacter(character, form)).join('')
}

function mapCharacter(character: string, form: (character: string) => string): string {
  const mapped = form(character)
  if ([...mapped].length === 1) return mapped
  throw unsupported(`the letter ${JSON.stringify(character)}`, elsewhere)
}

/** Starts each word with a capital. A word starts with a letter that follows neither a letter nor a digit. */
function titled(value: string): string {
  let isInWord = false
  return Array.from(value, character => {
    const isFirst = !isInWord
    isInWord = !isSeparator(character)
    return isFirst ? capital(character) : character
  }).join('')
}

function isSeparator(character: string): boolean {
  if (character <= '\x7f') return !/\w/.test(character)
  return /^[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(character)
}

/** The capital of a letter at the start of a word. A few letters have a special one. */
function capital(character: string): string {
  if (/[\u01c4-\u01cc\u01f1-\u01f3\u10d0-\u10ff]/.test(character))
    throw unsupported(`the letter ${JSON.stringify(character)}`, elsewhere)
  return mapCharacter(character, letter => letter.toUpperCase())
}

/** A match: its start and end, and its text with the texts of its groups. */
interface Match {
  readonly start: number
  readonly end: number
  readonly groups: readonly (string | undefined)[]
}

function compile(pattern: string): RE2JS {
  const [, property] = unsettledProperty.exec(pattern) ?? []
  if (property !== undefined) throw unsupported(`the property ${property} in a pattern`, elsewhere)
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    // Terraform accepts such patterns, and uses the last group with the name.
    if (error.message.includes('duplicate capture group name'))
      throw unsupported('two groups of one name in a pattern', elsewhere)
    throw invalid(
      `the pattern cannot be read: ${error.message}`,
      'write it in the syntax of RE2, which has no look-around and no back references',
    )
  }
}

/** Properties of characters that only this library has, or for which Terraform uses a newer Unicode. */
const unsettledProperty = new RegExp(
  `(?<!\\\\)(?:\\\\\\\\)*(\\\\[pP]\\{\\^?(?:${[
    ...[
      'Alphabetic',
      'ASCII_Hex_Digit',
      'Ascii',
      'Assigned',
      'Cn',
      'Dash',
      'Emoji\\w*',
      'Extended_Pictographic',
    ],
    ...['Hex_Digit', 'LC', 'Lc', 'Lowercase', 'Math', 'Quotation_Mark', 'Terminal_Punctuation', 'Unknown'],
    ...['Uppercase', 'White_Space', 'Beria_Erfe', 'Garay', 'Gurung_Khema', 'Kirat_Rai', 'Ol_Onal', 'Sidetic'],
    ...['Sunuwar', 'Tai_Yo', 'Todhri', 'Tolong_Siki', 'Tulu_Tigalari'],
  ].join('|')})\\})`,
)

/** The result type of a match: a text or, if the pattern has groups, the texts of the groups. */
function resultsOf(pattern: RE2JS): { readonly type: Type; readonly make: (match: Match) => Typed } {
  const names = Object.entries(pattern.namedGroups())
  const count = pattern.groupCount()
  if (count === 0) return { type: 'string', make: ({ groups }) => groupValue(groups[0]) }
  if (names.length === 0)
    return {
      type: ['tuple', new Array<Type>(count).fill('string')],
      make: ({ groups }) => tuple(groups.slice(1).map(groupValue)),
    }
  if (names.length < count) throw invalid('some groups of the pattern have names, and others have none')
  return {
    type: ['object', Object.fromEntries(names.map(([name]) => [name, 'string']))],
    make: ({ groups }) => object(names.map(([name, index]) => [name, groupValue(groups[index])])),
  }
}

function groupValue(group: string | undefined): Typed {
  return group === undefined ? nothing : ofText(group.normalize('NFC'))
}

/** All matches that do not overlap. An empty match directly after another match does not count. */
function matches(pattern: RE2JS, text: string, most = Number.POSITIVE_INFINITY): Match[] {
  const found: Match[] = []
  let before = -1
  for (let at = 0; at <= text.length && found.length < most; ) {
    const match = matchFrom(pattern, text, at)
    if (!match) break
    const isEmpty = match.end === at
    if (!isEmpty || match.start !== before) found.push(match)
    before = match.end
    at = isEmpty ? at + widthAt(text, at) : match.end
  }
  return found
}

/** Replaces each match of a pattern. `$1`, `${1}` and `${name}` in the template refer to groups. */
function replacePattern(text: string, written: string, template: string): string {
  const pattern = compile(written)
  const names = pattern.namedGroups()
  let [made, last, at] = ['', 0, 0]
  while (at <= text.length) {
    const match = matchFrom(pattern, text, at)
    if (!match) break
    made += text.slice(last, match.start)
    if (match.end > last || match.start === 0) made += expand(template, match, names)
    requireLength(made.length)
    last = match.end
    const beyond = at + widthAt(text, at)
    at = beyond > match.end ? beyond : match.end
  }
  return made + text.slice(last)
}

function expand(template: string, { groups }: Match, names: Readonly<Record<string, number>>): string {
  return template.replace(
    /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu,
    (whole, inBraces?: string, bare?: string) => {
      if (whole === '$$') return '$'
      const name = inBraces ?? bare ?? ''
      const index = /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : names[name]
      return index === undefined ? '' : (groups[index] ?? '')
    },
  )
}

function matchFrom(pattern: RE2JS, text: string, at: number): Match | undefined {
  const matcher = pattern.matcher(text)
  if (!matcher.find(at)) return undefined
  const groups = Array.from(
    { length: pattern.groupCount() + 1 },
    (_, index) => matcher.group(index) ?? undefined,
  )
  return { start: matcher.start(), end: matcher.end(), groups }
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

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

/** Refuses an untyped null, because Terraform's result is unknown before the apply. */
function requireNoNull(values: readonly Typed[]): void {
  if (values.some(({ plain }) => plain === null)) throw unsupported('a value that is null', elsewhere)
}

// The index comes after width and precision. In Go itself it comes before them.
const verbs = /%(?:%|([-+ 0#]*)([1-9]\d*)?(?:\.(\d*))?(?:\[([1-9]\d*)\])?([a-zA-Z])|)/g

/** Fills in a format. Each verb takes the next value, or the value with its index. */
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

/** How to format a value: the parts of a verb between the percent sign and its letter, and the letter. */
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

/** Whether a letter formats whole numbers. */
function isOfWhole(letter: string): boolean {
  return bases.has(letter)
}

/** For `%d`, `%b`, `%o`, `%x` or `%X`. The precision is the minimum number of digits. */
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

/** Formats a number with `%e`, `%f` or `%g`, or their capitals. */
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
