import type { Endpoint } from '../../model/endpoint.ts'
import type { Kind } from '../../model/kind.ts'
import { durationText } from '../../model/text/duration-text.ts'
import { refusalRemedy } from '../../services/refusals.ts'
import { excerpt, type Redact, redactTokens } from './redact.ts'

export interface ServiceErrorFacts {
  /** `PATCH /api/projects/1/feature_flags/7` */
  readonly requestLine: string
  /** What was asked for. */
  readonly kind?: Kind
  readonly endpoint?: Endpoint
  readonly status: number
  readonly type?: string
  readonly code?: string
  /** The field that the service found fault with. */
  readonly attr?: string
  readonly detail?: string
  readonly retryAfterMs?: number
  /** The id of the request that somebody has to approve before the service does what was asked. [service-today 3] */
  readonly changeRequest?: string
}

/** The service has answered, and the answer is no. */
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
  /** What to do about it, where it is a refusal that the table of refusals knows. It is part of the message. */
  readonly remedy: string | undefined
  /** Out of sight: whoever prints the error does not want a whole description of the interface. */
  readonly #asked: Pick<ServiceErrorFacts, 'kind' | 'endpoint'>

  constructor(facts: ServiceErrorFacts, redact: Redact = redactTokens) {
    const safe = (text: string | undefined, longest?: number) =>
      text === undefined ? undefined : excerpt(text, redact, longest)
    const told = {
      ...facts,
      requestLine: excerpt(facts.requestLine, redact),
      type: safe(facts.type, 100),
      code: safe(facts.code, 100),
      attr: safe(facts.attr, 200),
      detail: safe(facts.detail),
      changeRequest: safe(facts.changeRequest, 100),
    }
    const remedy = refusalRemedy(told)
    super(messageOf(told, remedy))
    this.remedy = remedy
    this.requestLine = told.requestLine
    this.#asked = { kind: facts.kind, endpoint: facts.endpoint }
    this.status = told.status
    this.type = told.type
    this.code = told.code
    this.attr = told.attr
    this.detail = told.detail
    this.retryAfterMs = told.retryAfterMs
    this.changeRequest = told.changeRequest
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
 * Whether nothing was done because somebody has to approve it first. Its 409 is told from that of a change that was made
 * meanwhile by its body alone. [service-today 3]
 */
export function isPendingApproval(
  error: unknown,
): error is ServiceError & { readonly changeRequest: string } {
  return isServiceError(error) && error.changeRequest !== undefined
}

/** Whether the service has no such place, or nothing there. */
export function isNotFound(error: unknown): error is ServiceError {
  return isServiceError(error) && error.status === 404
}

/** Whether a name was refused because something else has it. */
export function isTaken(error: unknown): error is ServiceError {
  return isServiceError(error) && error.status === 400 && error.code === 'unique'
}

/** Whether what was sent was made of an object that somebody else has changed meanwhile. [service-today 3] */
export function isConflict(error: unknown): error is ServiceError {
  return isServiceError(error) && error.status === 409 && error.code === 'conflict'
}

/** What the service answers; undefined where it refuses to, as with a key that may not ask or a place that it lacks. */
export async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isServiceError(error) && error.status < 500) return undefined
    throw error
  }
}

function messageOf(
  { requestLine, status, code, attr, detail, ...more }: ServiceErrorFacts,
  remedy: string | undefined,
): string {
  const { retryAfterMs, changeRequest } = more
  if (changeRequest !== undefined)
    return `${requestLine} waits for approval (${status}): change request ${changeRequest}`
  const verb = status >= 500 ? 'failed' : 'was refused'
  const what = [String(status), ...(code ? [code] : []), ...(attr ? [`on "${attr}"`] : [])].join(' ')
  const said = detail ? `: ${detail.replace(/\.$/, '')}` : ''
  const hint = retryAfterMs
    ? `the service asks to wait ${durationText(retryAfterMs)}`
    : (remedy ?? hints.get(status))
  return `${requestLine} ${verb} with ${what}${said}${hint ? `; ${hint}` : ''}`
}

const hints = new Map([
  [401, 'check the API key'],
  [402, 'the plan of this service does not include it'],
  [403, 'the key may lack a scope, or its owner the permission'],
  [429, 'the service asks for fewer requests; try again later or lower the parallelism'],
])
