/** A parsed regular expression, for a search that follows all paths at once. */
export type Node =
  | { readonly type: 'one'; readonly accepts: Accepts }
  | { readonly type: 'assert'; readonly holds: Holds }
  | { readonly type: 'all'; readonly parts: readonly Node[] }
  | { readonly type: 'any'; readonly options: readonly Node[] }
  | { readonly type: 'repeat'; readonly part: Node; readonly min: number; readonly max: number }

/** Whether the node `one` accepts a code point. */
export type Accepts = (code: number) => boolean

/** Whether an assertion holds at the position before the code point at `at`. */
export type Holds = (codes: readonly number[], at: number) => boolean

/** A parsed expression, or why only the service can evaluate it. */
export type Parsed = { readonly node: Node } | { readonly whyOpen: string }

/** Thrown for a text that is not a regular expression of Python's `re`, with the reason. */
export class PatternError extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'PatternError'
  }
}

/**
 * Parses a regular expression as Python's `re` does, because the service uses it. Accepts `\p{L}` if asked.
 * Throws a `PatternError` if Python refuses the expression. If Python versions disagree about it, the result
 * is that only the service can evaluate it.
 */
export function parsePattern(pattern: string, hasProperties: boolean): Parsed {
  return new Parser(pattern, hasProperties).parse()
}

/** The flags that are active at a position, by Python's letters. */
type Flags = Readonly<Record<'i' | 'm' | 's' | 'x' | 'a', boolean>>

const noFlags: Flags = { i: false, m: false, s: false, x: false, a: false }
const nothing: Node = { type: 'all', parts: [] }
const newline = 10
const lastCode = 0x10ffff

/** The escapes of a single code point. [Python `re`] */
const controls: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }
const hexadecimal: Readonly<Record<string, RegExp>> = {
  x: /[0-9a-f]{2}/iuy,
  u: /[0-9a-f]{4}/iuy,
  U: /[0-9a-f]{8}/iuy,
}

/** Parses an expression by recursive descent. All of its patterns are sticky. */
class Parser {
  readonly #text: string
  /** Whether `\p{L}` is a character class, as it is outside Python. */
  readonly #hasProperties: boolean
  readonly #names = new Map<string, number>()
  readonly #open = new Set<number>()
  #at = 0
  #groups = 0
  /** Flags for the whole expression. */
  #global = noFlags
  #whyOpen: string | undefined

  constructor(text: string, hasProperties: boolean) {
    this.#text = text
    this.#hasProperties = hasProperties
  }

  parse(): Parsed {
    const node = this.#alternatives(undefined)
    if (this.#at < this.#text.length) throw new PatternError('a closing parenthesis has no opening one')
    return this.#whyOpen === undefined ? { node } : { whyOpen: this.#whyOpen }
  }

  #match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at
    const found = sticky.exec(this.#text)
    if (found) this.#at = sticky.lastIndex
    return found
  }

  /** Reads the next symbol; an error if there is none. */
  #next(): string {
    const found = this.#match(/./suy)
    if (!found) throw new PatternError('the expression ends too early')
    return found[0]
  }

  /** Reads up to and including a symbol; an error if it is missing. */
  #until(symbol: string): string {
    const start = this.#at
    this.#at = this.#text.indexOf(symbol, start) + 1
    if (this.#at === 0) throw new PatternError('the expression ends too early')
    return this.#text.slice(start, this.#at - 1)
  }

