export type { Profile } from '../model/profile.ts'
export { isAboutBaseUrl } from './about-base-url.ts'
export type { Answer } from './answer.ts'
export { type Client, createClient } from './client.ts'
export type { CallOptions, ClientOptions, ClientTarget } from './client-options.ts'
export type { ProxyEnvironment } from './dispatcher.ts'
export {
  type Environment,
  fromEnvironment,
  keyFromEnvironment,
  requireKey,
  variables,
} from './environment.ts'
export type { RecordList } from './list.ts'
export type { Page } from './page.ts'
export { isReading } from './read-only.ts'
export { createRedactor, type Redact } from './redact.ts'
export { isRequestFailure } from './request-failure.ts'
export type { RetryOptions } from './retry.ts'
export { Secrets } from './secrets.ts'
export type { RequestEvent } from './send.ts'
export { isServiceError, ServiceError } from './service-error.ts'
export { isSettingError, SettingError } from './setting-error.ts'
export type { Inventory } from './tally.ts'
export { isTransportError, TransportError } from './transport-error.ts'
export {
  isUnexpectedAnswerError,
  type UnexpectedAnswerCode,
  UnexpectedAnswerError,
} from './unexpected-answer-error.ts'
export { type Asked, type Wrapping, wrapClient } from './wrap-client.ts'
