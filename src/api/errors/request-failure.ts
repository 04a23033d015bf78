import { isServiceError } from './service-error.ts'
import { isSettingError } from './setting-error.ts'
import { isTransportError } from './transport-error.ts'
import { isNotReached } from './transport-failure.ts'
import { isUnexpectedAnswerError } from './unexpected-answer-error.ts'

/** Whether a request has failed: refused, unanswered, or answered with something else. An abort is none of these. */
export function isRequestFailure(error: unknown): error is Error {
  return isServiceError(error) || isTransportError(error) || isUnexpectedAnswerError(error)
}

/** Whether the base URL may be to blame: nothing is reached there, or something that is not the service. */
export function isAboutBaseUrl(error: unknown): boolean {
  if (isSettingError(error)) return error.setting === 'baseUrl'
  if (isUnexpectedAnswerError(error)) return error.code === 'redirect' || error.code === 'not_json'
  return isTransportError(error) && isNotReached(error)
}
