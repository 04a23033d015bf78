import { keyLength } from './limits.ts'

/**
 * Checks every key, from any source: a variable, a file, a stack, Terraform's configuration, a program. A
 * valid key has only printable ASCII characters and a possible length. So it fits into one header, and can be
 * found in everything that is printed. An invalid key is described and never shown.
 *
 * | given                                       | outcome                         |
 * |---------------------------------------------|---------------------------------|
 * | blanks, tabs and line ends around it        | removed: files end in one       |
 * | a byte order mark before it                 | refused: an editor has added it |
 * | a blank, a line end or other sign inside    | refused                         |
 * | shorter than 8, longer than 1,000           | refused                         |
 */
export function checkedKey(given: string): { readonly key: string } | { readonly fault: string } {
  const key = given.replace(/^[ \t\r\n]+/, '').replace(/[ \t\r\n]+$/, '')
  if (key === '') return { fault: 'is empty' }
  if (key.startsWith('\ufeff')) return { fault: 'begins with a byte order mark; save it without one' }
  if (key.length > keyLength.most)
    return { fault: `has ${key.length} characters, and a key at most ${keyLength.most}` }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return { fault: 'has characters that no key has; was it cut or wrapped?' }
  }
  if (key.length < keyLength.least)
    return { fault: `has ${key.length} characters, and a key at least ${keyLength.least}; was it cut?` }
  return { key }
}
