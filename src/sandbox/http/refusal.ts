import type { Json } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'

interface RefusalParts {
  readonly status: number
  readonly type: string
  readonly code: string
  readonly detail: string
  readonly attr?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** A refused request, with the four members of every error body. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor({ status, type, code, detail, attr = null, headers }: RefusalParts) {
    super(detail)
    this.name = 'Refusal'
    this.answer = jsonAnswer({ type, code, detail, attr }, status, headers)
  }
}

/**
 * A change that needs an approval first: 409 if it is `required` or already `pending`, 202 if it is
 * `accepted`. Its body differs from that of every other refusal. [service-today 3]
 */
export class ApprovalNeeded extends Refusal {
  override readonly answer: Answer

  constructor(kind: string, rowId: number, how: 'required' | 'pending' | 'accepted') {
    const isPending = how === 'pending'
    const code = isPending ? 'change_request_pending' : 'approval_required'
    const detail = isPending ? 'A change request for this waits already.' : 'This change has to be approved.'
    const status = how === 'accepted' ? 202 : 409
    super({ status, type: 'approval', code, detail })
    this.name = 'ApprovalNeeded'
    const id = changeRequestId(rowId)
    const resource = { resource_type: kind, resource_id: String(rowId) }
    const request = { id, state: 'pending', ...resource }
    const approvers = { roles: [], users: [], quorum: 1 }
    const body = { code, status: code, detail, message: detail, ...resource, change_request_id: id }
    this.answer = jsonAnswer({ ...body, change_request: request, required_approvers: approvers }, status)
  }
}

/** The id of the approval request for an object: each has at most one here. */
function changeRequestId(rowId: number): string {
  return `01900000-0000-0000-0000-${String(rowId).padStart(12, '0')}`
}

/** The object of an approval request. */
export function changedBy(id: string): number | undefined {
  const rowId = Number(id.slice(-12))
  return Number.isInteger(rowId) && id === changeRequestId(rowId) ? rowId : undefined
}

/** 400: the first problem of a request. */
export function invalid(attr: string | null, detail: string, code = 'invalid_input'): Refusal {
  return new Refusal({ status: 400, type: 'validation_error', code, detail, attr })
}

export function missingField(attr: string): Refusal {
  return invalid(attr, 'This field is required.', 'required')
}

export function unparsable(detail: string): Refusal {
  return new Refusal({ status: 400, type: 'invalid_request', code: 'parse_error', detail })
}

export function unauthenticated(
  code: 'not_authenticated' | 'authentication_failed',
  detail: string,
): Refusal {
  const headers = { 'WWW-Authenticate': 'Bearer realm="api"' }
  return new Refusal({ status: 401, type: 'authentication_error', code, detail, headers })
}

/** No project has this token, which product code sends. */
export function unknownProjectToken(): Refusal {
  return new Refusal({
    status: 401,
    type: 'authentication_error',
    code: 'invalid_api_key',
    detail: 'Project API key invalid. You can find your project API key in your project settings.',
  })
}

export function forbidden(detail = 'You do not have permission to perform this action.'): Refusal {
  return new Refusal({ status: 403, type: 'authentication_error', code: 'permission_denied', detail })
}

export function notFound(detail = 'Not found.'): Refusal {
  return new Refusal({ status: 404, type: 'invalid_request', code: 'not_found', detail })
}

export function methodNotAllowed(method: string, allowed: readonly string[]): Refusal {
  return new Refusal({
    status: 405,
    type: 'invalid_request',
    code: 'method_not_allowed',
    detail: `Method "${method}" not allowed.`,
    headers: { Allow: allowed.join(', ') },
  })
}

export function conflict(detail: string): Refusal {
  return new Refusal({ status: 409, type: 'server_error', code: 'conflict', detail })
}

export function tooLarge(): Refusal {
  return new Refusal({
    status: 413,
    type: 'invalid_request',
    code: 'request_too_large',
    detail: 'Request body is too large.',
  })
}

export function unsupportedMediaType(mediaType: string): Refusal {
  return new Refusal({
    status: 415,
    type: 'invalid_request',
    code: 'unsupported_media_type',
    detail: `Unsupported media type "${mediaType}" in request.`,
  })
}

export function throttled(waitSeconds: number): Refusal {
  return new Refusal({
    status: 429,
    type: 'throttled_error',
    code: 'throttled',
    detail: `Request was throttled. Expected available in ${waitSeconds} seconds.`,
    headers: { 'Retry-After': String(waitSeconds) },
  })
}

/** 500: the answer of the service to unexpected input. Nothing of the request is stored. */
export function serverError(): Refusal {
  return new Refusal({ status: 500, type: 'server_error', code: 'error', detail: 'A server error occurred.' })
}

/** The answer to the caller, before its transport is known. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent if there is no body at all. */
  readonly text?: string
}

export function jsonAnswer(body: Json, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, text: writeJson(body) }
}

export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers }
}
