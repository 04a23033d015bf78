/**
 * How much of anything is taken in, so that a hostile or broken input ends in one line and not in a full memory or a
 * call that never comes back. Each number is written here and nowhere else.
 */

/** Modules inside each other, those that a stack calls in all, and the instances that they stand for. */
export const deepestModule = 32
export const mostModules = 1000
export const mostModuleInstances = 10_000

/** Bytes of an answer. A page of a thousand flags is about a megabyte; to read small values takes twenty times the bytes. */
export const largestAnswer = 32 * 1024 * 1024

/** Bytes of what a program has written for us: a saved plan, a run's record, a stack, a state. */
export const largestSaved = 256 * 1024 * 1024

/** Bytes of a file that a person writes. 10,000 flags take a third of it. */
export const largestFile = 16 * 1024 * 1024

/** Entries of the folders below one that has no settings: any folder may be that one, such as somebody's home. */
export const mostEntriesWithoutSettings = 5_000

/** Rows of one list. More would not fit into the memory that Node.js takes by itself. */
export const mostRows = 250_000

/** Pages of one list: with the smallest pages that services give out, the rows above. */
export const mostPages = 10_000

/**
 * Characters of a key. Those of the service have about fifty, signed tokens up to a few hundred. A shorter text than
 * the least could not be kept out of what is printed without tearing words apart.
 */
export const keyLength = { least: 8, most: 1000 } as const

/** Bytes as people read them: `16 MiB`. */
export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}
