/** A regular expression, read: what can be searched by following all ways through it at once. */
export type Node =
  | { readonly type: 'one'; readonly accepts: Accepts }
  | { readonly type: 'assert'; readonly holds: Holds }
  | { readonly type: 'all'; readonly parts: readonly Node[] }
  | { readonly type: 'any'; readonly options: readonly Node[] }
  | { readonly type: 'repeat'; readonly part: Node; readonly min: number; readonly max: number }

/** Whether a code point is one of those meant. */
export type Accepts = (code: number) => boolean

/** Whether something is true of the place before the code point at `at`. */
export type Holds = (codes: readonly number[], at: number) => boolean

/** The flags in force at one place of an expression, by the letters that Python gives them. */
export interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
  readonly x: boolean
  readonly a: boolean
}

/** A text that is no regular expression of Python's `re`; the message says why. */
export class PatternError extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'PatternError'
  }
}
