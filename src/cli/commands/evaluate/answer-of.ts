import type { Json } from '../../../model/json/json.ts'
import type { Answer } from '../../../report/document.ts'
import { conditionOf, type Evaluation } from '../../../targeting/index.ts'

/** What somebody gets of a flag with these filters, as documents have it. */
export function answerOf(filters: Json, evaluation: Evaluation): Answer {
  const { value, reason, payload, undecided } = evaluation
  return {
    value: undecided === undefined ? value : null,
    variant: undecided === undefined && typeof value === 'string' ? value : null,
    payload: undecided === undefined ? (payload ?? null) : null,
    reason,
    condition: conditionOf(filters, evaluation),
    undecided: undecided ?? null,
  }
}
