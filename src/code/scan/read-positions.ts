import type { Place } from '../reference.ts'

const lineFeed = 0x0a

/**
 * Lines and columns of offsets in bytes of UTF-8, for offsets that only grow: what lies between two of them is read once,
 * also where a file is one line.
 */
export class Positions {
  readonly #bytes: Buffer
  #offset: number
  #line = 1
  #column = 1
  /** The end of the line that the offset is in. */
  #lineEnd: number

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    this.#offset = hasMark ? 3 : 0
    this.#lineEnd = this.#endFrom(this.#offset)
  }

  at(offset: number): Place {
    while (this.#lineEnd < offset) {
      this.#line++
      this.#column = 1
      this.#offset = this.#lineEnd + 1
      this.#lineEnd = this.#endFrom(this.#offset)
    }
    this.#column += this.#bytes.toString('utf8', this.#offset, offset).length
    this.#offset = offset
    return { line: this.#line, column: this.#column }
  }

  #endFrom(offset: number): number {
    const found = this.#bytes.indexOf(lineFeed, offset)
    return found === -1 ? this.#bytes.length : found
  }
}
