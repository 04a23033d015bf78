import { invalid } from '../../cty/invalid-value.ts'

/** A piece of text that is taken as it is, and where it ends. */
export interface LiteralText {
  readonly text: string
  readonly end: number
}

/** As much of a template as has nothing to fill in. */
export function plainTextAt(whole: string, at: number): LiteralText {
  const plain = /[^$%]+|[$%]/y
  plain.lastIndex = at
  const text = plain.exec(whole)?.[0] ?? ''
  return { text, end: at + text.length }
}

/** The same inside of quotes, where a backslash says that something else is meant. */
export function quotedTextAt(whole: string, at: number): LiteralText {
  const plain = /[^"$%\\\n]+|[$%]/y
  plain.lastIndex = at
  const text = plain.exec(whole)?.[0]
  return text === undefined ? escapeAt(whole, at) : { text, end: at + text.length }
}

function escapeAt(whole: string, at: number): LiteralText {
  const pattern = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/sy
  pattern.lastIndex = at
  const match = pattern.exec(whole)
  if (!match) throw invalid('a text in quotes has no end')
  const [written, short, long, letter = ''] = match
  const code = short ?? long
  const text = code === undefined ? escapes.get(letter) : characterOf(code)
  if (text === undefined) throw invalid(`"${written}" is no escape`)
  return { text, end: at + written.length }
}

const escapes = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
])

function characterOf(digits: string): string | undefined {
  const code = Number.parseInt(digits, 16)
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code)
}
