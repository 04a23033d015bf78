import type { Json } from '../../model/json/json.ts'
import { pointerInto } from '../../model/json/pointer.ts'
import { plainNumber, readNumber, specialNames } from './read-scalar.ts'

/** The value of a text without unusual syntax. */
export interface PlainReading {
  readonly value: Json
  /** The offsets of the keys of the first two levels, as `Positions.outline` has them. */
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

/** Everything but the line feed and characters without a special meaning for any reader. */
const unusual = /[^\n\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u058f\u3041-\ud7a3\u{1f300}-\u{1faff}]/u

/** Much less than the library allows. */
const deepestPlain = 40

type Members = Record<string, Json>

/**
 * Its position is at the content of a line. Each value gets the pointer of its map or list as far
 * as the outline goes, and undefined below.
 */
class PlainReader {
  readonly #text: string
  readonly #outline = new Map<string, number>()
  /** The offset and column of the current line's content; -1 after the last line. */
  #at = 0
  #indent = 0
  /** The end of the last value, if it is on one line. */
  #end = 0
  #depth = 0
  readonly #elements = new OpenElements()

  constructor(text: string) {
    this.#text = text
  }

  read(): PlainReading {
    this.#toLine(this.#text.startsWith('---\n') ? 4 : 0)
    if (this.#indent !== 0) throw new NotPlain()
    const value = this.#mapping(0, '')
    return { value, outline: this.#outline }
  }

  /** Goes on to the first line with content from an offset on. */
  #toLine(from: number): void {
    const text = this.#text
    for (let start = from; start < text.length; ) {
      const at = this.#behindSpaces(start)
      const code = text.charCodeAt(at)
      if (at < text.length && code !== newline && code !== hash) {
        this.#at = at
        this.#indent = at - start
        return
      }
      const end = text.indexOf('\n', at)
      start = end < 0 ? text.length : end + 1
    }
    this.#at = text.length
    this.#indent = -1
  }

  #behindSpaces(from: number): number {
    let at = from
    while (this.#text.charCodeAt(at) === space) at += 1
    return at
  }

  /** Whether the rest of a line is only a comment. */
  #endsLine(at: number, from: number): boolean {
    if (at >= this.#text.length) return true
    const code = this.#text.charCodeAt(at)
    return code === newline || (code === hash && at > from)
  }

  #mapping(indent: number, pointer: string | undefined): Members {
    this.#enter()
    const members: Members = {}
    do {
      const start = this.#at
      const end = this.#keyEnd(start)
      if (end < 0) throw new NotPlain()
      const key = this.#key(members, start, end)
      const inside = this.#outlined(pointer, key, start)
      members[key] = this.#memberAfter(end + 1, indent, inside)
    } while (this.#indent === indent)
    this.#leave(indent)
    return members
  }

  /** The value of a member, on the line of its key from an offset on or on those below. */
  #memberAfter(from: number, indent: number, pointer: string | undefined): Json {
    const at = this.#behindSpaces(from)
    if (!this.#endsLine(at, from)) return this.#wholeLine(at, indent, pointer)
    this.#toLine(at)
    if (this.#indent > indent) return this.#block(pointer)
    return this.#indent === indent && this.#isElement() ? this.#sequence(indent, pointer) : null
  }

  #block(pointer: string | undefined): Json {
    return this.#isElement() ? this.#sequence(this.#indent, pointer) : this.#mapping(this.#indent, pointer)
  }

  #isElement(): boolean {
    if (this.#text.charCodeAt(this.#at) !== dash) return false
    const next = this.#text.charCodeAt(this.#at + 1)
    return next === space || next === newline
  }

  #sequence(indent: number, pointer: string | undefined): Json[] {
    this.#enter()
    const first = this.#elements.count
    do {
      const at = this.#behindSpaces(this.#at + 1)
      const isBelow = this.#endsLine(at, this.#at)
      if (isBelow) this.#toLine(at)
      else {
        this.#indent += at - this.#at
        this.#at = at
      }
      // An empty value has no position of its own.
      if (this.#indent <= indent) throw new NotPlain()
      const inside = this.#outlined(pointer, this.#elements.count - first, this.#at)
      this.#elements.add(this.#element(isBelow, indent, inside))
    } while (this.#indent === indent && this.#isElement())
    this.#leave(indent)
    return this.#elements.takeFrom(first)
  }

  #element(isBelow: boolean, indent: number, pointer: string | undefined): Json {
    if (isBelow) return this.#block(pointer)
    if (this.#keyEnd(this.#at) >= 0) return this.#mapping(this.#indent, pointer)
    return this.#wholeLine(this.#at, indent, pointer)
  }

  /** A value that ends on its line; further lines below would belong to it. */
  #wholeLine(at: number, indent: number, pointer: string | undefined): Json {
    const value = this.#inline(at, false, pointer)
    const end = this.#behindSpaces(this.#end)
    if (!this.#endsLine(end, this.#end)) throw new NotPlain()
    this.#toLine(end)
    if (this.#indent > indent) throw new NotPlain()
    return value
  }

  #inline(at: number, isFlow: boolean, pointer: string | undefined): Json {
    switch (this.#text.charCodeAt(at)) {
      case bracket:
        return this.#flowSequence(at, pointer)
      case brace:
        return this.#flowMapping(at, pointer)
      case doubleQuote:
      case singleQuote:
        return this.#quoted(at)
      default:
        return this.#plain(at, isFlow)
    }
  }

  #flowSequence(start: number, pointer: string | undefined): Json[] {
    this.#enter()
    const first = this.#elements.count
    let at = this.#behindSpaces(start + 1)
    while (this.#text.charCodeAt(at) !== endBracket) {
      const inside = this.#outlined(pointer, this.#elements.count - first, at)
      this.#elements.add(this.#inline(at, true, inside))
      at = this.#nextInFlow(endBracket)
    }
    this.#end = at + 1
    this.#depth -= 1
    return this.#elements.takeFrom(first)
  }

  #flowMapping(start: number, pointer: string | undefined): Members {
    this.#enter()
    const members: Members = {}
    let at = this.#behindSpaces(start + 1)
    while (this.#text.charCodeAt(at) !== endBrace) {
      const end = this.#keyEnd(at)
      if (end < 0) throw new NotPlain()
      const key = this.#key(members, at, end)
      const inside = this.#outlined(pointer, key, at)
      members[key] = this.#inline(this.#behindSpaces(end + 1), true, inside)
      at = this.#nextInFlow(endBrace)
    }
    this.#end = at + 1
    this.#depth -= 1
    return members
  }

