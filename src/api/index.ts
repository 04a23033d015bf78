export type { Answer } from './answer.ts'
export { type Client, createClient } from './client.ts'
export type { CallOptions, ClientOptions, ClientTarget } from './client-options.ts'
export type { ProxyEnvironment } from './dispatcher.ts'
export { type Environment, fromEnvironment, keyFromEnvironment, variables } from './environment.ts'
export type { RecordList } from './list.ts'
export type { Rate } from './pace.ts'
export type { Page } from './page.ts'
export type { Profile } from './profile.ts'
export { isReadOnlyError, ReadOnlyError } from './read-only.ts'
export { createRedactor, type Redact } from './redact.ts'
export type { Id, QueryValue } from './request.ts'
export type { RetryOptions } from './retry.ts'
export type { RequestEvent } from './send.ts'
export { isServiceError, ServiceError, type ServiceErrorFacts } from './service-error.ts'
export { isSettingError, SettingError } from './setting-error.ts'
export type { Inventory } from './tally.ts'
export { isTransportError, type Sent, TransportError, type TransportErrorFacts } from './transport-error.ts'
export {
  isUnexpectedAnswerError,
  type UnexpectedAnswerCode,
  UnexpectedAnswerError,
  type UnexpectedAnswerFacts,
} from './unexpected-answer-error.ts'
