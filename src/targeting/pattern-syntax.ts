/**
 * The part of regular expressions that can be searched in linear time and that all SDKs read alike: literals, dot,
 * classes, escapes, groups, alternatives, repetition and the plain assertions. Look-around and back-references are
 * refused as `unsupported`, text that is no expression at all as `invalid`.
 */
export type Node =
  | { readonly type: 'one'; readonly accepts: (code: number) => boolean }
  | { readonly type: 'assert'; readonly at: Assertion }
  | { readonly type: 'all'; readonly parts: readonly Node[] }
  | { readonly type: 'any'; readonly options: readonly Node[] }
  | { readonly type: 'repeat'; readonly part: Node; readonly min: number; readonly max: number }

export type Assertion = 'start' | 'end' | 'border' | 'no border'

export class PatternRefusal extends Error {
  readonly kind: 'invalid' | 'unsupported'

  constructor(kind: 'invalid' | 'unsupported') {
    super(kind)
    this.kind = kind
  }
}

/** Throws a `PatternRefusal` when the text cannot be used. */
export function parsePattern(pattern: string): Node {
  const ignoresCase = pattern.startsWith('(?i)')
  const parser = new Parser(Array.from(ignoresCase ? pattern.slice(4) : pattern), ignoresCase)
  return parser.parse()
}

export function isWordCode(code: number): boolean {
  return isBetween(code, 48, 57) || isBetween(code, 65, 90) || isBetween(code, 97, 122) || code === 95
}

type Accepts = (code: number) => boolean

const isDigit: Accepts = code => isBetween(code, 48, 57)
const isSpace: Accepts = code => /\s/.test(String.fromCodePoint(code))
const isLine: Accepts = code => code === 10 || code === 13 || code === 0x2028 || code === 0x2029

const classes: ReadonlyMap<string, Accepts> = new Map<string, Accepts>([
  ['d', isDigit],
  ['D', code => !isDigit(code)],
  ['w', isWordCode],
  ['W', code => !isWordCode(code)],
  ['s', isSpace],
  ['S', code => !isSpace(code)],
])
const controls: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
])

class Parser {
  private at = 0
  private readonly symbols: readonly string[]
  private readonly ignoresCase: boolean

  constructor(symbols: readonly string[], ignoresCase: boolean) {
    this.symbols = symbols
    this.ignoresCase = ignoresCase
  }

  parse(): Node {
    const node = this.alternatives()
    if (this.at < this.symbols.length) throw new PatternRefusal('invalid')
    return node
  }

  private alternatives(): Node {
    const options = [this.sequence()]
    while (this.take('|')) options.push(this.sequence())
    return { type: 'any', options }
  }

  private sequence(): Node {
    const parts: Node[] = []
    while (this.at < this.symbols.length && this.peek() !== '|' && this.peek() !== ')')
      parts.push(this.repeated())
    return { type: 'all', parts }
  }

  private repeated(): Node {
    const part = this.single()
    const range = this.quantifier()
    if (!range) return part
    if (part.type === 'assert') throw new PatternRefusal('invalid')
    this.take('?')
    if (this.peek() === '+') throw new PatternRefusal('unsupported')
    if (this.quantifier()) throw new PatternRefusal('invalid')
    return { type: 'repeat', part, ...range }
  }

