import type { Problem, Source } from '../../model/problem.ts'
import type { Json } from '../../model/text/json.ts'
import { pointerInto } from '../../model/text/pointer.ts'
import { lineStartsOf, positionAt } from '../../model/text/text-position.ts'
import { compose, type Node, offsetAt, outlineOf, type ParseProblem, textAt } from './compose.ts'
import { plainNumber, readNumber, specialNames } from './read-scalar.ts'

export interface ParsedYaml {
  readonly file: string
  readonly text: string
  /** Undefined if the text is unusable; null if it is empty. */
  readonly value: Json | undefined
  readonly problems: readonly Problem[]
  /** The position of a value, or of its key. */
  locate(pointer: string, at?: 'key' | 'value'): Source
  /** The source text of a scalar; undefined if the value is not a scalar, or does not exist. */
  textAt(pointer: string): string | undefined
}

/** Parses a text, or returns an earlier result for the same text. */
export type ParseYaml = (text: string, file: string) => ParsedYaml

/**
 * Parses YAML 1.2 (so `no` is text) with merge keys. Every error in the text becomes a problem. No text can
 * make this throw, run forever or change an object's prototype.
 */
export function parseYaml(text: string, file: string): ParsedYaml {
  const { value, problems, outline, root } = readText(text)
  let lineStarts: readonly number[] | undefined
  const sourceAt = (offset: number): Source => {
    lineStarts ??= lineStartsOf(text)
    const { line, column } = positionAt(lineStarts, offset)
    return { file, line, column }
  }
  const offsetOf = (pointer: string, at: 'key' | 'value') => {
    const node = root()
    return node ? offsetAt(node, pointer, at) : 0
  }
  return {
    file,
    text,
    value,
    problems: problems.map(({ offset, ...problem }) => ({ ...problem, source: sourceAt(offset) })),
    locate: (pointer, at = 'value') => {
      const known = at === 'key' ? outline.get(pointer) : undefined
      return sourceAt(known ?? offsetOf(pointer, at))
    },
    textAt: pointer => {
      const node = root()
      return node && textAt(node, text, pointer)
    },
  }
}

interface Reading {
  readonly value: Json | undefined
  readonly problems: readonly ParseProblem[]
  /** The offsets of the keys of the first two levels, by pointer. */
  readonly outline: ReadonlyMap<string, number>
  readonly root: () => Node | undefined
}

function readText(text: string): Reading {
  if (holdsTooMuch(text))
    return { value: undefined, problems: [tooMuch], outline: new Map(), root: () => undefined }
  const plain = readPlainly(text)
  if (plain) return { ...plain, problems: [], root: composedAgain(text) }
  const { value, problems, root } = compose(text)
  return {
    value,
    problems,
    outline: outlineOf(root),
    root: root ? composedAgain(text, root) : () => undefined,
  }
}

/**
 * Nodes that may be dropped and composed again: they take ten times the memory of the text. Most files only
 * need the positions of their objects, which the outline contains.
 */
function composedAgain(text: string, first?: Node): () => Node | undefined {
  let kept = first && new WeakRef(first)
  return () => {
    const node = kept?.deref() ?? compose(text).root
    kept = node && new WeakRef(node)
    return node
  }
}

/** For lines and commas: reading more would take seconds and gigabytes; 100,000 flags have fewer. */
const mostBreaks = 2_000_000

const tooMuch: ParseProblem = {
  code: 'too-many-values',
  severity: 'error',
  message: 'this file contains more than two million lines and commas',
  hint: 'split the file into several',
  offset: 0,
}

/** Whether a text is refused because of its size. */
function holdsTooMuch(text: string): boolean {
  // Each line break and comma is a character.
  if (text.length <= mostBreaks) return false
  let count = 0
  for (const mark of ['\n', ',']) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count += 1
  }
  return count > mostBreaks
}

/** The value of a text without unusual syntax. */
export interface PlainReading {
  readonly value: Json
  /** The offsets of the keys of the first two levels, as in `Positions.outline`. */
  readonly outline: ReadonlyMap<string, number>
}

