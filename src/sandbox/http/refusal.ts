import type { Json } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'

interface Particulars {
  readonly attr?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** A refused request, with the four members of every error body. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(
    status: number,
    type: string,
    code: string,
    detail: string,
    { attr = null, headers }: Particulars = {},
  ) {
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
    super(status, 'approval', code, detail)
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
  return new Refusal(400, 'validation_error', code, detail, { attr })
}

export function missingField(attr: string): Refusal {
  return invalid(attr, 'This field is required.', 'required')
}

/** A reference to something that is not there. */
export function unknownReference(attr: string, id: Json): Refusal {
  return invalid(attr, `Invalid pk "${String(id)}" - object does not exist.`, 'does_not_exist')
}

export function unparsable(detail: string): Refusal {
  return new Refusal(400, 'invalid_request', 'parse_error', detail)
}

export function unauthenticated(
  code: 'not_authenticated' | 'authentication_failed',
  detail: string,
): Refusal {
  const headers = { 'WWW-Authenticate': 'Bearer realm="api"' }
  return new Refusal(401, 'authentication_error', code, detail, { headers })
}

/** No project has this token, which product code sends. */
export function unknownProjectToken(): Refusal {
  const detail = 'Project API key invalid. You can find your project API key in your project settings.'
  return new Refusal(401, 'authentication_error', 'invalid_api_key', detail)
}

export function forbidden(detail = 'You do not have permission to perform this action.'): Refusal {
  return new Refusal(403, 'authentication_error', 'permission_denied', detail)
}

export function notFound(detail = 'Not found.'): Refusal {
  return new Refusal(404, 'invalid_request', 'not_found', detail)
}

export function methodNotAllowed(method: string, allowed: readonly string[]): Refusal {
  const headers = { Allow: allowed.join(', ') }
  return new Refusal(405, 'invalid_request', 'method_not_allowed', `Method "${method}" not allowed.`, {
    headers,
  })
}

export function conflict(detail: string): Refusal {
  return new Refusal(409, 'server_error', 'conflict', detail)
}

export function tooLarge(): Refusal {
  return new Refusal(413, 'invalid_request', 'request_too_large', 'Request body is too large.')
}

export function unsupportedMediaType(mediaType: string): Refusal {
  const detail = `Unsupported media type "${mediaType}" in request.`
  return new Refusal(415, 'invalid_request', 'unsupported_media_type', detail)
}

export function throttled(waitSeconds: number): Refusal {
  const detail = `Request was throttled. Expected available in ${waitSeconds} seconds.`
  const headers = { 'Retry-After': String(waitSeconds) }
  return new Refusal(429, 'throttled_error', 'throttled', detail, { headers })
}

/** 500: the answer of the service to unexpected input. Nothing of the request is stored. */
export function serverError(): Refusal {
  return new Refusal(500, 'server_error', 'error', 'A server error occurred.')
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

/** The address of a request with other parameters; undefined removes one. */
export function linkWith(url: URL, changes: Readonly<Record<string, string | number | undefined>>): string {
  const link = new URL(url)
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) link.searchParams.delete(name)
    else link.searchParams.set(name, String(value))
  return link.href
}

export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers }
}
