/** A parsed regular expression: the parts that can be searched by following all paths at once. */
export type Node =
  | { readonly type: 'one'; readonly accepts: Accepts }
  | { readonly type: 'assert'; readonly holds: Holds }
  | { readonly type: 'all'; readonly parts: readonly Node[] }
  | { readonly type: 'any'; readonly options: readonly Node[] }
  | { readonly type: 'repeat'; readonly part: Node; readonly min: number; readonly max: number }

/** Whether a code point is one of those meant. */
export type Accepts = (code: number) => boolean

/** Whether a condition holds at the place before the code point at `at`. */
export type Holds = (codes: readonly number[], at: number) => boolean

/** An expression as it is read: ready to be searched, or why only the service can. */
export type Parsed = { readonly node: Node } | { readonly whyOpen: string }

/** A text that is no regular expression of Python's `re`; the message has the reason. */
export class PatternError extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'PatternError'
  }
}

/**
 * Reads a regular expression like Python's `re`, which the service uses; `\p{L}` too on request. Throws a
 * `PatternError` if Python refuses it. If Python's versions differ, only the service can evaluate it.
 */
export function parsePattern(pattern: string, hasProperties: boolean): Parsed {
  return new Parser(pattern, hasProperties).parse()
}

/** The active flags at one place of an expression, by the letters that Python gives them. */
type Flags = Readonly<Record<'i' | 'm' | 's' | 'x' | 'a', boolean>>

const noFlags: Flags = { i: false, m: false, s: false, x: false, a: false }
const nothing: Node = { type: 'all', parts: [] }
const newline = 10
const lastCode = 0x10ffff

/** The escapes that are one code point. [Python `re`] */
const controls: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }
const hexadecimal: Readonly<Record<string, RegExp>> = {
  x: /[0-9a-f]{2}/iuy,
  u: /[0-9a-f]{4}/iuy,
  U: /[0-9a-f]{8}/iuy,
}

/** Reads an expression by recursive descent; every pattern it looks for is sticky. */
class Parser {
  readonly #text: string
  /** Whether `\p{L}` is a class of characters, as it is outside of Python. */
  readonly #hasProperties: boolean
  readonly #names = new Map<string, number>()
  readonly #open = new Set<number>()
  #at = 0
  #groups = 0
  /** Flags that the expression sets for all of itself. */
  #global = noFlags
  #whyOpen: string | undefined

  constructor(text: string, hasProperties: boolean) {
    this.#text = text
    this.#hasProperties = hasProperties
  }

  parse(): Parsed {
    const node = this.#alternatives(undefined)
    if (this.#at < this.#text.length) throw new PatternError('a closing parenthesis closes nothing')
    return this.#whyOpen === undefined ? { node } : { whyOpen: this.#whyOpen }
  }

  #match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at
    const found = sticky.exec(this.#text)
    if (found) this.#at = sticky.lastIndex
    return found
  }

  /** The next symbol; an error if there is none. */
  #next(): string {
    const found = this.#match(/./suy)
    if (!found) throw new PatternError('it ends too early')
    return found[0]
  }

  /** Reads up to a symbol, inclusive; an error if it is missing. */
  #until(symbol: string): string {
    const start = this.#at
    this.#at = this.#text.indexOf(symbol, start) + 1
    if (this.#at === 0) throw new PatternError('it ends too early')
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
      // Blanks and comments, which `(?x)` leaves out.
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
    if (max < min) throw new PatternError('a count goes from a number to a larger one')
    // Greedy or reluctant changes the matched part, never whether anything matches.
    if (!this.#match(/\?/uy) && this.#match(/\+/uy))
      this.#leaveOpen('it repeats without giving back, which older versions of Python refuse')
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
        throw new PatternError('groups are named as (?P<name>...)')
      case undefined:
        return this.#flags(flags, isFirst)
      default:
        this.#leaveOpen('it looks around')
        return this.#closed(flags)
    }
  }

