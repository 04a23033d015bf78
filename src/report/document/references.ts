import type { ReferenceKind } from '../../code/reference.ts'

/** `vexil refs`. Paths are as seen from where the command runs; lines and columns count from 1. */
export interface ReferencesDocument {
  readonly is: 'references'
  readonly exitCode: number
  /** Whether it is about every flag, or about what is unused or declared nowhere. */
  readonly shows: 'references' | 'differences'
  /** With `--unused`, those without a reference; with `--undeclared` alone, none. */
  readonly flags: readonly {
    readonly key: string
    readonly declared: 'present' | 'absent'
    readonly references: readonly CodePlace[]
  }[]
  /** How many of the flags that were asked for are declared present and named nowhere. */
  readonly unused: number
  /** Calls of SDKs for a key that is declared nowhere, or absent. */
  readonly undeclared: readonly (Omit<CodePlace, 'kind'> & {
    readonly key: string
    readonly call: string
    readonly declared: 'absent' | 'nowhere'
    /** A declared key that was most likely meant. */
    readonly meant: string | null
  })[]
  /** How many files were searched. */
  readonly searched: number
  readonly unsearched: readonly {
    readonly path: string
    readonly why: 'binary' | 'too_large' | 'link' | 'unreadable'
  }[]
  /** What else is to be known of it: a line each. */
  readonly notes: readonly string[]
}

/** Where a flag is named, and how. */
export interface CodePlace {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly kind: ReferenceKind
  /** The function, method or component that is called. */
  readonly call?: string
}
