import { stripVTControlCharacters } from 'node:util'

/** Pads a text with spaces to a number of terminal columns. A wider text stays unchanged. */
export function padColumns(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)))
}

/** Columns in a terminal. Colours and combining marks take none, wide characters take two. */
export function columnsOf(text: string): number {
  return [...stripVTControlCharacters(text)].reduce((sum, character) => sum + widthOf(character), 0)
}

function widthOf(character: string): number {
  if (/^\p{Mark}/u.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

// East Asian scripts with their punctuation, full-width forms, and emoji that are always shown as pictures.
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]/u

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Makes a sentence: upper-case first letter, and a full stop unless the text ends in another mark. */
export function sentence(words: string): string {
  return `${capitalized(words)}${/[.?!]$/.test(words) ? '' : '.'}`
}

/** The most frequent values, each by the index of its last occurrence; later ones come first. */
export function mostCommon(texts: readonly string[]): number[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts]
    .flatMap(([text, count]) => (count === most ? [texts.lastIndexOf(text)] : []))
    .sort((left, right) => right - left)
}
