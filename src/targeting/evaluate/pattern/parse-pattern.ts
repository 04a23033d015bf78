import { parseEscape } from './escape.ts'
import { acceptOne } from './letter-case.ts'
import { type Flags, type Node, PatternError } from './node.ts'
import { parseGroup } from './parse-group.ts'
import { parseSet } from './parse-set.ts'
import { Reading } from './reading.ts'

/** An expression as it is read: to be searched, or why only the service can. */
export type Parsed = { readonly node: Node } | { readonly whyOpen: string }

/**
 * Reads a regular expression as Python's `re` does, which is what the service matches with, and `\p{L}` too where others
 * are meant; a `PatternError` is thrown where Python refuses it. Where Python's versions differ, the expression is left to the service.
 */
export function parsePattern(pattern: string, hasProperties: boolean): Parsed {
  return new Parser(pattern, hasProperties).parse()
}

const noFlags: Flags = { i: false, m: false, s: false, x: false, a: false }
const newline = 10
const repeatable = new Set(['*', '+', '?', '{'])

interface Count {
  readonly min: number
  readonly max: number
}

class Parser {
  readonly #reading: Reading
  /** Flags that the expression sets for the whole of itself. */
  #global = noFlags

  constructor(pattern: string, hasProperties: boolean) {
    this.#reading = new Reading(pattern, hasProperties)
  }

  parse(): Parsed {
    const node = this.#alternatives(undefined)
    if (this.#reading.scanner.peek() !== undefined)
      throw new PatternError('a closing parenthesis closes nothing')
    const { whyOpen } = this.#reading
    return whyOpen === undefined ? { node } : { whyOpen }
  }

  /** `flags` are those of the group around; undefined for the whole expression, which sets its own. */
  #alternatives(flags: Flags | undefined): Node {
    const { scanner } = this.#reading
    const options = [this.#sequence(flags, flags === undefined)]
    while (scanner.take('|')) options.push(this.#sequence(flags, false))
    return { type: 'any', options }
  }

  #sequence(own: Flags | undefined, mayStart: boolean): Node {
    const { scanner } = this.#reading
    const parts: Node[] = []
    let isRepeatable = false
    for (let next = scanner.peek(); next !== undefined && !/[|)]/.test(next); next = scanner.peek()) {
      const flags = own ?? this.#global
      if (flags.x && this.#skipLayout()) continue
      const count = this.#count(next)
      if (count) {
        const part = isRepeatable ? parts.pop() : undefined
        if (!part) throw new PatternError('there is nothing to repeat')
        parts.push(this.#repeated(part, count))
        isRepeatable = false
        continue
      }
      const part = this.#single(flags, mayStart && parts.length === 0)
      if (!part) continue
      parts.push(part)
      isRepeatable = part.type !== 'assert'
    }
    return { type: 'all', parts }
  }

  /** Blanks and comments, which `(?x)` leaves out. */
  #skipLayout(): boolean {
    const { scanner } = this.#reading
    if (scanner.while(/[ \t\n\r\v\f]/) !== '') return true
    if (!scanner.take('#')) return false
    scanner.while(/[^\n]/)
    return true
  }

  /** Reads a count. A brace that opens none is a brace. */
  #count(next: string): Count | undefined {
    const { scanner } = this.#reading
    if (!repeatable.has(next)) return undefined
    return scanner.attempt(() => {
      scanner.next()
      if (next !== '{') return { min: next === '+' ? 1 : 0, max: next === '?' ? 1 : Number.POSITIVE_INFINITY }
      const low = scanner.while(/[0-9]/)
      const isRange = scanner.take(',')
      const high = isRange ? scanner.while(/[0-9]/) : low
      if ((!isRange && low === '') || !scanner.take('}')) return undefined
      return { min: Number(low), max: high === '' ? Number.POSITIVE_INFINITY : Number(high) }
    })
  }

  #repeated(part: Node, { min, max }: Count): Node {
    const { scanner } = this.#reading
    if (max < min) throw new PatternError('a count goes from a number to a larger one')
    // Reluctant or not is a matter of what is matched, never of whether anything is.
    if (!scanner.take('?') && scanner.take('+'))
      this.#reading.leaveOpen('it repeats without giving back, which older versions of Python refuse')
    return { type: 'repeat', part, min, max }
  }

  #single(flags: Flags, isFirst: boolean): Node | undefined {
    const { scanner } = this.#reading
    const symbol = scanner.next()
    switch (symbol) {
      case '(':
        return this.#group(flags, isFirst)
      case '[':
        return { type: 'one', accepts: parseSet(this.#reading, flags) }
      case '.':
        return { type: 'one', accepts: flags.s ? () => true : code => code !== newline }
      case '^':
        return { type: 'assert', holds: (codes, at) => at === 0 || (flags.m && codes[at - 1] === newline) }
      case '$':
        return { type: 'assert', holds: (codes, at) => isLineEnd(codes, at, flags.m) }
      case '\\':
        return parseEscape(this.#reading, flags)
      default:
        return { type: 'one', accepts: acceptOne(symbol.codePointAt(0) ?? 0, flags) }
    }
  }

  #group(flags: Flags, isFirst: boolean): Node | undefined {
    const { node, flags: global } = parseGroup(this.#reading, flags, isFirst, own => this.#alternatives(own))
    if (global) this.#global = global
    return node
  }
}

/** `$` also holds before the line end that closes a text. */
function isLineEnd(codes: readonly number[], at: number, isMultiline: boolean): boolean {
  if (at === codes.length) return true
  return codes[at] === newline && (isMultiline || at === codes.length - 1)
}
