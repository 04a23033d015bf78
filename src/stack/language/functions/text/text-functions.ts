import { type BigFloat, countOf } from '../../../../cty/big-float.ts'
import { invalid } from '../../../../cty/invalid-value.ts'
import { list, nothing, ofBool, ofText, type Typed } from '../../../../cty/typed.ts'
import { whiteSpace } from '../../template-parts.ts'
import { joined, requireLength } from '../../work-limits.ts'
import { type FunctionRow, type FunctionRows, textAt, textsAt, wholeAt } from '../function-row.ts'
import { mapCharacters, titled } from './letters.ts'
import { replacePattern } from './regex-functions.ts'

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

/** What people see as one character, which may be several code points. */
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
