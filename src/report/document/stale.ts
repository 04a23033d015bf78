import type { Source } from '../../model/problem.ts'

/** Why a flag has outlived its use. */
export interface StaleReason {
  readonly reason: 'everyone' | 'nobody' | 'gone' | 'expired' | 'uncalled' | 'unreferenced'
  /** What everybody gets: true, or the key of a variant. */
  readonly value?: true | string
  /** What code knows no time. */
  readonly since?: {
    /** Milliseconds since 1970. */
    readonly at: number
    readonly days: number
    /** Whether it may have been so before. */
    readonly isAtLeast: boolean
    readonly from: 'commit' | 'run' | 'trail' | 'service' | 'declaration'
    /** The commit, or the run. */
    readonly name?: string
  }
}

/** What is live of a flag, with `--activity`. */
export interface LiveState {
  /** What everybody gets; undefined where people may get different values, or the flag is not there. */
  readonly value: boolean | string | undefined
  readonly isThere: boolean
  /** Whether it is live otherwise than it is declared. */
  readonly differs: boolean
  /** When somebody asked for it last, in milliseconds since 1970, where the service tells. */
  readonly lastCalled?: number
}

/** A flag in one environment in which it is declared. */
export interface StaleIn {
  /** Undefined in a repository without environments. */
  readonly environment: string | undefined
  readonly declared: 'present' | 'absent'
  /** What holds for all environments is not among them; without any, the flag is in use here as far as can be told. */
  readonly reasons: readonly StaleReason[]
  readonly live?: LiveState
}

/** A flag that is stale in some environment at least. */
export interface StaleFlag {
  readonly key: string
  readonly address: string
  readonly owners: readonly string[]
  readonly source: Source
  /** Whether it is stale in every environment in which it is declared, of those that were looked at. */
  readonly isReady: boolean
  /** What holds wherever it is declared. */
  readonly reasons: readonly StaleReason[]
  readonly environments: readonly StaleIn[]
}

/** `vexil retire` without a flag. */
export interface StaleDocument {
  readonly is: 'stale_flags'
  readonly exitCode: number
  /** The age from which a flag that gives everybody the same is stale. */
  readonly days: number
  /** When it is told, in milliseconds since 1970. */
  readonly now: number
  /** Those that were looked at; one without a name in a repository without environments. */
  readonly environments: readonly (string | undefined)[]
  /** Whether there are others. */
  readonly isPart: boolean
  /** Those of one owner together, those that are ready before the others, the oldest first. */
  readonly flags: readonly StaleFlag[]
  /** How many flags were looked at, those that are permanent not counted. */
  readonly count: number
  /** How many were left out since they are here to stay. */
  readonly permanent: number
  /** How many files of code were searched. */
  readonly searched?: number
  readonly notes: readonly string[]
}
