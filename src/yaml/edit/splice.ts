/** A part of a text and what takes its place. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with its parts replaced; they do not overlap. Of several at one place, the later ones of the list go behind. */
export function splice(text: string, splices: readonly Splice[]): string {
  const ordered = splices.toSorted((left, right) => left.start - right.start)
  let [result, at] = ['', 0]
  for (const { start, end, text: replacement } of ordered) {
    result += text.slice(at, start) + replacement
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}

/** Where the line of an offset starts. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** Where the line of an offset ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const found = text.indexOf('\n', offset)
  if (found === -1) return text.length
  return found > offset && text[found - 1] === '\r' ? found - 1 : found
}

/** Where the next line starts; the end of the text where there is none. */
export function nextLine(text: string, offset: number): number {
  const found = text.indexOf('\n', offset)
  return found === -1 ? text.length : found + 1
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  const found = text.indexOf('\n')
  return found > 0 && text[found - 1] === '\r' ? '\r\n' : '\n'
}

/** How many characters stand before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}
