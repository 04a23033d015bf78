/** An expression as it is read: ready to be searched, or why only the service can. */
export type Parsed = { readonly node: Node } | { readonly whyOpen: string }

/**
 * Reads a regular expression like Python's `re`, which the service uses; `\p{L}` too on request. Throws a
 * `PatternError` if Python refuses it. If Python's versions differ, only the service can evaluate it.
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
  /** Flags that the expression sets for all of itself. */
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

  /** `flags` are those of the surrounding group; undefined for the whole expression, which sets its own. */
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
    // Greedy or reluctant changes the matched part, never whether anything matches.
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

/** `$` also matches before the line break at the end of a text. */
function isLineEnd(codes: readonly number[], at: number, isMultiline: boolean): boolean {
  if (at === codes.length) return true
  return codes[at] === newline && (isMultiline || at === codes.length - 1)
}

/** Reads the content of a group, under its own flags. */
export type ParseInner = (flags: Flags) => Node

/** The result of an opening parenthesis: a part of the expression, nothing, or flags for the rest. */
export type Group = { readonly node: Node | undefined; readonly flags?: Flags }

type Flag = keyof Flags

const nothing: Node = { type: 'all', parts: [] }

/**
 * The syntax after an opening parenthesis. [Python `re`: "(?...)"]
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
function parseGroup(reading: Reading, flags: Flags, isFirst: boolean, inner: ParseInner): Group {
  const { scanner } = reading
  if (!scanner.take('?')) return { node: captured(reading, flags, inner) }
  const letter = scanner.next()
  switch (letter) {
    case 'P':
      return { node: parseNamed(reading, flags, inner) }
    case ':':
      return { node: closed(reading, flags, inner) }
    case '#':
      scanner.until(')')
      return { node: undefined }
    case '=':
    case '!':
    case '<':
      if (letter === '<' && !/[=!]/.test(scanner.next())) throw unknownGroup('<')
      reading.leaveOpen('it looks around')
      return { node: closed(reading, flags, inner) }
    case '>':
      reading.leaveOpen('it has an atomic group')
      return { node: closed(reading, flags, inner) }
    case '(':
      return { node: parseConditional(reading, flags, inner) }
    default:
      return parseFlags(reading, letter, flags, isFirst, inner)
  }
}

function parseNamed(reading: Reading, flags: Flags, inner: ParseInner): Node {
  const { scanner } = reading
  if (scanner.take('<')) return captured(reading, flags, inner, groupName(scanner.until('>')))
  if (!scanner.take('=')) throw unknownGroup('P')
  reading.refer(groupName(scanner.until(')')))
  return nothing
}

/** `(?(1)yes|no)`: at most two alternatives; an earlier group decides between them. */
function parseConditional(reading: Reading, flags: Flags, inner: ParseInner): Node {
  const condition = reading.scanner.until(')')
  reading.refer(/^\d+$/.test(condition) ? Number(condition) : groupName(condition))
  const node = closed(reading, flags, inner)
  if (node.type === 'any' && node.options.length > 2)
    throw new PatternError('a conditional group has at most two alternatives')
  return node
}

function parseFlags(
  reading: Reading,
  first: string,
  before: Flags,
  isFirst: boolean,
  inner: ParseInner,
): Group {
  const { scanner } = reading
  const letters = first + scanner.while(/[a-zA-Z-]/)
  const [, on = '', off] = /^([aimsux]*)(?:-([imsx]+))?$/.exec(letters) ?? []
  const isKnown = letters === `${on}${off === undefined ? '' : `-${off}`}` && letters !== ''
  if (!isKnown) throw unknownGroup(letters)
  const isGlobal = scanner.peek() === ')'
  if (/a.*u|u.*a/.test(on) || (isGlobal && before.a && on.includes('u')))
    throw new PatternError('the flags "a" and "u" exclude each other')
  const flags = { ...before }
  for (const flag of on) if (flag !== 'u') flags[flag as Flag] = true
  if (on.includes('u')) flags.a = false
  if (scanner.take(')') && off === undefined) {
    // Since Python 3.11 an error; before, flags for the whole expression at any place.
    if (!isFirst) reading.leaveOpen('it has flags for the whole of it that are not at its start')
    return { node: undefined, flags }
  }
  if (!scanner.take(':')) throw new PatternError('flags end in ":" or ")"')
  for (const flag of off ?? '') {
    if (on.includes(flag)) throw new PatternError(`the flag "${flag}" is turned on and off`)
    flags[flag as Flag] = false
  }
  return { node: closed(reading, flags, inner) }
}

