import { isServiceError } from './service-error.ts'
import { isTransportError } from './transport-error.ts'
import { isUnexpectedAnswerError } from './unexpected-answer-error.ts'

/** Whether a request has failed: refused, unanswered, or answered with something else. An abort is none of these. */
export function isRequestFailure(error: unknown): error is Error {
  return isServiceError(error) || isTransportError(error) || isUnexpectedAnswerError(error)
}
