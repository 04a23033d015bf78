import type { Json } from '../../model/json/json.ts'

/**
 * What short texts of a file are read as, where they are read as themselves. Nearly all keys and half of the values have stood
 * there before: to find one again takes less than to make it and to look it over, and one string is kept in place of thousands.
 */
export class KnownTexts<Value extends Json> {
  readonly #read: (text: string) => Value
  readonly #slots: ((Value & string) | undefined)[] = new Array(slots)

  constructor(read: (text: string) => Value) {
    this.#read = read
  }

  /** What the text between two offsets is read as. */
  valueOf(text: string, start: number, end: number): Value {
    const length = end - start
    const middle = text.charCodeAt((start + end) >> 1)
    const slot = (text.charCodeAt(start) * 31 + middle * 17 + text.charCodeAt(end - 1) * 7 + length) % slots
    const known = this.#slots[slot]
    if (known !== undefined && known.length === length && text.startsWith(known, start)) return known
    const value = this.#read(text.slice(start, end))
    if (typeof value === 'string' && length <= longestKnown) this.#slots[slot] = value
    return value
  }
}

const slots = 256
const longestKnown = 40
