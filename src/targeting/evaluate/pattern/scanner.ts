import { PatternError } from './node.ts'

/** Reads the code points of an expression one after the other. */
export class Scanner {
  readonly #symbols: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#symbols = Array.from(text)
  }

  peek(): string | undefined {
    return this.#symbols[this.#at]
  }

  /** The next symbol; an error where there is none. */
  next(): string {
    const symbol = this.#symbols[this.#at]
    if (symbol === undefined) throw new PatternError('it ends too early')
    this.#at++
    return symbol
  }

  /** Reads a symbol when it comes next. */
  take(symbol: string): boolean {
    if (this.peek() !== symbol) return false
    this.#at++
    return true
  }

  /** Reads as many symbols of a sort as there are, up to `most`. */
  while(accepts: RegExp, most = Number.POSITIVE_INFINITY): string {
    const start = this.#at
    for (let next = this.peek(); next !== undefined && this.#at - start < most; next = this.peek()) {
      if (!accepts.test(next)) break
      this.#at++
    }
    return this.#symbols.slice(start, this.#at).join('')
  }

  /** Reads up to a symbol and takes it; an error where it does not come. */
  until(symbol: string): string {
    let text = ''
    for (let next = this.next(); next !== symbol; next = this.next()) text += next
    return text
  }

  /** Reads something, or goes back to where it was when that comes to nothing. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.#at
    const result = read()
    if (result === undefined) this.#at = start
    return result
  }
}
