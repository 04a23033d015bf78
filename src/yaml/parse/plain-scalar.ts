import type { Json } from '../../model/json/json.ts'
import { readNumber } from './exact-number-tags.ts'
import { plainNumber, specialNames } from './inspect-scalar.ts'

/** Thrown where a text is for the library to read. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain'
}

const longestKey = 200

/** A plain key, where there is no doubt about it. */
export function plainKey(text: string): string {
  if (text.length > longestKey || specialNames.has(text)) throw new NotPlain()
  return text
}

/** The value of a plain scalar, where there is no doubt about it. */
export function plainValue(text: string): Json {
  const code = text.charCodeAt(0)
  if (isDigit(code) || code === dash) return plainNumber.test(text) ? Number(text) : textOfNumber(text)
  if (!canStartText(code)) throw new NotPlain()
  if (text.length > 5 || !words.test(text)) return text
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null') return null
  throw new NotPlain()
}

/** A date or a version begins like a number, and is none. */
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

/** Where a quoted text ends that begins at an offset and is no longer than its line. */
export function quotedEnd(text: string, start: number): number {
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

export function quotedText(written: string): string {
  const inside = written.slice(1, -1)
  if (written.charCodeAt(0) !== doubleQuote)
    return inside.includes("'") ? inside.replaceAll("''", "'") : inside
  return inside.includes('\\') ? unescaped(written) : inside
}

/** What is escaped in JSON is escaped alike in YAML. Half characters have to be looked for. */
function unescaped(quoted: string): string {
  if (quoted.includes('\\u')) throw new NotPlain()
  try {
    return JSON.parse(quoted)
  } catch {
    throw new NotPlain()
  }
}

const words = /^(?:true|false|null)$/i

const [newline, space, doubleQuote, dollar, dash, backslash] = [10, 32, 34, 36, 45, 92]

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code > 127
}

export function canStartKey(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === dollar
}

/** Beside what a key starts with: space, dash, point, slash. Asked of each character, and not of the end of a text. */
export function canBeInKey(code: number): boolean {
  return code > 127 || insideKeys[code] === 1
}

const insideKeys = Uint8Array.from({ length: 128 }, (_, code) =>
  canStartKey(code) || code === space || (code >= dash && code <= 47) ? 1 : 0,
)

/** A dollar sign, a bracket, a slash. */
function canStartText(code: number): boolean {
  return isLetter(code) || code === dollar || code === 40 || code === 47
}

/** Whether a character goes on with a text that a colon stands in. */
export function isInText(code: number): boolean {
  return code !== space && code !== newline && !Number.isNaN(code)
}

/** The same of a text in brackets. */
export function isInFlowText(code: number): boolean {
  return isInText(code) && !flowMarks.has(code)
}

/** A comma and brackets. */
const flowMarks = new Set([44, 91, 93, 123, 125])
