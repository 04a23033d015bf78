import { isSettingError } from './errors/setting-error.ts'
import { isTransportError } from './errors/transport-error.ts'
import { isNotReached } from './errors/transport-failure.ts'
import { isUnexpectedAnswerError } from './errors/unexpected-answer-error.ts'

/** Whether the base URL may be to blame: nothing is reached there, or something that is not the service. */
export function isAboutBaseUrl(error: unknown): boolean {
  if (isSettingError(error)) return error.setting === 'baseUrl'
  if (isUnexpectedAnswerError(error)) return error.code === 'redirect' || error.code === 'not_json'
  return isTransportError(error) && isNotReached(error)
}