  /** The start of the next value in brackets, or their end. */
  #nextInFlow(closing: number): number {
    const at = this.#behindSpaces(this.#end)
    const code = this.#text.charCodeAt(at)
    if (code === comma) return this.#behindSpaces(at + 1)
    if (code !== closing) throw new NotPlain()
    return at
  }

  /** The offset of the colon after a plain key; negative if there is no such key. */
  #keyEnd(start: number): number {
    const text = this.#text
    if (!canStartKey(text.charCodeAt(start))) return -1
    for (let at = start + 1; ; at += 1) {
      const code = text.charCodeAt(at)
      if (code === colon) {
        const next = text.charCodeAt(at + 1)
        if (next === space || next === newline || at + 1 === text.length)
          return text.charCodeAt(at - 1) === space ? -1 : at
      } else if (!canBeInKey(code)) return -1
    }
  }

  #key(members: Members, start: number, end: number): string {
    const key = plainKey(this.#text.slice(start, end))
    if (Object.hasOwn(members, key)) throw new NotPlain()
    return key
  }

  #quoted(start: number): string {
    this.#end = quotedEnd(this.#text, start)
    return quotedText(this.#text.slice(start, this.#end))
  }

  #plain(start: number, isFlow: boolean): Json {
    const text = this.#text
    let at = start
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === newline || (code === hash && text.charCodeAt(at - 1) === space)) break
      if (isFlow && (code === comma || code === endBracket || code === endBrace)) break
      if (isFlow && (code === bracket || code === brace)) throw new NotPlain()
      if (code === colon && !(isFlow ? isInFlowText : isInText)(text.charCodeAt(at + 1))) throw new NotPlain()
    }
    while (text.charCodeAt(at - 1) === space) at -= 1
    this.#end = at
    return plainValue(text.slice(start, at))
  }

  /** Notes the place of a member; returns the pointer for its own members. */
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

