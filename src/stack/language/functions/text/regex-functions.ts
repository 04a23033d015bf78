import { RE2JS, RE2JSSyntaxException } from 're2js'
import { elsewhere, invalid, unsupported } from '../../../../cty/invalid-value.ts'
import type { Type } from '../../../../cty/type.ts'
import { list, nothing, object, ofText, type Typed, tuple } from '../../../../cty/typed.ts'
import { requireLength } from '../../work-limits.ts'
import { type FunctionRows, textAt } from '../function-row.ts'

/** The functions of regular expressions, whose syntax is that of RE2: it is matched in linear time. */
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

/** A match: where it begins and ends, and the whole of it with what its groups have matched. */
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
    // Terraform reads such patterns, and goes by the last of the groups.
    if (error.message.includes('duplicate capture group name'))
      throw unsupported('two groups of one name in a pattern', elsewhere)
    throw invalid(
      `the pattern cannot be read: ${error.message}`,
      'write it in the syntax of RE2, which has no look-around and no back references',
    )
  }
}

/** Properties of characters that the library has, and Terraform not at all or only with a newer Unicode. */
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

/** What a match comes to: its text or, where the pattern has groups, what these have matched. */
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

/** All matches that do not overlap. An empty one right behind another one is none. */
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

/** The text with each match of a pattern replaced; `$1`, `${1}` and `${name}` stand for what groups have matched. */
export function replacePattern(text: string, written: string, template: string): string {
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
