import { type Accepts, type Flags, type Holds, PatternError } from './node.ts'
import type { Reading } from './reading.ts'

/**
 * What Python's `re` takes for letters, digits and blanks in texts. [Python `re`: "Regular Expression Syntax"]
 *
 * | class | Unicode (the default)                     | under `(?a)`      |
 * |-------|-------------------------------------------|-------------------|
 * | `\w`  | letters and numbers of any script, and _  | `[a-zA-Z0-9_]`    |
 * | `\d`  | decimal digits of any script              | `[0-9]`           |
 * | `\s`  | what `str.isspace` says                   | `[ \t\n\r\f\v]`   |
 *
 * Combining marks are no letters, so `\w` does not take the second half of a decomposed `ü`.
 */
export function characterClass(letter: string, { a }: Flags): Accepts | undefined {
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

/** `\p{L}`, `\pL`, `\P{Greek}`: general categories and scripts. Undefined where there are none, as in Python. */
export function unicodeProperty({ scanner, hasProperties }: Reading, letter: string): Accepts | undefined {
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

/** `\b`, or `\B` when not wanted. Python says of neither that it holds in an empty text. */
export function wordBorder({ a }: Flags, isWanted: boolean): Holds {
  const isIn = a ? isAsciiWord : isWord
  const within = (code: number | undefined) => code !== undefined && isIn(code)
  return (codes, at) => codes.length > 0 && (within(codes[at - 1]) !== within(codes[at])) === isWanted
}

const none = { i: false, m: false, s: false, x: false }
const asciiFlags: Flags = { ...none, a: true }
const unicodeFlags: Flags = { ...none, a: false }

const words = /^[\p{L}\p{N}_]$/u
const digits = /^\p{Nd}$/u
/** `\x1c` to `\x1f` and `\x85` are blanks for Python; the byte order mark is one for JavaScript alone. */
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
