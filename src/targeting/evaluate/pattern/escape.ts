import { characterClass, unicodeProperty, wordBorder } from './character-classes.ts'
import { acceptOne } from './letter-case.ts'
import { type Accepts, type Flags, type Node, PatternError } from './node.ts'
import type { Reading } from './reading.ts'
import type { Scanner } from './scanner.ts'

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

/** What stands after a backslash outside a set. */
export function parseEscape(reading: Reading, flags: Flags): Node {
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

/** What stands after a backslash in a set: one code point, or a class of them. */
export function parseSetEscape(reading: Reading, flags: Flags): number | Accepts {
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
