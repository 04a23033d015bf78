export type { Profile, ProfileSetting } from '../model/connection/profile.ts'
export { parseBaseUrl } from './base-url.ts'
export { type Client, createClient } from './client.ts'
export { type CallOptions, type ClientOptions, type ClientTarget, changedTarget } from './client-options.ts'
export {
  type Environment,
  fromEnvironment,
  keyFromEnvironment,
  requireKey,
  variables,
} from './environment.ts'
export { createRedactor, type Redact } from './errors/redact.ts'
export { isAboutBaseUrl, isRequestFailure } from './errors/request-failure.ts'
export { Secrets } from './errors/secrets.ts'
export {
  isConflict,
  isNotFound,
  isPendingApproval,
  isServiceError,
  isTaken,
  ServiceError,
  unlessRefused,
} from './errors/service-error.ts'
export { isSettingError, SettingError } from './errors/setting-error.ts'
export { isTransportError, TransportError } from './errors/transport-error.ts'
export {
  isUnexpectedAnswerError,
  type UnexpectedAnswerCode,
  UnexpectedAnswerError,
} from './errors/unexpected-answer-error.ts'
export type { Inventory } from './list/completeness.ts'
export { isLevelId, levelRecord } from './list/levels.ts'
export type { RecordList } from './list/list.ts'
export type { Page } from './list/read-page.ts'
export type { Way } from './list/ways.ts'
export type { Recognized } from './recognition.ts'
export { loadConnections, type ProxyEnvironment } from './request/dispatcher.ts'
export type { Answer } from './request/judge-answer.ts'
export { isReading } from './request/read-only.ts'
export { requestFields, requestText } from './request/request-text.ts'
export type { RetryOptions } from './request/retry.ts'
export type { RequestEvent } from './request/send.ts'
export { type Asked, type Spelling, type Wrapping, wrapClient } from './wrap-client.ts'
