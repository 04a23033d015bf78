export type { Profile, ProfileSetting } from '../model/connection.ts'
export { parseBaseUrl } from './base-url.ts'
export { type Asked, type Client, createClient, type Spelling, type Wrapping, wrapClient } from './client.ts'
export {
  type CallOptions,
  type ClientOptions,
  type ClientTarget,
  type ConnectionPool,
  changedTarget,
  openPool,
  type ProxyEnvironment,
  type Recognized,
} from './connection.ts'
export {
  isAboutBaseUrl,
  isConflict,
  isNotFound,
  isPendingApproval,
  isRequestFailure,
  isServiceError,
  isTaken,
  isTransportError,
  isUnexpectedAnswerError,
  ServiceError,
  TransportError,
  type UnexpectedAnswerCode,
  UnexpectedAnswerError,
  unlessRefused,
} from './errors.ts'
export { type Inventory, isLevelId, levelRecord, type Page, type RecordList, type Way } from './list.ts'
export { type Answer, isReading } from './operation.ts'
export { createRedactor, type Redact, Secrets } from './redact.ts'
export {
  type Pace,
  RateLimiter,
  type RequestEvent,
  type RetryOptions,
  requestFields,
  requestText,
} from './send.ts'
export {
  type Environment,
  fromEnvironment,
  isSettingError,
  keyFromEnvironment,
  requireKey,
  SettingError,
  variables,
} from './settings.ts'