  /** Reading continues, since a later error would decide; the first reason is kept. */
  #leaveOpen(why: string): void {
    this.#whyOpen ??= why
  }

  /** `flags` are those of the surrounding group; undefined for the whole expression, which sets its own. */
  #alternatives(flags: Flags | undefined): Node {
    const options = [this.#sequence(flags, flags === undefined)]
    while (this.#match(/\|/uy)) options.push(this.#sequence(flags, false))
    return { type: 'any', options }
  }

  #sequence(own: Flags | undefined, mayStart: boolean): Node {
    const parts: Node[] = []
    let isRepeatable = false
    while (this.#at < this.#text.length && !/[|)]/.test(this.#text.charAt(this.#at))) {
      const flags = own ?? this.#global
      // Blanks and comments, which `(?x)` ignores.
      if (flags.x && this.#match(/[ \t\n\r\v\f]+|#[^\n]*/uy)) continue
      const count = this.#match(/[*+?]|\{(?:([0-9]+)|([0-9]*),([0-9]*))\}/uy)
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

  #repeated(part: Node, [symbol, exact, low = exact ?? '', high = exact ?? '']: RegExpExecArray): Node {
    const min = symbol === '+' ? 1 : Number(low)
    const max = symbol === '?' ? 1 : high === '' ? Number.POSITIVE_INFINITY : Number(high)
    if (max < min) throw new PatternError('the second number of a count is smaller than the first')
    // Greedy or lazy changes the matched part, but not whether there is a match.
    if (!this.#match(/\?/uy) && this.#match(/\+/uy))
      this.#leaveOpen('it has a possessive quantifier, which older versions of Python refuse')
    return { type: 'repeat', part, min, max }
  }

  #single(flags: Flags, isFirst: boolean): Node | undefined {
    const symbol = this.#next()
    switch (symbol) {
      case '(':
        return this.#group(flags, isFirst)
      case '[':
        return { type: 'one', accepts: this.#set(flags) }
      case '.':
        return { type: 'one', accepts: flags.s ? () => true : code => code !== newline }
      case '^':
        return { type: 'assert', holds: (codes, at) => at === 0 || (flags.m && codes[at - 1] === newline) }
      case '$':
        return { type: 'assert', holds: (codes, at) => isLineEnd(codes, at, flags.m) }
      case '\\':
        return this.#escape(flags)
      default:
        return one(codeOf(symbol), flags)
    }
  }

  /**
   * The syntax after an opening parenthesis; undefined for flags and comments. [Python `re`: "(?...)"]
   *
   * | written                        | is                                                     |
   * |--------------------------------|--------------------------------------------------------|
   * | `(...)` `(?P<n>...)` `(?:...)` | a group                                                |
   * | `(?i)`, at the start alone     | flags for the whole expression                         |
   * | `(?i:...)` `(?-i:...)`         | flags for the group                                    |
   * | `(?#...)`                      | a comment                                              |
   * | `(?=` `(?!` `(?<=` `(?<!`      | read, not evaluated: needs looking around              |
   * | `(?P=n)` `(?(1)...)` `(?>...)` | read, not evaluated: depends on another part's match   |
   * | `(?<n>...)` and all others     | an error                                               |
   */
  #group(flags: Flags, isFirst: boolean): Node | undefined {
    const [, how] = this.#match(/\?(P[<=]|<?[=!]|[:#>(<])?/uy) ?? ['', 'captured']
    switch (how) {
      case 'captured':
        return this.#captured(flags)
      case 'P<':
        return this.#captured(flags, groupName(this.#until('>')))
      case 'P=':
        this.#refer(groupName(this.#until(')')))
        return nothing
      case ':':
        return this.#closed(flags)
      case '#':
        this.#until(')')
        return undefined
      case '>':
        this.#leaveOpen('it has an atomic group')
        return this.#closed(flags)
      case '(':
        return this.#conditional(flags)
      case '<':
        throw new PatternError('the syntax of a named group is (?P<name>...)')
      case undefined:
        return this.#flags(flags, isFirst)
      default:
        this.#leaveOpen('it looks ahead or behind')
        return this.#closed(flags)
    }
  }

  #captured(flags: Flags, name?: string): Node {
    const group = ++this.#groups
    this.#open.add(group)
    if (name !== undefined && this.#names.has(name))
      throw new PatternError(`the group name "${name}" is used twice`)
    if (name !== undefined) this.#names.set(name, group)
    const node = this.#closed(flags)
    this.#open.delete(group)
    return node
  }

  #closed(flags: Flags): Node {
    const node = this.#alternatives(flags)
    if (!this.#match(/\)/uy)) throw new PatternError('a parenthesis is not closed')
    return node
  }

  /** Reads a reference to a group by number or name. The group must exist and be closed. */
  #refer(group: number | string): void {
    const number = typeof group === 'string' ? this.#names.get(group) : group
    if (number === undefined || number < 1 || number > this.#groups || this.#open.has(number))
      throw new PatternError(`there is no closed group "${group}" to refer to`)
    this.#leaveOpen('it refers back to a group')
  }

  /** `(?(1)yes|no)`: at most two alternatives. Whether an earlier group matched decides between them. */
  #conditional(flags: Flags): Node {
    const condition = this.#until(')')
    this.#refer(/^\d+$/.test(condition) ? Number(condition) : groupName(condition))
    const node = this.#closed(flags)
    if (node.type === 'any' && node.options.length > 2)
      throw new PatternError('a conditional group has at most two alternatives')
    return node
  }

  #flags(before: Flags, isFirst: boolean): Node | undefined {
    const [, on = '', off = '', end] = this.#match(/(?=[a-z-])([aimsux]*)(?:-([imsx]+))?([:)])/uy) ?? []
    if (end === undefined) throw new PatternError('"(?" starts neither a group nor flags')
    if (/a.*u|u.*a/.test(on) || (end === ')' && before.a && on.includes('u')))
      throw new PatternError('the flags "a" and "u" exclude each other')
    const isTwice = [...off].find(flag => on.includes(flag))
    if (isTwice !== undefined) throw new PatternError(`the flag "${isTwice}" is turned both on and off`)
    const turned = [...on].filter(flag => flag !== 'u').map(flag => [flag, true] as const)
    const flags: Flags = {
      ...before,
      ...Object.fromEntries([...turned, ...[...off].map(flag => [flag, false] as const)]),
      ...(on.includes('u') ? { a: false } : {}),
    }
    if (end === ':') return this.#closed(flags)
    if (off !== '') throw new PatternError('flags can be turned off only for a group')
    // An error since Python 3.11; before, such flags applied to the whole expression.
    if (!isFirst) this.#leaveOpen('it has flags for the whole expression that are not at the start')
    this.#global = flags
    return undefined
  }

  /** The content of square brackets. A closing bracket in the first position is a member. [Python `re`] */
  #set(flags: Flags): Accepts {
    const isNegated = this.#match(/\^/uy) !== null
    const members: Accepts[] = []
    while (members.length === 0 || !this.#match(/\]/uy)) members.push(this.#member(flags))
    return code => members.some(accepts => accepts(code)) !== isNegated
  }

  #member(flags: Flags): Accepts {
    const low = this.#symbolOfSet(flags)
    // A hyphen before the closing bracket is a hyphen.
    const high = this.#match(/-(?!\])/uy) ? this.#symbolOfSet(flags) : low
    if (typeof low !== 'number' && high === low) return low
    if (typeof low !== 'number' || typeof high !== 'number' || high < low)
      throw new PatternError('the end of a range in brackets is before its start')
    return acceptRange(low, high, flags)
  }

  #symbolOfSet(flags: Flags): number | Accepts {
    const symbol = this.#next()
    if (symbol !== '\\') return codeOf(symbol)
    const letter = this.#next()
    const accepts = characterClass(letter, flags) ?? this.#property(letter)
    if (accepts) return accepts
    return /[0-7]/.test(letter) ? this.#octal() : this.#codeAfter(letter)
  }

  /** Parses the characters after a backslash outside a set. */
  #escape(flags: Flags): Node {
    const letter = this.#next()
    switch (letter) {
      case 'A':
        return { type: 'assert', holds: (_codes, at) => at === 0 }
      case 'Z':
        return { type: 'assert', holds: (codes, at) => at === codes.length }
      case 'b':
      case 'B':
        return { type: 'assert', holds: wordBorder(flags, letter === 'b') }
      default: {
        const accepts = characterClass(letter, flags) ?? this.#property(letter)
        if (accepts) return { type: 'one', accepts }
        if (/[1-9]/.test(letter)) return this.#number(flags)
        return one(letter === '0' ? this.#octal() : this.#codeAfter(letter), flags)
      }
    }
  }

  /** Three octal digits are a code point; any other number is that of a group. */
  #number(flags: Flags): Node {
    if (/^[0-7]{3}/.test(this.#text.slice(this.#at - 1))) return one(this.#octal(), flags)
    this.#at -= 1
    this.#refer(Number(this.#match(/[0-9]{1,2}/uy)?.[0]))
    return nothing
  }

  /** Octal digits. The first one was already read. */
  #octal(): number {
    this.#at -= 1
    const [found = ''] = this.#match(/[0-7]{1,3}/uy) ?? []
    const code = Number.parseInt(found, 8)
    if (code > 0o377) throw new PatternError(`"\\${found}" is larger than the largest octal escape`)
    return code
  }

  #codeAfter(letter: string): number {
    const control = controls[letter]
    if (control !== undefined) return control
    const digits = hexadecimal[letter]
    if (digits) {
      const code = Number.parseInt(this.#match(digits)?.[0] ?? '', 16)
      if (code <= lastCode) return code
      throw new PatternError(`"\\${letter}" needs the digits of a code point`)
    }
    if (letter === 'N') {
      this.#leaveOpen('it names a character by its Unicode name')
      this.#until('}')
      return 0
    }
    if (/[A-Za-z0-9]/.test(letter)) throw new PatternError(`"\\${letter}" is not a valid escape`)
    return codeOf(letter)
  }

  /** `\p{L}`, `\pL`, `\P{Greek}`: general categories and scripts. Undefined for other names, as in Python. */
  #property(letter: string): Accepts | undefined {
    if (!this.#hasProperties || !/[pP]/.test(letter)) return undefined
    const name = this.#match(/\{/uy) ? this.#until('}') : this.#next()
    const found = [name, `Script=${name}`].find(each => /^\w+(=\w+)?$/.test(name) && isProperty(each))
    if (found === undefined) throw new PatternError(`"${name}" is not a property of characters`)
    return acceptClass(new RegExp(`^\\p{${found}}$`, 'u'), letter === 'p')
  }
}