function captured(reading: Reading, flags: Flags, inner: ParseInner, name?: string): Node {
  const group = reading.openGroup(name)
  const node = closed(reading, flags, inner)
  reading.closeGroup(group)
  return node
}

function closed({ scanner }: Reading, flags: Flags, inner: ParseInner): Node {
  const node = inner(flags)
  if (!scanner.take(')')) throw new PatternError('a parenthesis is not closed')
  return node
}

function groupName(name: string): string {
  if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name))
    throw new PatternError(`"${name}" is no name of a group`)
  return name
}

function unknownGroup(letters: string): PatternError {
  return new PatternError(
    letters === '<' ? 'groups are named as (?P<name>...)' : `"(?${letters}" opens no group`,
  )
}

/** The content of square brackets. A closing bracket that comes first is a member. [Python `re`] */
function parseSet(reading: Reading, flags: Flags): Accepts {
  const { scanner } = reading
  const isNegated = scanner.take('^')
  const members: Accepts[] = []
  while (members.length === 0 || !scanner.take(']')) members.push(parseMember(reading, flags))
  return code => members.some(accepts => accepts(code)) !== isNegated
}

function parseMember(reading: Reading, flags: Flags): Accepts {
  const { scanner } = reading
  const low = parseSymbol(reading, flags)
  const high = scanner.attempt(() =>
    // A hyphen before the closing bracket is a hyphen.
    scanner.take('-') && scanner.peek() !== ']' ? parseSymbol(reading, flags) : undefined,
  )
  if (high === undefined) return typeof low === 'number' ? acceptOne(low, flags) : low
  if (typeof low !== 'number' || typeof high !== 'number' || high < low)
    throw new PatternError('a range in brackets goes from one character to a later one')
  return acceptRange(low, high, flags)
}

function parseSymbol(reading: Reading, flags: Flags): number | Accepts {
  const symbol = reading.scanner.next()
  return symbol === '\\' ? parseSetEscape(reading, flags) : (symbol.codePointAt(0) ?? 0)
}

/** The escapes that are one code point. [Python `re`] */
const controls: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
  ['\\', 92],
])
const hexadecimalDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])
const octal = /[0-7]/
const lastCode = 0x10ffff

/** The character after a backslash outside a set. */
function parseEscape(reading: Reading, flags: Flags): Node {
  const { scanner } = reading
  const letter = scanner.next()
  switch (letter) {
    case 'A':
      return { type: 'assert', holds: (_codes, at) => at === 0 }
    case 'Z':
      return { type: 'assert', holds: (codes, at) => at === codes.length }
    case 'b':
    case 'B':
      return { type: 'assert', holds: wordBorder(flags, letter === 'b') }
    default: {
      const accepts = characterClass(letter, flags) ?? unicodeProperty(reading, letter)
      if (accepts) return { type: 'one', accepts }
      if (/[1-9]/.test(letter)) return parseNumber(reading, letter, flags)
      const code = letter === '0' ? octalCode(scanner.while(octal, 2) || '0') : codeAfter(reading, letter)
      return { type: 'one', accepts: acceptOne(code, flags) }
    }
  }
}

/** The character after a backslash in a set: one code point, or a class of them. */
function parseSetEscape(reading: Reading, flags: Flags): number | Accepts {
  const { scanner } = reading
  const letter = scanner.next()
  const accepts = characterClass(letter, flags) ?? unicodeProperty(reading, letter)
  if (accepts) return accepts
  if (octal.test(letter)) return octalCode(letter + scanner.while(octal, 2))
  return controls.get(letter) ?? codeAfter(reading, letter)
}

function codeAfter(reading: Reading, letter: string): number {
  const control = controls.get(letter)
  if (control !== undefined) return control
  const length = hexadecimalDigits.get(letter)
  if (length !== undefined) return hexadecimalCode(reading.scanner, letter, length)
  if (letter === 'N') {
    reading.leaveOpen('it names a character by its Unicode name')
    reading.scanner.until('}')
    return 0
  }
  if (/[A-Za-z0-9]/.test(letter)) throw new PatternError(`"\\${letter}" is no escape`)
  return letter.codePointAt(0) ?? 0
}

function hexadecimalCode(scanner: Scanner, letter: string, length: number): number {
  const digits = scanner.while(/[0-9a-fA-F]/, length)
  const code = Number.parseInt(digits, 16)
  if (digits.length !== length || code > lastCode)
    throw new PatternError(`"\\${letter}${digits}" is no code point`)
  return code
}

