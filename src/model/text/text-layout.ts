import { stripVTControlCharacters } from 'node:util'

/** Pads a text with spaces to a number of terminal columns; a wider one stays as it is. */
export function padColumns(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)))
}

/** The width of a text in a terminal: no column for colours and combining marks, two for wide characters. */
export function columnsOf(text: string): number {
  return [...stripVTControlCharacters(text)].reduce((sum, character) => sum + widthOf(character), 0)
}

function widthOf(character: string): number {
  if (/^\p{Mark}/u.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

// Scripts of East Asia with their punctuation, full-width forms, and emoji that are pictures by themselves.
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]/u

/** A text that begins with a capital. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** A few words as a sentence: with a capital, and a full stop if there is no other end. */
export function sentence(words: string): string {
  return `${capitalized(words)}${/[.?!]$/.test(words) ? '' : '.'}`
}

/** The indexes of the most frequent values, one for each: the last of its equals, the last ones first. */
export function mostCommon(texts: readonly string[]): number[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts]
    .flatMap(([text, count]) => (count === most ? [texts.lastIndexOf(text)] : []))
    .sort((left, right) => right - left)
}