/** `$` also matches before a line break at the end of a text. */
function isLineEnd(codes: readonly number[], at: number, isMultiline: boolean): boolean {
  if (at === codes.length) return true
  return codes[at] === newline && (isMultiline || at === codes.length - 1)
}

function groupName(name: string): string {
  if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name))
    throw new PatternError(`"${name}" is not a valid group name`)
  return name
}

/**
 * Letters, digits and blanks of Python's `re`, and the same classes under `(?a)`. `\x1c` to `\x1f` and `\x85`
 * are blanks in Python; the byte order mark is a blank only in JavaScript. Combining marks are not letters.
 */
const characterClasses: Readonly<Record<string, readonly [unicode: RegExp, ascii: RegExp]>> = {
  w: [/^[\p{L}\p{N}_]$/u, /^\w$/],
  d: [/^\p{Nd}$/u, /^\d$/],
  s: [/^[\t-\r\x1c-\x20\x85\p{Zs}\u2028\u2029]$/u, /^[\t-\r ]$/],
}

function characterClass(letter: string, { a }: Flags): Accepts | undefined {
  const known = characterClasses[letter.toLowerCase()]
  return known && acceptClass(known[a ? 1 : 0], letter === letter.toLowerCase())
}

function acceptClass(characters: RegExp, isWanted: boolean): Accepts {
  return code => characters.test(String.fromCodePoint(code)) === isWanted
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'u').source !== ''
  } catch {
    return false
  }
}