  #captured(flags: Flags, name?: string): Node {
    const group = ++this.#groups
    this.#open.add(group)
    if (name !== undefined && this.#names.has(name))
      throw new PatternError(`the group name "${name}" is there twice`)
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

  /** Reads a reference to a group by its number or name: the group must exist and be closed. */
  #refer(group: number | string): void {
    const number = typeof group === 'string' ? this.#names.get(group) : group
    if (number === undefined || number < 1 || number > this.#groups || this.#open.has(number))
      throw new PatternError(`there is no closed group "${group}" to refer to`)
    this.#leaveOpen('it refers back to a group')
  }

  /** `(?(1)yes|no)`: at most two alternatives; an earlier group decides between them. */
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
    if (end === undefined) throw new PatternError('"(?" opens no group, and sets no flags')
    if (/a.*u|u.*a/.test(on) || (end === ')' && before.a && on.includes('u')))
      throw new PatternError('the flags "a" and "u" exclude each other')
    const isTwice = [...off].find(flag => on.includes(flag))
    if (isTwice !== undefined) throw new PatternError(`the flag "${isTwice}" is turned on and off`)
    const turned = [...on].filter(flag => flag !== 'u').map(flag => [flag, true] as const)
    const flags: Flags = {
      ...before,
      ...Object.fromEntries([...turned, ...[...off].map(flag => [flag, false] as const)]),
      ...(on.includes('u') ? { a: false } : {}),
    }
    if (end === ':') return this.#closed(flags)
    if (off !== '') throw new PatternError('only a group turns flags off')
    // Since Python 3.11 an error; before, flags for the whole expression at any place.
    if (!isFirst) this.#leaveOpen('it has flags for the whole of it that are not at its start')
    this.#global = flags
    return undefined
  }

  /** The content of square brackets. A closing bracket that comes first is a member. [Python `re`] */
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
      throw new PatternError('a range in brackets goes from one character to a later one')
    return acceptRange(low, high, flags)
  }

  /** One code point, or a class of them. */
  #symbolOfSet(flags: Flags): number | Accepts {
    const symbol = this.#next()
    if (symbol !== '\\') return codeOf(symbol)
    const letter = this.#next()
    const accepts = characterClass(letter, flags) ?? this.#property(letter)
    if (accepts) return accepts
    return /[0-7]/.test(letter) ? this.#octal() : this.#codeAfter(letter)
  }

  /** The character after a backslash outside a set. */
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

  /** Three octal digits are a code point, anything else is the number of a group. */
  #number(flags: Flags): Node {
    if (/^[0-7]{3}/.test(this.#text.slice(this.#at - 1))) return one(this.#octal(), flags)
    this.#at -= 1
    this.#refer(Number(this.#match(/[0-9]{1,2}/uy)?.[0]))
    return nothing
  }

  /** Octal digits, the first of which was already read. */
  #octal(): number {
    this.#at -= 1
    const [found = ''] = this.#match(/[0-7]{1,3}/uy) ?? []
    const code = Number.parseInt(found, 8)
    if (code > 0o377) throw new PatternError(`"\\${found}" is past the octal escapes`)
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
    if (/[A-Za-z0-9]/.test(letter)) throw new PatternError(`"\\${letter}" is no escape`)
    return codeOf(letter)
  }

  /** `\p{L}`, `\pL`, `\P{Greek}`: general categories and scripts. Undefined for other names, as in Python. */
  #property(letter: string): Accepts | undefined {
    if (!this.#hasProperties || !/[pP]/.test(letter)) return undefined
    const name = this.#match(/\{/uy) ? this.#until('}') : this.#next()
    const found = [name, `Script=${name}`].find(each => /^\w+(=\w+)?$/.test(name) && isProperty(each))
    if (found === undefined) throw new PatternError(`"${name}" is no property of characters`)
    return acceptClass(new RegExp(`^\\p{${found}}$`, 'u'), letter === 'p')
  }
}

/** `$` also matches before the line break at the end of a text. */
function isLineEnd(codes: readonly number[], at: number, isMultiline: boolean): boolean {
  if (at === codes.length) return true
  return codes[at] === newline && (isMultiline || at === codes.length - 1)
}

function groupName(name: string): string {
  if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name))
    throw new PatternError(`"${name}" is no name of a group`)
  return name
}

/**
 * Letters, digits and blanks of Python's `re`, and those of them under `(?a)`. `\x1c` to `\x1f` and `\x85` are blanks
 * in Python; the byte order mark is one in JavaScript only. Combining marks are no letters.
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

/** `\b`, or `\B` if not wanted. In Python neither matches in an empty text. */
function wordBorder(flags: Flags, isWanted: boolean): Holds {
  const isWord = characterClass('w', flags)
  const within = (code: number | undefined) => code !== undefined && isWord?.(code) === true
  return (codes, at) => codes.length > 0 && (within(codes[at - 1]) !== within(codes[at])) === isWanted
}

function one(code: number, flags: Flags): Node {
  return { type: 'one', accepts: acceptRange(code, code, flags) }
}

/** Letters that Python's `(?i)` treats as equal, and JavaScript does not. [CPython Lib/re/_casefix.py] */
const pythonTwins = ['iI\u0131\u0130', '\u0390\u1fd3', '\u03b0\u1fe3', '\ufb05\ufb06'].map(letters =>
  Array.from(letters, codeOf),
)

/** Accepts a range of code points and, under `(?i)`, what differs in case alone from one within it. */
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
