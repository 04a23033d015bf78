import { isTextTooDeep } from '../../hcl/json.ts'
import type { Field, Fields } from '../../model/field.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { readJson, readJsonIfAny, writeJson } from '../../model/text/json-text.ts'

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

export function unknownReference(attr: string, id: Json): Refusal {
  return invalid(attr, `Invalid pk "${String(id)}" - object does not exist.`, 'does_not_exist')
}

/** Makes refusals of one sort, with another text than the usual one if a caller gives it. */
function refusal(
  status: number,
  type: string,
  code: string,
  usual = '',
  headers?: Particulars['headers'],
): (detail?: string) => Refusal {
  return (detail = usual) => new Refusal(status, type, code, detail, { headers })
}

export const unparsable = refusal(400, 'invalid_request', 'parse_error')

const bearer = { 'WWW-Authenticate': 'Bearer realm="api"' }
const noKey = 'Authentication credentials were not provided.'
const wrongKey = 'Personal API key found in request Authorization header is invalid.'
export const unauthenticated = refusal(401, 'authentication_error', 'not_authenticated', noKey, bearer)
export const wronglyAuthenticated = refusal(
  401,
  'authentication_error',
  'authentication_failed',
  wrongKey,
  bearer,
)

/** No project has this token, which product code sends. */
export const unknownProjectToken = refusal(
  401,
  'authentication_error',
  'invalid_api_key',
  'Project API key invalid. You can find your project API key in your project settings.',
)

const noPermission = 'You do not have permission to perform this action.'
export const forbidden = refusal(403, 'authentication_error', 'permission_denied', noPermission)
export const notFound = refusal(404, 'invalid_request', 'not_found', 'Not found.')
export const conflict = refusal(409, 'server_error', 'conflict')
export const tooLarge = refusal(413, 'invalid_request', 'request_too_large', 'Request body is too large.')
/** The answer of the service to unexpected input. Nothing of the request is stored. */
export const serverError = refusal(500, 'server_error', 'error', 'A server error occurred.')

export function methodNotAllowed(method: string, allowed: readonly string[]): Refusal {
  const headers = { Allow: allowed.join(', ') }
  const detail = `Method "${method}" not allowed.`
  return new Refusal(405, 'invalid_request', 'method_not_allowed', detail, { headers })
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

/** The answer to the caller, before its transport is known. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent if there is no body at all. */
  readonly text?: string
  /** Whom or what the request was about, for the page. It is not sent. */
  readonly about?: string
  /** Whether the same request gets the same answer until something other than an event is written. */
  readonly isLasting?: true
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

/** How an answer reaches the caller, or how it fails to. */
export interface Connection {
  /** The request without its body, as it came over a socket. */
  readonly head?: string
  send(answer: Answer): Response
  /** Breaks the connection before an answer. */
  reset(): Response
  /** Breaks the connection in the middle of the body. */
  truncate(answer: Answer): Response
}

/** The headers of an answer as a server sends it. */
export function headersOf({ status, headers, text }: Answer): Readonly<Record<string, string>> {
  if (text === undefined && status === 204) return headers
  return { ...headers, 'Content-Length': String(Buffer.byteLength(text ?? '')) }
}

/** The connection of a caller in the same process: broken ones fail like `fetch`. */
export const inProcess: Connection = {
  send: ({ status, headers, text }) => new Response(text ?? null, { status, headers }),
  reset: () => {
    throw new TypeError('fetch failed', { cause: connectionReset() })
  },
  truncate: ({ status, headers, text = '' }) => {
    const bytes = new TextEncoder().encode(text)
    const body = new ReadableStream({
      start: controller => controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2))),
      pull: controller => controller.error(new TypeError('terminated', { cause: connectionReset() })),
    })
    return new Response(body, { status, headers })
  },
}

function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
}

/** A larger body gives 413. [service-behaviour 8] */
export const maxBodyBytes = 20_000_000

/**
 * Reads a request body as a JSON object. No body counts as an empty one. Forms are read if their fields are
 * given; otherwise they are refused like any other media type.
 */
export async function readBody(request: Request, fields?: Fields): Promise<JsonObject> {
  const bytes = await readBytes(request)
  const mediaType = request.headers.get('content-type') ?? ''
  if (fields && isForm(mediaType)) return readForm(bytes, mediaType, fields)
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return {}
  if (!isJsonType(mediaType)) throw unsupportedMediaType(mediaType)
  const value = parseJson(text)
  if (isJsonObject(value)) return value
  throw invalid(
    null,
    `Invalid data. Expected a dictionary, but got ${Array.isArray(value) ? 'list' : typeof value}.`,
  )
}

/** A web page may send plain text anywhere, but must ask first for JSON. */
export function isJsonType(mediaType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(mediaType)
}

/** Reads the bytes of a body, up to the limit. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge()
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body) {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function parseJson(text: string): Json {
  if (isTextTooDeep(text)) throw unparsable('JSON parse error - nested too deeply')
  try {
    return readJson(text)
  } catch {
    throw unparsable('JSON parse error - the body is not valid JSON')
  }
}

/**
 * Reads a form, like the public service: every value is a text, and the field decides its meaning. Repeated
 * names are lists. [service-behaviour 8]
 */
async function readForm(bytes: Uint8Array, mediaType: string, fields: Fields): Promise<JsonObject> {
  const form = await formOf(bytes, mediaType)
  const names = [...new Set(form.keys())]
  return Object.fromEntries(
    names.map(name => {
      const texts = form.getAll(name).map(value => (typeof value === 'string' ? value : ''))
      return [name, valueIn(Object.hasOwn(fields, name) ? fields[name] : undefined, texts)]
    }),
  )
}

function isForm(mediaType: string): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(mediaType)
}

async function formOf(bytes: Uint8Array, mediaType: string): Promise<FormData> {
  try {
    return await new Response(Buffer.from(bytes), { headers: { 'content-type': mediaType } }).formData()
  } catch {
    throw unparsable('Form parse error - the body is not a valid form')
  }
}

function valueIn(field: Field | undefined, texts: readonly string[]): Json {
  const last = texts.at(-1) ?? ''
  switch (field?.type) {
    case 'set':
      return texts
    case 'list':
      return texts.map(text => (field.of === 'integer' ? wholeOr(text) : text))
    case 'boolean':
      return truthOr(last)
    case 'integer':
      return wholeOr(last)
    case 'json':
    case 'structure':
      return readJsonIfAny(last) ?? last
    default:
      return last
  }
}

/** Any other value stays a text, and the check of the body refuses it. */
function truthOr(text: string): Json {
  if (/^(true|t|1|on|y|yes)$/i.test(text)) return true
  if (/^(false|f|0|off|n|no)$/i.test(text)) return false
  return /^(null|none)?$/i.test(text) ? null : text
}

function wholeOr(text: string): Json {
  return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text
}
