/**
 * The limits of all input, so that hostile or broken input ends with one error line, and never fills the
 * memory or runs forever. Each number is defined only here.
 */

/** The depth of nested modules, of all module calls of a stack, and of the instances that they create. */
export const deepestModule = 32
export const mostModules = 1000
export const mostModuleInstances = 10_000

/** Bytes. A thousand flags are about a megabyte. Small values need twenty times that after parsing. */
export const largestAnswer = 32 * 1024 * 1024

/** Bytes of a file that a program wrote: a saved plan, a run's record, a stack, a state. */
export const largestSaved = 256 * 1024 * 1024

/** Bytes of a file that a person writes. 10,000 flags need a third of this. */
export const largestFile = 16 * 1024 * 1024

/** Entries in subfolders. Without settings, a folder may be anything, for example a home folder. */
export const mostEntriesWithoutSettings = 5_000

/** Rows of one list. More rows do not fit into the default memory of Node.js. */
export const mostRows = 250_000

/** Pages of one list: the rows above, in the smallest pages that services return. */
export const mostPages = 10_000

/**
 * Characters of a key. Keys of the service have about fifty; signed tokens have up to a few hundred. A text
 * below the minimum could not be removed from output without damaging words.
 */
export const keyLength = { least: 8, most: 1000 } as const

/** A number of bytes for people: `16 MiB`. */
export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}

/**
 * Checks every key, from any source: a variable, a file, a stack, Terraform's configuration, a program. A
 * valid key has only printable ASCII characters and a possible length. So it fits into one header, and can be
 * found in all output. The problem of an invalid key is described, but the key is never shown.
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
    return { fault: `has ${key.length} characters, but a key has at most ${keyLength.most}` }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return { fault: 'contains characters that are not allowed in a key; was it cut or wrapped?' }
  }
  if (key.length < keyLength.least)
    return { fault: `has ${key.length} characters, but a key has at least ${keyLength.least}; was it cut?` }
  return { key }
}