/** Three octal digits are a code point, anything else is the number of a group. */
function parseNumber(reading: Reading, first: string, flags: Flags): Node {
  const { scanner } = reading
  const two = first + scanner.while(/[0-9]/, 1)
  const three = /^[0-7]{2}$/.test(two) ? two + scanner.while(octal, 1) : two
  if (three.length === 3) return { type: 'one', accepts: acceptOne(octalCode(three), flags) }
  reading.refer(Number(two))
  return { type: 'all', parts: [] }
}

function octalCode(digits: string): number {
  const code = Number.parseInt(digits, 8)
  if (code > 0o377) throw new PatternError(`"\\${digits}" is past the octal escapes`)
  return code
}

/**
 * Letters, digits and blanks of Python's `re`. [Python `re`: "Regular Expression Syntax"]
 *
 * | class | Unicode (the default)                     | under `(?a)`      |
 * |-------|-------------------------------------------|-------------------|
 * | `\w`  | letters and numbers of any script, and _  | `[a-zA-Z0-9_]`    |
 * | `\d`  | decimal digits of any script              | `[0-9]`           |
 * | `\s`  | as in `str.isspace`                       | `[ \t\n\r\f\v]`   |
 *
 * Combining marks are no letters, so `\w` does not match the second half of a decomposed `ü`.
 */
function characterClass(letter: string, { a }: Flags): Accepts | undefined {
  switch (letter) {
    case 'w':
      return a ? isAsciiWord : isWord
    case 'd':
      return a ? isAsciiDigit : isDigit
    case 's':
      return a ? isAsciiSpace : isSpace
    case 'W':
    case 'D':
    case 'S': {
      const positive = characterClass(letter.toLowerCase(), a ? asciiFlags : unicodeFlags)
      return positive && (code => !positive(code))
    }
    default:
      return undefined
  }
}

/** `\p{L}`, `\pL`, `\P{Greek}`: general categories and scripts. Undefined for other names, as in Python. */
function unicodeProperty({ scanner, hasProperties }: Reading, letter: string): Accepts | undefined {
  if (!hasProperties || !/[pP]/.test(letter)) return undefined
  const name = scanner.take('{') ? scanner.until('}') : scanner.next()
  const found = [name, `Script=${name}`].find(each => /^\w+(=\w+)?$/.test(name) && isProperty(each))
  if (found === undefined) throw new PatternError(`"${name}" is no property of characters`)
  const property = new RegExp(`^\\p{${found}}$`, 'u')
  return code => property.test(String.fromCodePoint(code)) === (letter === 'p')
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'u').source !== ''
  } catch {
    return false
  }
}

/** `\b`, or `\B` if not wanted. In Python neither matches in an empty text. */
function wordBorder({ a }: Flags, isWanted: boolean): Holds {
  const isIn = a ? isAsciiWord : isWord
  const within = (code: number | undefined) => code !== undefined && isIn(code)
  return (codes, at) => codes.length > 0 && (within(codes[at - 1]) !== within(codes[at])) === isWanted
}

const none = { i: false, m: false, s: false, x: false }
const asciiFlags: Flags = { ...none, a: true }
const unicodeFlags: Flags = { ...none, a: false }

const words = /^[\p{L}\p{N}_]$/u
const digits = /^\p{Nd}$/u
/** `\x1c` to `\x1f` and `\x85` are blanks in Python; the byte order mark is one in JavaScript only. */
const blanks = /^[\t-\r\x1c-\x20\x85\p{Zs}\u2028\u2029]$/u

const isWord: Accepts = code => words.test(String.fromCodePoint(code))
const isDigit: Accepts = code => digits.test(String.fromCodePoint(code))
const isSpace: Accepts = code => blanks.test(String.fromCodePoint(code))
const isAsciiDigit: Accepts = code => isBetween(code, 48, 57)
const isAsciiSpace: Accepts = code => isBetween(code, 9, 13) || code === 32
const isAsciiWord: Accepts = code =>
  isAsciiDigit(code) || isBetween(code, 65, 90) || isBetween(code, 97, 122) || code === 95

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high
}

/** An expression that is being read: the position, its groups, and why it cannot be searched here. */
class Reading {
  readonly scanner: Scanner
  readonly #names = new Map<string, number>()
  readonly #open = new Set<number>()
  #groups = 0
  #why: string | undefined

