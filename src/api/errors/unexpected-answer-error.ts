import { excerpt, type Redact, redactTokens } from './redact.ts'

export type UnexpectedAnswerCode =
  | 'not_json'
  | 'truncated'
  | 'too_large'
  | 'too_deep'
  | 'encoding'
  | 'redirect'
  | 'no_record'
  | 'no_page'
  | 'no_identity'
  | 'not_done'
  | 'foreign_next'
  | 'looping_next'
  | 'endless_list'

export interface UnexpectedAnswerFacts {
  readonly requestLine: string
  readonly status?: number
  readonly code: UnexpectedAnswerCode
  /** What is wrong and what to do, continuing "the answer to GET /api/...". */
  readonly reason: string
}

/** There is an answer, and it is not what the interface promises. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError'
  readonly requestLine: string
  readonly status: number | undefined
  readonly code: UnexpectedAnswerCode

  constructor(facts: UnexpectedAnswerFacts, redact: Redact = redactTokens) {
    const requestLine = excerpt(facts.requestLine, redact)
    super(`the answer to ${requestLine} ${excerpt(facts.reason, redact)}`)
    this.requestLine = requestLine
    this.status = facts.status
    this.code = facts.code
  }
}

export function isUnexpectedAnswerError(error: unknown): error is UnexpectedAnswerError {
  return error instanceof UnexpectedAnswerError
}
