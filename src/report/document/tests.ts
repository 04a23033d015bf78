import type { Shares } from '../../core/tests/coverage.ts'
import type { Json } from '../../model/json/json.ts'
import type { Source } from '../../model/problem.ts'
import type { EvaluationReason, OtherAnswer, TestVerdict } from '../../targeting/index.ts'
import type { Answer } from './evaluation.ts'
import type { ToldProblem } from './problems.ts'

/** `vexil test`. */
export interface TestsDocument {
  readonly is: 'tests'
  readonly exitCode: number
  /** The only one that was asked for, where one was. */
  readonly environment?: string
  /** How every test came out, once for each environment that it is run in. */
  readonly results: readonly Pick<TestedCase, 'address' | 'verdict'>[]
  /** The same with all that is known of each; worked out for those formats alone that tell it. */
  readonly tests: readonly TestedCase[]
  /** The same in words. */
  readonly told: readonly ToldTest[]
  /** Those that did not pass, and coverage that is too low. */
  readonly problems: readonly ToldProblem[]
  /** What tests reach, where that was asked for. */
  readonly coverage?: CoverageDocument
}

export interface TestedCase {
  readonly address: string
  readonly environment: string | null
  /** Who asks: the name of a person, or a distinct id; null for nobody in particular. */
  readonly person: string | null
  readonly verdict: TestVerdict
  readonly expected: {
    readonly value: boolean | string
    readonly payload?: Json
    /** A condition counts from 1. */
    readonly because?: { readonly condition: number } | { readonly reason: EvaluationReason }
  }
  readonly got: Answer & { readonly by: string; readonly others: readonly OtherAnswer[] }
  readonly source: Source | null
}

/** A test as people read of it: nothing in it came out of the environment. */
export interface ToldTest extends Pick<TestedCase, 'address' | 'environment' | 'verdict' | 'source'> {
  /** Who asks: a name or an id in quotes, or somebody. */
  readonly person: string
  /** What they have to get, what they get, and why: a few words each. */
  readonly expected: string
  readonly got: string
  readonly why: string
}

/** How much of the conditions and variants of flags the people of tests reach. */
export interface CoverageDocument {
  readonly percent: number
  readonly conditions: Shares
  readonly variants: Shares
  /** The flags of which something is not reached. */
  readonly missed: readonly MissedFlag[]
}

export interface MissedFlag {
  readonly address: string
  readonly environment: string | null
  /** Whether it has any test at all. */
  readonly tests: number
  readonly conditions: readonly { readonly number: number; readonly summary: string }[]
  readonly variants: readonly string[]
}
