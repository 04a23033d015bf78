import { RE2JS, RE2JSSyntaxException } from 're2js'
import { whiteSpace } from '../language/template.ts'
import { joined, requireLength } from '../limits.ts'
import { type BigFloat, countOf } from '../values/number.ts'
import { elsewhere, invalid, unsupported } from '../values/refusal.ts'
import type { Type } from '../values/type.ts'
import { list, nothing, object, ofBool, ofText, type Typed, tuple } from '../values/typed.ts'
import { type FunctionRow, type FunctionRows, textAt, textsAt, wholeAt } from './function-row.ts'

const text = (least: number, apply: (given: readonly Typed[]) => string, most = least): FunctionRow => ({
  least,
  most,
  gives: 'string',
  apply: given => ofText(apply(given).normalize('NFC')),
})
const test = (apply: (given: readonly Typed[]) => boolean): FunctionRow => ({
  least: 2,
  gives: 'bool',
  apply: given => ofBool(apply(given)),
})

export const textFunctions: FunctionRows = {
  lower: text(1, given => mapCharacters(textAt(given, 0), character => character.toLowerCase())),
  upper: text(1, given => mapCharacters(textAt(given, 0), character => character.toUpperCase())),
  join: text(
    2,
    ([separator = nothing, ...lists]) =>
      joined(
        lists.flatMap((_, index) => textsAt(lists, index)),
        textAt([separator], 0),
      ),
    Number.POSITIVE_INFINITY,
  ),
  split: {
    least: 2,
    gives: ['list', 'string'],
    apply: given =>
      list(
        pieces(textAt(given, 1), textAt(given, 0)).map(piece => ofText(piece.normalize('NFC'))),
        'string',
      ),
  },
  replace: text(3, given => replace(textAt(given, 0), textAt(given, 1), textAt(given, 2))),
  trim: text(2, given => trimSet(textAt(given, 0), textAt(given, 1))),
  trimspace: text(1, given => textAt(given, 0).replace(spaceAround, '')),
  trimprefix: text(2, given => {
    const [value, prefix] = [textAt(given, 0), textAt(given, 1)]
    return value.startsWith(prefix) ? value.slice(prefix.length) : value
  }),
  trimsuffix: text(2, given => {
    const [value, suffix] = [textAt(given, 0), textAt(given, 1)]
    return suffix !== '' && value.endsWith(suffix) ? value.slice(0, -suffix.length) : value
  }),
  substr: text(3, given => substring(textAt(given, 0), wholeAt(given, 1), wholeAt(given, 2))),
  strrev: text(1, given => characters(textAt(given, 0)).reverse().join('')),
  chomp: text(1, given => textAt(given, 0).replace(/(?:\r\n|\n|\r)+$/, '')),
  title: text(1, given => titled(textAt(given, 0))),
  indent: text(2, given => {
    const count = wholeAt(given, 0)
    if (count < 0) throw invalid('the number of spaces is negative')
    requireLength(count)
    return joined(textAt(given, 1).split('\n'), `\n${' '.repeat(count)}`)
  }),
  startswith: test(given => textAt(given, 0).startsWith(textAt(given, 1))),
  endswith: test(given => textAt(given, 0).endsWith(textAt(given, 1))),
  strcontains: test(given => textAt(given, 0).includes(textAt(given, 1))),
}

/** Characters as people see them; each may be several code points. */
export function characters(value: string): string[] {
  return Array.from(new Intl.Segmenter().segment(value), ({ segment }) => segment)
}

/** The length of a text, in characters as people see them. */
export function lengthOf(value: string): BigFloat {
  return countOf(characters(value).length)
}

const spaceAround = new RegExp(`^${whiteSpace}|${whiteSpace}$`, 'g')

function pieces(value: string, separator: string): string[] {
  return separator === '' ? Array.from(value) : value.split(separator)
}

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

/** Terraform maps each code point to one; if JavaScript makes several of it, the results differ. */
function mapCharacters(value: string, form: (character: string) => string): string {
  return Array.from(value, character => mapCharacter(character, form)).join('')
}

function mapCharacter(character: string, form: (character: string) => string): string {
  const mapped = form(character)
  if ([...mapped].length === 1) return mapped
  throw unsupported(`the letter ${JSON.stringify(character)}`, elsewhere)
}

/** Each word with a capital: a letter that follows neither a letter nor a digit. */
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

/** A few letters have a special capital at the beginning of a word. */
function capital(character: string): string {
  if (/[\u01c4-\u01cc\u01f1-\u01f3\u10d0-\u10ff]/.test(character))
    throw unsupported(`the letter ${JSON.stringify(character)}`, elsewhere)
  return mapCharacter(character, letter => letter.toUpperCase())
}

/** The functions of regular expressions, with the syntax of RE2: matching takes linear time. */
export const regexFunctions: FunctionRows = {
  regex: {
    least: 2,
    apply: given => {
      const pattern = compile(textAt(given, 0))
      const { make } = resultsOf(pattern)
      const [first] = matches(pattern, textAt(given, 1), 1)
      if (first === undefined) throw invalid('its pattern matches no part of the text')
      return make(first)
    },
  },
  regexall: {
    least: 2,
    apply: given => {
      const pattern = compile(textAt(given, 0))
      const { make, type } = resultsOf(pattern)
      return list(matches(pattern, textAt(given, 1)).map(make), type)
    },
  },
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
    // Terraform accepts such patterns, and uses the last of the groups.
    if (error.message.includes('duplicate capture group name'))
      throw unsupported('two groups of one name in a pattern', elsewhere)
    throw invalid(
      `the pattern cannot be read: ${error.message}`,
      'write it in the syntax of RE2, which has no look-around and no back references',
    )
  }
}

/** Properties of characters that the library has, and Terraform lacks or has with a newer Unicode. */
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

/** The result of a match: its text or, if the pattern has groups, the texts of the groups. */
function resultsOf(pattern: RE2JS): { readonly type: Type; readonly make: (match: Match) => Typed } {
  const names = Object.entries(pattern.namedGroups())
  const count = pattern.groupCount()
  if (count === 0) return { type: 'string', make: ({ groups }) => textOf(groups[0]) }
  if (names.length === 0)
    return {
      type: ['tuple', new Array<Type>(count).fill('string')],
      make: ({ groups }) => tuple(groups.slice(1).map(textOf)),
    }
  if (names.length < count) throw invalid('some groups of the pattern have names, and others have none')
  return {
    type: ['object', Object.fromEntries(names.map(([name]) => [name, 'string']))],
    make: ({ groups }) => object(names.map(([name, index]) => [name, textOf(groups[index])])),
  }
}

function textOf(group: string | undefined): Typed {
  return group === undefined ? nothing : ofText(group.normalize('NFC'))
}

/** All matches that do not overlap. An empty one directly after another one does not count. */
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

/** Replaces each match of a pattern; `$1`, `${1}` and `${name}` in the template become groups' texts. */
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