/**
 * Reads ordinary YAML, which most files contain, in a fifth of the library's time; undefined for any other
 * text, which only the library reads and checks. Every text that this accepts, the library reads as the same
 * value without a problem: a property test compares the two.
 *
 * | taken                                                     | left to the library                         |
 * |-----------------------------------------------------------|---------------------------------------------|
 * | maps and lists of one element a line, comments            | tabs, CRLF, documents, directives           |
 * | maps and lists in brackets that end on their line         | brackets over several lines, empty elements |
 * | plain keys                                                | quoted and complex keys, merge keys         |
 * | plain and quoted texts that end on their line             | texts over several lines                    |
 * | `true`, `false`, `null`, numbers that are sent as written | other spellings of these                    |
 * |                                                           | anchors, aliases, tags, duplicate keys      |
 */
export function readPlainly(text: string): PlainReading | undefined {
  if (unusual.test(text)) return undefined
  try {
    return new PlainReader(text).read()
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}

/** Characters other than the line feed and those without a special meaning for any reader. */
const unusual = /[^\n\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u058f\u3041-\ud7a3\u{1f300}-\u{1faff}]/u

/** The deepest nesting in this reader; the library allows far more. */
const deepestPlain = 40

type Members = Record<string, Json>

/** Reads from its position on. A value has a pointer while the outline needs it, and undefined below. */
class PlainReader {
  readonly #text: string
  readonly #outline = new Map<string, number>()
  #at = 0
  /** The column of the current line's content, after dashes; -1 after the last line. */
  #indent = 0
  #depth = 0
  /** For each depth, the key that followed another one the last time; after "" the first of a map. */
  readonly #following = Array.from({ length: deepestPlain + 1 }, () => new Map<string, string>())
  /** Texts that were read as themselves. */
  readonly #texts: (string | undefined)[] = Array.from({ length: slots })

  constructor(text: string) {
    this.#text = text
  }

  read(): PlainReading {
    this.#at = this.#text.startsWith('---\n') ? 4 : 0
    this.#toContent()
    if (this.#indent !== 0) throw new NotPlain()
    const value = this.#mapping('')
    return { value, outline: this.#outline }
  }

  /** Reads the text that a pattern matches here. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#text)) throw new NotPlain()
    const start = this.#at
    this.#at = pattern.lastIndex
    return this.#text.slice(start, this.#at)
  }

  /** Moves from the start of a line to the next content. */
  #toContent(): void {
    let start = this.#at
    this.#skipSpaces()
    while (this.#is(newline) || this.#is(numberSign)) {
      start = this.#nextLine()
      this.#skipSpaces()
    }
    this.#indent = this.#at < this.#text.length ? this.#at - start : -1
  }

  /** Moves to the next line with content; the rest of this line may only contain a comment. */
  #endLine(): boolean {
    const start = this.#at
    this.#skipSpaces()
    const isComment = this.#is(numberSign) && this.#text.charCodeAt(this.#at - 1) === space
    if (isComment || this.#is(newline) || this.#at >= this.#text.length) {
      this.#nextLine()
      this.#toContent()
      return true
    }
    this.#at = start
    return false
  }

  #nextLine(): number {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end === -1 ? this.#text.length : end + 1
    return this.#at
  }

  #skipSpaces(): void {
    while (this.#is(space)) this.#at += 1
  }

  #is(code: number): boolean {
    return this.#text.charCodeAt(this.#at) === code
  }

  #mapping(pointer: string | undefined): Members {
    this.#enter()
    const indent = this.#indent
    const members: Members = {}
    let name = ''
    do {
      const start = this.#at
      name = this.#key(members, name)
      members[name] = this.#member(indent, this.#outlined(pointer, name, start))
    } while (this.#indent === indent)
    this.#leave(indent)
    return members
  }

  /** The value of a member, on the line of its key or on the lines below. */
  #member(indent: number, pointer: string | undefined): Json {
    if (!this.#endLine()) return this.#wholeLine(indent, pointer)
    if (this.#indent > indent) return this.#block(pointer)
    return this.#indent === indent && this.#isElement() ? this.#sequence(pointer) : null
  }

  #block(pointer: string | undefined): Json {
    return this.#isElement() ? this.#sequence(pointer) : this.#mapping(pointer)
  }

  #isElement(): boolean {
    if (!this.#is(dash)) return false
    const next = this.#text.charCodeAt(this.#at + 1)
    return next === space || next === newline
  }

  #sequence(pointer: string | undefined): Json[] {
    this.#enter()
    const indent = this.#indent
    const elements: Json[] = []
    do {
      this.#at += 1
      const isBelow = this.#endLine()
      if (!isBelow) {
        const start = this.#at
        this.#skipSpaces()
        this.#indent += this.#at - start + 1
      }
      // An empty value has no position of its own.
      if (this.#indent <= indent) throw new NotPlain()
      const inside = this.#outlined(pointer, elements.length, this.#at)
      elements.push(isBelow ? this.#block(inside) : this.#element(indent, inside))
    } while (this.#indent === indent && this.#isElement())
    this.#leave(indent)
    // A growing list reserves space for 17 elements; a copy does not.
    return elements.slice()
  }

  #element(indent: number, pointer: string | undefined): Json {
    key.lastIndex = this.#at
    return key.test(this.#text) ? this.#mapping(pointer) : this.#wholeLine(indent, pointer)
  }

  /** A value that ends on its line; a more indented next line would belong to it. */
  #wholeLine(indent: number, pointer: string | undefined): Json {
    this.#skipSpaces()
    const value = this.#inline(false, pointer)
    if (!this.#endLine() || this.#indent > indent) throw new NotPlain()
    return value
  }

  #inline(isFlow: boolean, pointer: string | undefined): Json {
    switch (this.#text.charCodeAt(this.#at)) {
      case bracket:
        return this.#flowSequence(pointer)
      case brace:
        return this.#flowMapping(pointer)
      case doubleQuote:
      case singleQuote:
        return quotedText(this.#take(quoted))
      default:
        return this.#plain(isFlow)
    }
  }

  /** A value without quotes, up to a comment or the end of its line; in brackets, up to a comma or a bracket. */
  #plain(isFlow: boolean): Json {
    const [text, start] = [this.#text, this.#at]
    let end = start
    for (; end < text.length; end += 1) {
      const code = text.charCodeAt(end)
      if (code === newline || (isFlow && flowMarks.includes(code))) break
      // Only a pattern finds the end of a text with these.
      if (code === colon || code === numberSign)
        return plainValue(this.#take(isFlow ? flowText : lineText).trimEnd())
    }
    if (end === start) throw new NotPlain()
    this.#at = end
    while (text.charCodeAt(end - 1) === space) end -= 1
    // Most texts were read before: finding one takes less time than making it, and one string is kept of many.
    const middle = text.charCodeAt((start + end) >> 1)
    const slot =
      (text.charCodeAt(start) * 31 + middle * 17 + text.charCodeAt(end - 1) * 7 + end - start) % slots
    const known = this.#texts[slot]
    if (known?.length === end - start && text.startsWith(known, start)) return known
    const value = plainValue(text.slice(start, end))
    if (typeof value === 'string') this.#texts[slot] = value
    return value
  }

  #flowSequence(pointer: string | undefined): Json[] {
    this.#enter()
    const elements: Json[] = []
    this.#at += 1
    this.#skipSpaces()
    while (!this.#is(endBracket)) {
      elements.push(this.#inline(true, this.#outlined(pointer, elements.length, this.#at)))
      this.#nextInFlow(endBracket)
    }
    this.#at += 1
    this.#depth -= 1
    return elements.slice()
  }

  #flowMapping(pointer: string | undefined): Members {
    this.#enter()
    const members: Members = {}
    let name = ''
    this.#at += 1
    this.#skipSpaces()
    while (!this.#is(endBrace)) {
      const start = this.#at
      name = this.#key(members, name)
      const inside = this.#outlined(pointer, name, start)
      this.#skipSpaces()
      members[name] = this.#inline(true, inside)
      this.#nextInFlow(endBrace)
    }
    this.#at += 1
    this.#depth -= 1
    return members
  }

  /** Moves to the next value in brackets, or to the closing bracket. */
  #nextInFlow(closing: number): void {
    this.#skipSpaces()
    if (this.#is(closing)) return
    if (!this.#is(comma)) throw new NotPlain()
    this.#at += 1
    this.#skipSpaces()
  }

  /** Most maps have the keys of one before at the same depth, in the same order. */
  #key(members: Members, previous: string): string {
    const following = this.#following[this.#depth]
    const expected = following?.get(previous)
    const name = expected !== undefined && this.#isKey(expected) ? expected : this.#newKey()
    if (name !== expected) following?.set(previous, name)
    this.#at += name.length + 1
    if (Object.hasOwn(members, name)) throw new NotPlain()
    return name
  }

  #isKey(name: string): boolean {
    const end = this.#at + name.length
    if (this.#text.charCodeAt(end) !== colon || !this.#text.startsWith(name, this.#at)) return false
    const next = this.#text.charCodeAt(end + 1)
    return next === space || next === newline
  }

  #newKey(): string {
    const name = this.#take(key)
    if (name.length > longestKey || specialNames.has(name)) throw new NotPlain()
    this.#at -= name.length
    return name
  }

  /** Notes the position of a member; returns the pointer for its own members. */
  #outlined(pointer: string | undefined, name: string | number, at: number): string | undefined {
    if (pointer === undefined) return undefined
    const member = pointerInto(pointer, name)
    this.#outline.set(member, at)
    return pointer === '' ? member : undefined
  }

  #enter(): void {
    this.#depth += 1
    if (this.#depth > deepestPlain) throw new NotPlain()
  }

  #leave(indent: number): void {
    this.#depth -= 1
    if (this.#indent > indent) throw new NotPlain()
  }
}

