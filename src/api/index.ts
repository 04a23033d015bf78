export type { Profile, ProfileSetting } from '../model/connection.ts'
export type { Answer } from './answer.ts'
export { parseBaseUrl } from './base-url.ts'
export { type Asked, type Client, createClient, type Spelling, type Wrapping, wrapClient } from './client.ts'
export {
  type CallOptions,
  type ClientOptions,
  type ClientTarget,
  changedTarget,
  type Recognized,
} from './connection.ts'
export type { ProxyEnvironment } from './dispatcher.ts'
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
export { isLevelId, levelRecord, type Way } from './levels.ts'
export type { Inventory, Page, RecordList } from './list.ts'
export { createRedactor, type Redact, Secrets } from './redact.ts'
export { isReading } from './request.ts'
export { type RequestEvent, type RetryOptions, requestFields, requestText } from './send.ts'
export {
  type Environment,
  fromEnvironment,
  isSettingError,
  keyFromEnvironment,
  requireKey,
  SettingError,
  variables,
} from './settings.ts'
