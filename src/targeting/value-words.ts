import { isStandIn } from '../model/field.ts'
import { canonicalText, type Json } from '../model/text/json.ts'
import { escapeText } from '../model/text/printable.ts'

/** A shortened text, and its full length if it was cut. */
export interface Shown {
  readonly text: string
  /** Empty, or ` (1204 characters)`. */
  readonly note: string
}

/** The longest text that is shown in full. */
export const longestText = 60
/** The number of characters around a difference inside long texts. */
const surroundings = 20

/** A text in quotes, short and on one line whatever its content. */
export function quoted(text: string): string {
  return inQuotes(shorten(text))
}

/** One value on one line, as JSON. */
export function valueText(value: Json): string {
  if (typeof value === 'string') return quoted(value)
  const { text, note } = shorten(canonicalText(value))
  return `${visible(text)}${note}`
}

/** The unit that percentages count: `persons`, `groups of type 1`, or by name `groups of type company`. */
export function bucketText(groupType: string | undefined): string {
  if (groupType === undefined) return 'persons'
  const [, name = groupType] = /^"(\p{L}[\p{L}\p{N}_-]*)"$/u.exec(groupType) ?? []
  return `groups of type ${visible(shorten(name).text)}`
}

/** `"old" -> "new"`. Two different texts always look different, even if they are long. */
export function textStep(before: string, after: string): string {
  return shortenPair(before, after).map(inQuotes).join(' -> ')
}

/** A text without its middle part if it is long. */
export function shorten(text: string, longest = longestText): Shown {
  return middleLeftOut(Array.from(text), longest)
}

/** Two texts; if they are long, only the part in which they differ. */
export function shortenPair(before: string, after: string, longest = longestText): readonly [Shown, Shown] {
  const [left, right] = [Array.from(before), Array.from(after)]
  if (left.length <= longest && right.length <= longest) return [whole(before), whole(after)]
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start++
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++
  return [around(left, start, left.length - end, longest), around(right, start, right.length - end, longest)]
}

/** Escapes control characters and direction marks, which could change how a line reads. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, symbol =>
    Array.from(
      { length: symbol.length },
      (_, at) => `\\u${symbol.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

/**
 * A text in quotes. No two texts look the same, and readers need not count backslashes.
 *
 * | the text holds                       | shown                                  |
 * |--------------------------------------|----------------------------------------|
 * | a control character, a hidden mark   | as JSON, with a mark: `"a\nb" (escaped)` |
 * | both kinds of quotes                 | as JSON                                |
 * | `"`                                  | unchanged, in single quotes            |
 * | anything else: for example a pattern | unchanged, in double quotes            |
 */
function inQuotes({ text, note }: Shown): string {
  // A placeholder is not a text of the object, so it is shown without quotes.
  if (isStandIn(text)) return text
  if (escapeText(visible(text)) !== text)
    return `${escapeText(visible(JSON.stringify(text)))} (escaped)${note}`
  if (!text.includes('"')) return `"${text}"${note}`
  return text.includes("'") ? `${JSON.stringify(text)}${note}` : `'${text}'${note}`
}

function whole(text: string): Shown {
  return { text, note: '' }
}

function around(symbols: readonly string[], from: number, to: number, longest: number): Shown {
  if (symbols.length <= longest) return whole(symbols.join(''))
  const [first, last] = [Math.max(0, from - surroundings), Math.min(symbols.length, to + surroundings)]
  const { text } = middleLeftOut(symbols.slice(first, last), longest)
  const [before, after] = [first > 0 ? '…' : '', last < symbols.length ? '…' : '']
  return { text: `${before}${text}${after}`, note: noteOf(symbols) }
}

function middleLeftOut(symbols: readonly string[], longest: number): Shown {
  if (symbols.length <= longest) return whole(symbols.join(''))
  const head = Math.ceil((longest - 1) / 2)
  const tail = longest - 1 - head
  const text = `${symbols.slice(0, head).join('')}…${symbols.slice(symbols.length - tail).join('')}`
  return { text, note: noteOf(symbols) }
}

function noteOf(symbols: readonly string[]): string {
  return ` (${symbols.length} characters)`
}