const [newline, space, doubleQuote, numberSign, singleQuote, comma, dash, colon] = [
  10, 32, 34, 35, 39, 44, 45, 58,
]
const [bracket, endBracket, brace, endBrace] = [91, 93, 123, 125]
const flowMarks = [comma, bracket, endBracket, brace, endBrace]
const slots = 256

/** An unambiguous plain key before its colon. */
const key = /[\w$\x80-\uffff](?:[\w$ \-./\x80-\uffff]|:(?![ \n]|$))*(?<! )(?=:(?:[ \n]|$))/y
const lineText = /(?:[^\n:#]+|:(?![ \n]|$)|(?<! )#)+/y
const flowText = /(?:[^\n:#,[\]{}]+|:(?![ \n,[\]{}]|$)|(?<! )#)+/y
/** A text in quotes on one line. */
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'/y

/** Thrown if only the library can read the text. */
class NotPlain extends Error {
  override readonly name = 'NotPlain'
}

const longestKey = 200

const numberStart = /^[\d-]/
const textStart = /^[\w$(/\x80-\uffff]/
const word = /^(?:true|false|null)$/i

/** The value of an unambiguous plain scalar. */
function plainValue(text: string): Json {
  if (numberStart.test(text)) return plainNumber.test(text) ? Number(text) : textOfNumber(text)
  if (!textStart.test(text)) throw new NotPlain()
  if (text.length > 5 || !word.test(text)) return text
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null') return null
  throw new NotPlain()
}

/** Returns the text if it is not a number: a date or a version also begins with a digit. */
function textOfNumber(text: string): string {
  // A dash alone is an element, and a dash before a point may be an infinite number.
  if (!/^-?\d/.test(text) || isNumber(text)) throw new NotPlain()
  return text
}

function isNumber(text: string): boolean {
  try {
    return readNumber(text) !== undefined
  } catch {
    return true
  }
}

function quotedText(written: string): string {
  const inside = written.slice(1, -1)
  if (written.startsWith("'")) return inside.includes("'") ? inside.replaceAll("''", "'") : inside
  if (!inside.includes('\\')) return inside
  // JSON escapes mean the same in YAML. `\u` may be half a character, which only the library checks.
  if (inside.includes('\\u')) throw new NotPlain()
  try {
    return JSON.parse(written)
  } catch {
    throw new NotPlain()
  }
}