const [newline, space, doubleQuote, hash, singleQuote, comma, dash, colon] = [10, 32, 34, 35, 39, 44, 45, 58]
const [bracket, endBracket, brace, endBrace] = [91, 93, 123, 125]

/** The elements of the unfinished lists. A list that grows by itself keeps space for 17 elements. */
class OpenElements {
  readonly #elements: Json[] = []
  /** Also the start of those of the next list. */
  count = 0

  add(element: Json): void {
    this.#elements[this.count] = element
    this.count += 1
  }

  /** Ends a list: takes its elements, from its first one on. */
  takeFrom(first: number): Json[] {
    const elements = this.#elements.slice(first, this.count)
    this.count = first
    return elements
  }
}

/** Thrown if the library has to read the text. */
class NotPlain extends Error {
  override readonly name = 'NotPlain'
}

const longestKey = 200

/** A plain key, if there is no doubt about it. */
function plainKey(text: string): string {
  if (text.length > longestKey || specialNames.has(text)) throw new NotPlain()
  return text
}

/** The value of a plain scalar, if there is no doubt about it. */
function plainValue(text: string): Json {
  const code = text.charCodeAt(0)
  if (isDigit(code) || code === dash) return plainNumber.test(text) ? Number(text) : textOfNumber(text)
  if (!canStartText(code)) throw new NotPlain()
  if (text.length > 5 || !words.test(text)) return text
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null') return null
  throw new NotPlain()
}

/** A date or a version begins like a number, but is none. */
function textOfNumber(text: string): string {
  const second = text.charCodeAt(1)
  // A dash alone is an element, and one before a point may be an infinite number.
  if (text.charCodeAt(0) === dash && !isDigit(second)) throw new NotPlain()
  let isText: boolean
  try {
    isText = readNumber(text) === undefined
  } catch {
    isText = false
  }
  if (!isText) throw new NotPlain()
  return text
}

/** The end of a quoted text that begins at an offset and ends on its line. */
function quotedEnd(text: string, start: number): number {
  const quote = text.charCodeAt(start)
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === newline) break
    if (code === backslash && quote === doubleQuote) at += 1
    else if (code === quote) {
      if (quote === doubleQuote || text.charCodeAt(at + 1) !== quote) return at + 1
      at += 1
    }
  }
  throw new NotPlain()
}

function quotedText(written: string): string {
  const inside = written.slice(1, -1)
  if (written.charCodeAt(0) !== doubleQuote)
    return inside.includes("'") ? inside.replaceAll("''", "'") : inside
  return inside.includes('\\') ? unescaped(written) : inside
}

/** Escapes of JSON mean the same in YAML. Half characters have to be searched for. */
function unescaped(quoted: string): string {
  if (quoted.includes('\\u')) throw new NotPlain()
  try {
    return JSON.parse(quoted)
  } catch {
    throw new NotPlain()
  }
}

const words = /^(?:true|false|null)$/i

const [dollar, backslash] = [36, 92]

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code > 127
}

function canStartKey(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === dollar
}

/** Beside what a key starts with: space, dash, point, slash. Checked for each character, not at the end. */
function canBeInKey(code: number): boolean {
  return code > 127 || insideKeys[code] === 1
}

const insideKeys = Uint8Array.from({ length: 128 }, (_, code) =>
  canStartKey(code) || code === space || (code >= dash && code <= 47) ? 1 : 0,
)

/** A dollar sign, a bracket, a slash. */
function canStartText(code: number): boolean {
  return isLetter(code) || code === dollar || code === 40 || code === 47
}

/** Whether a colon before this character belongs to a text. */
function isInText(code: number): boolean {
  return code !== space && code !== newline && !Number.isNaN(code)
}

/** The same for a text in brackets. */
function isInFlowText(code: number): boolean {
  return isInText(code) && !flowMarks.has(code)
}

/** A comma and brackets. */
const flowMarks = new Set([44, 91, 93, 123, 125])
