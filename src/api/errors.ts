import type { Endpoint } from '../model/endpoint.ts'
import type { Kind } from '../model/kind.ts'
import { messageOf } from '../model/text/message-of.ts'
import { durationText } from '../model/text/printable.ts'
import { refusalRemedy } from '../services/refusals.ts'
import { excerpt, type Redact, redactTokens } from './redact.ts'
import { isSettingError } from './settings.ts'

export interface ServiceErrorFacts {
  /** `PATCH /api/projects/1/feature_flags/7` */
  readonly requestLine: string
  /** The kind and the endpoint of the request. */
  readonly kind?: Kind
  readonly endpoint?: Endpoint
  readonly status: number
  readonly type?: string
  readonly code?: string
  /** The field that the service rejected. */
  readonly attr?: string
  readonly detail?: string
  readonly retryAfterMs?: number
  /** The id of the change request that waits for approval. [service-today 3] */
  readonly changeRequest?: string
}

/** The service has refused a request. */
export class ServiceError extends Error implements ServiceErrorFacts {
  override readonly name = 'ServiceError'
  readonly requestLine: string
  readonly status: number
  readonly type: string | undefined
  readonly code: string | undefined
  readonly attr: string | undefined
  readonly detail: string | undefined
  readonly retryAfterMs: number | undefined
  readonly changeRequest: string | undefined
  /** The remedy from the table of refusals. It is part of the message. */
  readonly remedy: string | undefined
  /** Private, because printing an error should not print a description of the API. */
  readonly #asked: Pick<ServiceErrorFacts, 'kind' | 'endpoint'>

  constructor(facts: ServiceErrorFacts, redact: Redact = redactTokens) {
    const safe = (text: string | undefined, longest?: number) =>
      text === undefined ? undefined : excerpt(text, redact, longest)
    const parts = {
      ...facts,
      requestLine: excerpt(facts.requestLine, redact),
      type: safe(facts.type, 100),
      code: safe(facts.code, 100),
      attr: safe(facts.attr, 200),
      detail: safe(facts.detail),
      changeRequest: safe(facts.changeRequest, 100),
    }
    const remedy = refusalRemedy(parts)
    super(refusalText(parts, remedy))
    this.remedy = remedy
    this.requestLine = parts.requestLine
    this.#asked = { kind: facts.kind, endpoint: facts.endpoint }
    this.status = parts.status
    this.type = parts.type
    this.code = parts.code
    this.attr = parts.attr
    this.detail = parts.detail
    this.retryAfterMs = parts.retryAfterMs
    this.changeRequest = parts.changeRequest
  }

  get kind(): Kind | undefined {
    return this.#asked.kind
  }

  get endpoint(): Endpoint | undefined {
    return this.#asked.endpoint
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceError
}

/**
 * Whether nothing was done because the change needs approval first. The body distinguishes this 409 from a
 * conflict. [service-today 3]
 */
export function isPendingApproval(
  error: unknown,
): error is ServiceError & { readonly changeRequest: string } {
  return isServiceError(error) && error.changeRequest !== undefined
}

/** Whether the service has no such path, or no object there. */
export function isNotFound(error: unknown): error is ServiceError {
  return isServiceError(error) && error.status === 404
}

/** Whether a name was refused because another object has it. */
export function isTaken(error: unknown): error is ServiceError {
  return isServiceError(error) && error.status === 400 && error.code === 'unique'
}

/** Whether a change was refused because the object has changed in the meantime. [service-today 3] */
export function isConflict(error: unknown): error is ServiceError {
  return isServiceError(error) && error.status === 409 && error.code === 'conflict'
}

/** The answer of the service; undefined after a refusal: no permission, or no such path. */
export async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isServiceError(error) && error.status < 500) return undefined
    throw error
  }
}

function refusalText(
  { requestLine, status, code, attr, detail, ...more }: ServiceErrorFacts,
  remedy: string | undefined,
): string {
  const { retryAfterMs, changeRequest } = more
  if (changeRequest !== undefined)
    return `${requestLine} waits for approval (${status}): change request ${changeRequest}`
  const verb = status >= 500 ? 'failed' : 'was refused'
  const what = [String(status), ...(code ? [code] : []), ...(attr ? [`on "${attr}"`] : [])].join(' ')
  const quoted = detail ? `: ${detail.replace(/\.$/, '')}` : ''
  const hint = retryAfterMs
    ? `the service asks to wait ${durationText(retryAfterMs)}`
    : (remedy ?? hints.get(status))
  return `${requestLine} ${verb} with ${what}${quoted}${hint ? `; ${hint}` : ''}`
}

const hints = new Map([
  [401, 'check the API key'],
  [402, 'the plan of this service does not include it'],
  [403, 'the key may lack a scope, or its owner the permission'],
  [429, 'the service asks for fewer requests; try again later or lower the parallelism'],
])

/** Whether a request may have reached the service. An unsent request can be sent again. */
type Sent = 'no' | 'maybe'

export interface TransportErrorFacts {
  readonly requestLine: string
  readonly sent: Sent
  /** A code for the failure: `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`. */
  readonly code?: string
  readonly reason: string
  readonly cause?: unknown
}

