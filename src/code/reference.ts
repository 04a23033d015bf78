/**
 * How code names a flag.
 *
 * | kind     | is                                                                       |
 * |----------|--------------------------------------------------------------------------|
 * | `call`   | the key as it is written in a call of an SDK                             |
 * | `typed`  | a name that `vexil keys` made of the key                                 |
 * | `string` | a text of its own that is the key, as in a constant or in configuration  |
 */
export type ReferenceKind = 'call' | 'typed' | 'string'

/** A place in a file; line and column count from 1, columns in UTF-16 code units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** One place in one file where a flag is named. */
export interface FoundReference extends Place {
  readonly key: string
  readonly kind: ReferenceKind
  /** The function, method or component that is called. */
  readonly call?: string
}

/** A call of an SDK with a key that nobody declares. */
export interface UnknownCall extends Place {
  readonly key: string
  readonly call: string
}

export interface FileReferences {
  readonly references: readonly FoundReference[]
  readonly unknown: readonly UnknownCall[]
}