  private quantifier(): { min: number; max: number } | undefined {
    if (this.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
    if (this.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
    if (this.take('?')) return { min: 0, max: 1 }
    if (this.peek() !== '{') return undefined
    const text = this.symbols.slice(this.at, this.at + 24).join('')
    const match = /^\{(\d+)(,(\d*))?\}/.exec(text)
    // A brace that opens no count is a brace.
    if (!match) return undefined
    this.at += match[0].length
    const min = Number(match[1])
    const max = match[2] === undefined ? min : match[3] ? Number(match[3]) : Number.POSITIVE_INFINITY
    if (max < min) throw new PatternRefusal('invalid')
    return { min, max }
  }

  private single(): Node {
    if (this.quantifierStarts()) throw new PatternRefusal('invalid')
    const symbol = this.next()
    switch (symbol) {
      case '(':
        return this.group()
      case '[':
        return { type: 'one', accepts: this.set() }
      case '.':
        return { type: 'one', accepts: code => !isLine(code) }
      case '^':
        return { type: 'assert', at: 'start' }
      case '$':
        return { type: 'assert', at: 'end' }
      case '\\':
        if (this.take('b')) return { type: 'assert', at: 'border' }
        if (this.take('B')) return { type: 'assert', at: 'no border' }
        return { type: 'one', accepts: this.matcher(this.escape()) }
      default:
        return { type: 'one', accepts: this.matcher(codeOf(symbol)) }
    }
  }

  private quantifierStarts(): boolean {
    const symbol = this.peek()
    return symbol === '*' || symbol === '+' || symbol === '?'
  }

  private group(): Node {
    if (this.take('?')) {
      const isNamed = /^P?<[A-Za-z_]\w*>/.exec(this.symbols.slice(this.at, this.at + 64).join(''))
      if (isNamed) this.at += isNamed[0].length
      else if (!this.take(':')) throw new PatternRefusal('unsupported')
    }
    const node = this.alternatives()
    if (!this.take(')')) throw new PatternRefusal('invalid')
    return node
  }

  private set(): Accepts {
    const isNegated = this.take('^')
    // An empty set in one language is a set that begins with a bracket in another.
    if (this.peek() === ']') throw new PatternRefusal('unsupported')
    const members: Accepts[] = []
    while (!this.take(']')) members.push(this.setMember())
    return code => members.some(accepts => accepts(code)) !== isNegated
  }

  private setMember(): Accepts {
    const low = this.setSymbol()
    const isRange = this.peek() === '-' && this.symbols[this.at + 1] !== ']'
    if (!isRange || typeof low !== 'number') return this.matcher(low)
    this.at++
    const high = this.setSymbol()
    if (typeof high !== 'number') throw new PatternRefusal('unsupported')
    if (high < low) throw new PatternRefusal('invalid')
    if (!this.ignoresCase) return code => isBetween(code, low, high)
    return code => [code, upper(code), lower(code)].some(variant => isBetween(variant, low, high))
  }

  private setSymbol(): number | Accepts {
    const symbol = this.next()
    if (symbol !== '\\') return codeOf(symbol)
    return this.take('b') ? 8 : this.escape()
  }

  private escape(): number | Accepts {
    const symbol = this.next()
    const known = classes.get(symbol) ?? controls.get(symbol)
    if (known !== undefined) return known
    if (symbol === 'x') return this.hexadecimal(2)
    if (symbol === 'u') return this.hexadecimal(4)
    if (/[A-Za-z0-9]/.test(symbol)) throw new PatternRefusal('unsupported')
    return codeOf(symbol)
  }

  private hexadecimal(length: number): number {
    const digits = this.symbols.slice(this.at, this.at + length).join('')
    if (!new RegExp(`^[0-9a-fA-F]{${length}}$`).test(digits)) throw new PatternRefusal('unsupported')
    this.at += length
    return Number.parseInt(digits, 16)
  }

  private matcher(symbol: number | Accepts): Accepts {
    if (typeof symbol !== 'number') return symbol
    if (!this.ignoresCase) return code => code === symbol
    const wanted = lower(symbol)
    return code => lower(code) === wanted
  }

  private peek(): string | undefined {
    return this.symbols[this.at]
  }

  private next(): string {
    const symbol = this.symbols[this.at++]
    if (symbol === undefined) throw new PatternRefusal('invalid')
    return symbol
  }

  private take(symbol: string): boolean {
    if (this.peek() !== symbol) return false
    this.at++
    return true
  }
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high
}

function codeOf(symbol: string): number {
  return symbol.codePointAt(0) ?? 0
}

function lower(code: number): number {
  return codeOf(String.fromCodePoint(code).toLowerCase())
}

function upper(code: number): number {
  return codeOf(String.fromCodePoint(code).toUpperCase())
}