/** `\b`, or `\B` if not `isWanted`. In Python, neither matches in an empty text. */
function wordBorder(flags: Flags, isWanted: boolean): Holds {
  const isWord = characterClass('w', flags)
  const within = (code: number | undefined) => code !== undefined && isWord?.(code) === true
  return (codes, at) => codes.length > 0 && (within(codes[at - 1]) !== within(codes[at])) === isWanted
}

function one(code: number, flags: Flags): Node {
  return { type: 'one', accepts: acceptRange(code, code, flags) }
}

/** Letters that are equal under Python's `(?i)`, but not in JavaScript. [CPython Lib/re/_casefix.py] */
const pythonTwins = ['iI\u0131\u0130', '\u0390\u1fd3', '\u03b0\u1fe3', '\ufb05\ufb06'].map(letters =>
  Array.from(letters, codeOf),
)

/** Accepts a range of code points and, under `(?i)`, characters that differ from one of them only in case. */
function acceptRange(low: number, high: number, { i, a }: Flags): Accepts {
  const isWithin: Accepts = code => code >= low && code <= high
  if (!i) return isWithin
  if (a) return code => isWithin(code) || isWithin(withOtherCase(code))
  const inAnyCase = new RegExp(`^[\\u{${low.toString(16)}}-\\u{${high.toString(16)}}]$`, 'iu')
  const accepts = acceptClass(inAnyCase, true)
  return code =>
    accepts(code) || pythonTwins.some(twins => twins.includes(code) && twins.some(twin => accepts(twin)))
}

function withOtherCase(code: number): number {
  if (code >= 65 && code <= 90) return code + 32
  return code >= 97 && code <= 122 ? code - 32 : code
}

function codeOf(symbol: string): number {
  return symbol.codePointAt(0) ?? 0
}