/** There is no answer: no connection, a lost one, or a timeout. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly requestLine: string
  readonly sent: Sent
  readonly code: string | undefined

  constructor(facts: TransportErrorFacts, redact: Redact = redactTokens) {
    const requestLine = excerpt(facts.requestLine, redact)
    const cause = facts.cause === undefined ? undefined : safeCause(facts.cause, redact)
    super(`${requestLine} got no answer: ${excerpt(facts.reason, redact)}`, cause && { cause })
    this.requestLine = requestLine
    this.sent = facts.sent
    this.code = facts.code === undefined ? undefined : excerpt(facts.code, redact, 100)
  }
}

export function isTransportError(error: unknown): error is TransportError {
  return error instanceof TransportError
}

/**
 * A cause with only the original message: errors of a transport contain sockets, headers and parts of the
 * answer, and so maybe the key.
 */
function safeCause(original: unknown, redact: Redact, depth = 0): Error {
  const { name, message, code, cause, errors } = factsOf(original)
  const inner = depth < 3 ? (cause ?? errors?.[0]) : undefined
  const safe = new Error(
    excerpt(message, redact),
    inner === undefined ? undefined : { cause: safeCause(inner, redact, depth + 1) },
  )
  safe.name = excerpt(name, redact, 100)
  safe.stack = `${safe.name}: ${safe.message}`
  return code === undefined ? safe : Object.assign(safe, { code: excerpt(code, redact, 100) })
}

interface CauseFacts {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly cause?: unknown
  readonly errors?: readonly unknown[]
}

function factsOf(original: unknown): CauseFacts {
  if (!(original instanceof Error)) return { name: 'Error', message: String(original) }
  const code = 'code' in original && typeof original.code === 'string' ? original.code : undefined
  const errors = original instanceof AggregateError ? original.errors : undefined
  return { name: original.name, message: original.message, code, cause: original.cause, errors }
}

export interface TransportFailure {
  readonly sent: Sent
  readonly code?: string
  readonly reason: string
  readonly cause: unknown
}

/**
 * The meaning of a failed request.
 *
 * | failure                                        | sent  | a retry may help                  |
 * |------------------------------------------------|-------|-----------------------------------|
 * | name not found, certificate refused            | no    | no                                |
 * | no connection: refused, unreachable, timed out | no    | yes                               |
 * | refused by the proxy                           | no    | no                                |
 * | the client was closed                          | no    | no                                |
 * | anything later: reset, timeout, garbage        | maybe | yes, if the request is idempotent |
 */
export function explainFailure(error: unknown, origin: string): TransportFailure {
  const code = codeOf(error)
  const failure = (sent: Sent, reason: string) => ({ sent, ...(code ? { code } : {}), reason, cause: error })
  if (code === 'ENOTFOUND')
    return failure('no', `there is no host of the name in ${origin}; check the base URL`)
  if (code !== undefined && isCertificateCode(code)) {
    return failure('no', `the certificate of ${origin} was not accepted (${code})`)
  }
  if (isProxyRefusal(error))
    return failure('no', `the proxy did not connect to ${origin}: ${messageOf(error)}`)
  if (code === 'UND_ERR_CLOSED') return failure('no', 'the client is closed')
  if (code === 'UND_ERR_INVALID_ARG') return failure('no', messageOf(error))
  if (isConnectFailure(error, code)) {
    return failure(
      'no',
      `no connection to ${origin} (${code}); is the service there, and the base URL right?`,
    )
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return failure('maybe', `${origin} stayed silent for too long`)
  }
  return failure('maybe', `the connection to ${origin} was lost (${code ?? messageOf(error)})`)
}

/** Whether a retry may succeed. */
export function isPassing(code: string | undefined): boolean {
  if (code === undefined) return true
  return !(finalCodes.has(code) || isCertificateCode(code))
}

/** Whether the only failure is that no connection to the base URL was made. */
function isNotReached({
  sent,
  code,
}: Pick<TransportFailure, 'sent'> & { code: string | undefined }): boolean {
  return sent === 'no' && code !== undefined && (code === 'ENOTFOUND' || isPassing(code))
}

const finalCodes = new Set([
  'ENOTFOUND',
  // Each retry would take as long again.
  'ERR_TOO_SLOW',
  'UND_ERR_ABORTED',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_PRX_TLS',
])

const connectCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function isConnectFailure(error: unknown, code: string | undefined): boolean {
  if (code !== undefined && connectCodes.has(code)) return true
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect'
}

/** Whether a proxy has refused its tunnel, which causes an abort. Own signals were checked before. */
function isProxyRefusal(error: unknown): boolean {
  const code = codeOf(error)
  return (
    code === 'UND_ERR_PRX_TLS' || (code === 'UND_ERR_ABORTED' && /^Proxy response/.test(messageOf(error)))
  )
}

function isCertificateCode(code: string): boolean {
  return /^(CERT_|DEPTH_ZERO_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/.test(code)
}

/** The code of an error; of the first one if several addresses were tried. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined
}

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
  /** What is wrong, continuing "the answer to GET /api/...". */
  readonly reason: string
}

/** There is an answer, but it is not as documented. */
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

/** Whether an error is a failed request: refused, unanswered, or with an unexpected answer. */
export function isRequestFailure(error: unknown): error is Error {
  return isServiceError(error) || isTransportError(error) || isUnexpectedAnswerError(error)
}

/** Whether the base URL may be wrong: nothing answers there, or something that is not the service. */
export function isAboutBaseUrl(error: unknown): boolean {
  if (isSettingError(error)) return error.setting === 'baseUrl'
  if (isUnexpectedAnswerError(error)) return error.code === 'redirect' || error.code === 'not_json'
  return isTransportError(error) && isNotReached(error)
}