  /** Whether `\p{L}` is a class of characters, as it is outside of Python. */
  readonly hasProperties: boolean

  constructor(text: string, hasProperties: boolean) {
    this.hasProperties = hasProperties
    this.scanner = new Scanner(text)
  }

  /** Why the expression can be read but not searched; undefined if it can be searched. */
  get whyOpen(): string | undefined {
    return this.#why
  }

  /** Reading continues, since a later error would decide; the first reason is kept. */
  leaveOpen(why: string): void {
    this.#why ??= why
  }

  openGroup(name?: string): number {
    const group = ++this.#groups
    this.#open.add(group)
    if (name === undefined) return group
    if (this.#names.has(name)) throw new PatternError(`the group name "${name}" is there twice`)
    this.#names.set(name, group)
    return group
  }

  closeGroup(group: number): void {
    this.#open.delete(group)
  }

  /** Reads a reference to a group by its number or name: the group must exist and be closed. */
  refer(group: number | string): void {
    const number = typeof group === 'string' ? this.#names.get(group) : group
    if (number === undefined || number < 1 || number > this.#groups || this.#open.has(number))
      throw new PatternError(`there is no closed group "${group}" to refer to`)
    this.leaveOpen('it refers back to a group')
  }
}

/** Reads the code points of an expression one after the other. */
class Scanner {
  readonly #symbols: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#symbols = Array.from(text)
  }

  peek(): string | undefined {
    return this.#symbols[this.#at]
  }

  /** The next symbol; an error if there is none. */
  next(): string {
    const symbol = this.#symbols[this.#at]
    if (symbol === undefined) throw new PatternError('it ends too early')
    this.#at++
    return symbol
  }

  /** Reads a symbol if it comes next. */
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

  /** Reads up to a symbol, inclusive; an error if it is missing. */
  until(symbol: string): string {
    let text = ''
    for (let next = this.next(); next !== symbol; next = this.next()) text += next
    return text
  }

  /** Reads something, or goes back to the start if that fails. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.#at
    const result = read()
    if (result === undefined) this.#at = start
    return result
  }
}

/**
 * Small letters that `(?i)` treats as equal although neither is the other's capital: those that share one.
 * [CPython Lib/re/_casefix.py]
 */
const sharedCapitals = (
  'iı sſ µμ \u0345ι\u1fbe \u0390\u1fd3 \u03b0\u1fe3 βϐ εϵ θϑ κϰ πϖ ρϱ ςσ φϕ ' +
  'в\u1c80 д\u1c81 о\u1c82 с\u1c83 т\u1c84\u1c85 ъ\u1c86 ѣ\u1c87 \u1c88\ua64b ṡẛ \ufb05\ufb06'
).split(' ')

const twins: ReadonlyMap<number, readonly number[]> = new Map(
  sharedCapitals.flatMap(letters => {
    const codes = Array.from(letters, codeOf)
    return codes.map(code => [code, codes] as const)
  }),
)

/** No letter above this has capitals. */
const lastCased = 0x1e943

/** Accepts one code point and, under `(?i)`, those that differ from it in case alone. */
function acceptOne(wanted: number, flags: Flags): Accepts {
  return flags.i ? acceptRange(wanted, wanted, flags) : code => code === wanted
}

/** Accepts a range of code points and, under `(?i)`, what differs in case alone from one within it. */
function acceptRange(low: number, high: number, { i, a }: Flags): Accepts {
  const isWithin: Accepts = code => code >= low && code <= high
  if (!i) return isWithin
  const small = new Set<number>()
  for (let code = low; code <= Math.min(high, lastCased); code++)
    for (const twin of twinsOf(lower(code, a), a)) small.add(twin)
  return code => small.has(lower(code, a)) || (code > lastCased && isWithin(code))
}

function twinsOf(small: number, isAscii: boolean): readonly number[] {
  return (isAscii ? undefined : twins.get(small)) ?? [small]
}

/** The small letter of a capital: one code point for each capital, as in Python. */
function lower(code: number, isAscii: boolean): number {
  if (isAscii) return code >= 65 && code <= 90 ? code + 32 : code
  return codeOf(String.fromCodePoint(code).toLowerCase())
}

function codeOf(symbol: string): number {
  return symbol.codePointAt(0) ?? 0
}

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

/** The active flags at one place of an expression, by the letters that Python gives them. */
interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
  readonly x: boolean
  readonly a: boolean
}

/** A text that is no regular expression of Python's `re`; the message has the reason. */
export class PatternError extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'PatternError'
  }
}
