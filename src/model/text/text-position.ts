/** The offsets at which the lines of a text start. */
export function lineStartsOf(text: string): readonly number[] {
  const starts = [0]
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    return starts
  }
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length)
  return starts
}

/** The lines of a text, counted from 1. Their positions are computed only once. */
export class Lines {
  readonly #text: string
  #starts: readonly number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** A line without its line end; undefined if there is no such line. */
  at(line: number): string | undefined {
    this.#starts ??= lineStartsOf(this.#text)
    const start = this.#starts[line - 1]
    if (start === undefined) return undefined
    let end = this.#starts[line] ?? this.#text.length
    if (line < this.#starts.length) end -= this.#text.startsWith('\r\n', end - 2) ? 2 : 1
    return this.#text.slice(start, end)
  }
}

/** The line and column of an offset, both counted from 1. Columns count UTF-16 code units, as editors do. */
export function positionAt(
  lineStarts: readonly number[],
  offset: number,
): { readonly line: number; readonly column: number } {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 }
}
