import type { Comparison } from '../../core/compare/comparison.ts'

/** `vexil compare`. */
export interface ComparisonDocument {
  readonly is: 'comparison'
  readonly exitCode: number
  readonly comparison: Comparison
  /** Whether it is about what is live, and not about what is declared. */
  readonly isLive: boolean
  /** Where each environment is live, where that was looked at. */
  readonly places: Readonly<Record<string, string>>
  /** Whether what is equal is listed too. */
  readonly showsEqual: boolean
}
