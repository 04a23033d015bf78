import type { Json } from '../../model/json/json.ts'
import type { EvaluationReason, OtherAnswer } from '../../targeting/index.ts'

/** `vexil evaluate`. */
export interface EvaluationDocument {
  readonly is: 'evaluation'
  readonly flags: readonly EvaluatedFlagDocument[]
}

/** What somebody gets of one flag. */
export interface EvaluatedFlagDocument extends Answer {
  readonly flag: string
  /** `differs`: those who evaluate give different values. `undecided`: it depends on what is not known here. */
  readonly verdict: 'decided' | 'differs' | 'undecided'
  /** Who says so, and those who do not say the same. */
  readonly by: string
  readonly others: readonly OtherAnswer[]
  /** What the live flag gives, where that was asked for. */
  readonly live?: ({ readonly is: 'same' | 'differs' | 'not_known' } & Answer) | { readonly is: 'missing' }
}

/** A value and why it is the one; null stands for what there is not. */
export interface Answer {
  readonly value: boolean | string | null
  readonly variant: string | null
  readonly payload: Json
  readonly reason: EvaluationReason
  /** The condition that matched or came nearest, counted from 1. */
  readonly condition: { readonly number: number; readonly summary: string } | null
  /** Why no value can be told. */
  readonly undecided: string | null
}
