import { deepest } from '../hcl/json.ts'
import { declarableKinds } from '../kinds/index.ts'
import type { Profile } from '../model/connection.ts'
import { type Endpoint, fillPath, type Method } from '../model/endpoint.ts'
import type { Fields } from '../model/field.ts'
import type { Kind } from '../model/kind.ts'
import { oncePer } from '../model/runtime.ts'
import { definedMembers } from '../model/text/defined-members.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { DeepJsonError, readJson, writeJson } from '../model/text/json-text.ts'
import { ServiceError, type UnexpectedAnswerCode, UnexpectedAnswerError } from './errors.ts'
import type { Incoming } from './exchange.ts'
import type { Redact, RedactAnswer } from './redact.ts'
import { SettingError } from './settings.ts'

export type Id = string | number
type QueryValue = Json | undefined
export type QueryArguments = Readonly<Record<string, QueryValue>> | URLSearchParams

export interface CallArguments {
  /** The path parameters. Defaults for project and organization are the client's options. */
  readonly params?: Readonly<Record<string, Id | undefined>>
  /** Arrays and objects are sent as JSON text. */
  readonly query?: QueryArguments
  readonly body?: JsonObject
}

export interface Owner {
  readonly projectId?: Id
  readonly organizationId?: Id
}

/** One operation of the API with its arguments. */
export interface Request {
  readonly kind: Kind
  readonly endpoint: Endpoint
  readonly method: Method
  readonly isReading: boolean
  /** Without the slash at its end, as in the API document. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string | undefined
  readonly requestLine: string
  /** Path and query as they are sent. */
  readonly target: string
}

/** Builds a request; throws if a path parameter is missing. */
export function buildRequest(
  kind: Kind,
  endpointName: string,
  { params = {}, query = {}, body }: CallArguments,
  owner: Owner,
): Request {
  const endpoint = Object.hasOwn(kind.endpoints, endpointName) ? kind.endpoints[endpointName] : undefined
  if (!endpoint) throw new RangeError(`"${kind.name}" has no endpoint "${endpointName}"`)
  const path = fillPath(endpoint.path, fillParams(endpoint.path, params, owner))
  const search = searchOf(query)
  const text = search.size === 0 ? '' : `?${search}`
  const { method } = endpoint
  return {
    kind,
    endpoint,
    method,
    isReading: isReading(endpoint),
    path,
    query: search,
    body: bodyText(endpoint, body),
    requestLine: `${method} ${path}${text}`,
    target: `${path}/${text}`,
  }
}

/** A query as it is sent; undefined and null are omitted. */
function searchOf(query: QueryArguments): URLSearchParams {
  if (query instanceof URLSearchParams) return query
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, queryText(value)] as [string, string]],
  )
  return new URLSearchParams(given)
}

function queryText(value: Json): string {
  return typeof value === 'string' ? value : writeJson(value)
}

function bodyText({ method, body: described }: Endpoint, body: JsonObject | undefined): string | undefined {
  if (body !== undefined) {
    if (method === 'GET') throw new RangeError('a GET takes no body')
    return writeJson(body)
  }
  // Bodies are JSON, so even an empty one is an object.
  return described === undefined ? undefined : '{}'
}

function fillParams(
  path: string,
  given: Readonly<Record<string, Id | undefined>>,
  { projectId, organizationId }: Owner,
): Record<string, Id> {
  const all = Object.entries({
    project_id: projectId,
    parent_lookup_organization_id: organizationId,
    ...definedMembers(given),
  })
  const params = Object.fromEntries(
    all.filter((entry): entry is [string, Id] => entry[1] !== undefined && entry[1] !== ''),
  )
  if (path.includes('{project_id}') && params.project_id === undefined) {
    throw new SettingError('projectId', notSet('project', 'VEXIL_PROJECT_ID'))
  }
  if (
    path.includes('{parent_lookup_organization_id}') &&
    params.parent_lookup_organization_id === undefined
  ) {
    throw new SettingError('organizationId', notSet('organization', 'VEXIL_ORGANIZATION_ID'))
  }
  return params
}

function notSet(name: 'project' | 'organization', variable: string): string {
  return `the ${name} is not set; give "${name}" in the settings file, ${variable}, or the option ${name}Id`
}

/** Thrown if a read-only client is called for a write. Nothing was sent. */
export class ReadOnlyError extends Error {
  override readonly name = 'ReadOnlyError'
  readonly requestLine: string

  constructor(requestLine: string) {
    super(`${requestLine} was not sent: this client only reads`)
    this.requestLine = requestLine
  }
}

/** Whether an endpoint only reads. One POST does: it estimates how many people match. */
export function isReading({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean {
  return method === 'GET' || (method === 'POST' && estimatePaths.has(path))
}

const estimatePaths: ReadonlySet<string | undefined> = new Set(
  declarableKinds.map(({ endpoints, lifecycle }) => endpoints[lifecycle.estimate ?? '']?.path),
)

export interface Answer {
  readonly status: number
  /** Null if there is no body, or if it is not JSON and need not be JSON. */
  readonly body: Json | null
  /** The body as it came. */
  readonly text: string
}

/**
 * Checks an answer. Throws a `ServiceError` unless the status is a success, and an `UnexpectedAnswerError` if
 * the content is not as documented.
 */
export function judgeAnswer(request: Request, incoming: Incoming, nowMs: number, hiding: Hiding): Answer {
  const { redact, redactAnswer } = hiding
  const { endpoint, requestLine } = request
  const { status, text, isTruncated, header } = incoming
  const unexpected = (code: UnexpectedAnswerCode, reason: string) =>
    new UnexpectedAnswerError({ requestLine, status, code, reason }, redact)
  if (status >= 300 && status < 400) {
    const to = header('location') ?? 'nowhere'
    throw unexpected('redirect', `leads to "${to}" (${status}), and is not followed; is the base URL right?`)
  }
  const isFine = status === endpoint.status || (status >= 200 && status < 300)
  // A change that waits for approval is not a success, regardless of its status.
  if (!isFine || (status === 202 && changeRequestIn(parse(text)) !== undefined))
    throw serviceError(request, incoming, nowMs, hiding)
  if (isTruncated) throw unexpected('truncated', 'broke off')
  const body = parse(text)
  if (body === tooDeepJson) {
    throw unexpected('too_deep', `is nested deeper than ${deepest} levels and cannot be used`)
  }
  if (body === undefined && (claimsJson(incoming) || promisesJson(request))) {
    throw unexpected(
      'not_json',
      `is not JSON but begins "${redactAnswer(text, 'body').slice(0, 60)}"; is the base URL right?`,
    )
  }
  if (endpoint.answer === 'record' && !isJsonObject(body) && promisesJson(request)) {
    throw unexpected('no_record', `does not contain a ${request.kind.title}`)
  }
  if (isSource(request) && !isRecordOrTexts(body)) {
    throw unexpected('no_record', `contains neither source files nor the ${request.kind.title}`)
  }
  if (endpoint.answer === 'page' && !isPage(body) && promisesJson(request)) {
    throw unexpected('no_page', 'has no "results"')
  }
  return { status, body: body ?? null, text }
}

/** Removes secrets from errors: keys, and hidden values in texts of the service. */
interface Hiding {
  readonly redact: Redact
  readonly redactAnswer: RedactAnswer
}

const tooDeepJson = Symbol('too deep')

/** Undefined for text that is not JSON; null for no text at all. */
function parse(text: string): Json | typeof tooDeepJson | undefined {
  if (text === '') return null
  try {
    // A byte order mark is not part of JSON, and some servers send one.
    return readJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (error) {
    return error instanceof DeepJsonError ? tooDeepJson : undefined
  }
}

function claimsJson({ header }: Incoming): boolean {
  return /[/+]json\b/i.test(header('content-type') ?? '')
}

/** Whether the answer must be JSON: a record or a page, unless the caller requested another format. */
function promisesJson({ endpoint, query }: Request): boolean {
  const format = query.get('format')
  return (
    (endpoint.answer === 'record' || endpoint.answer === 'page') && (format === null || format === 'json')
  )
}

function isSource({ kind, endpoint }: Request): boolean {
  const { files } = kind.lifecycle ?? {}
  return files !== undefined && kind.endpoints[files.read] === endpoint
}

/** Whether a body has source files by name or, as in the API document, their object. */
function isRecordOrTexts(body: Json | undefined): boolean {
  return isJsonObject(body) && ('id' in body || Object.values(body).every(text => typeof text === 'string'))
}

function isPage(body: Json | undefined): boolean {
  return isJsonObject(body) && isJsonArray(body.results)
}

function serviceError(
  { requestLine, kind, endpoint }: Request,
  { status, text, header }: Incoming,
  nowMs: number,
  { redact, redactAnswer }: Hiding,
): ServiceError {
  const parsed = parse(text.slice(0, mostErrorText))
  const body = parsed === tooDeepJson ? undefined : parsed
  const given = isJsonObject(body) ? body : {}
  const texts = (name: string) => (typeof given[name] === 'string' ? given[name] : undefined)
  const attr = texts('attr')
  const reason =
    texts('detail') ?? texts('error') ?? texts('message') ?? (typeof body === 'string' ? body : undefined)
  // A page may quote the request, so the key is removed before the text is cut.
  const detail =
    reason === undefined
      ? redactAnswer(plainDetail(text), 'body').slice(0, 200)
      : redactAnswer(reason, 'reason')
  return new ServiceError(
    {
      requestLine,
      kind,
      endpoint,
      status,
      type: texts('type'),
      code: texts('code'),
      attr: attr === undefined ? undefined : ownAttr(kind.fields, attr),
      detail: detail === '' ? undefined : detail,
      retryAfterMs: parseRetryAfter(header('retry-after'), nowMs),
      changeRequest: status === 409 || status === 202 ? changeRequestIn(given) : undefined,
    },
    redact,
  )
}

function changeRequestIn(body: ReturnType<typeof parse>): string | undefined {
  const id = body !== tooDeepJson && isJsonObject(body) ? body.change_request_id : undefined
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** No error needs a longer text. */
const mostErrorText = 1024 * 1024

/** The message of another body: the title of a page, or its beginning. */
function plainDetail(text: string): string {
  const begin = text.slice(0, 10_000)
  const title = /<title>([^<]*)<\/title>/i.exec(begin)?.[1]
  return (title ?? begin).replace(/\s+/g, ' ').trim()
}

/** Reads a `Retry-After`: whole seconds, or a date. Undefined if it is invalid. */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  const value = text?.trim() ?? ''
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  // A date must begin with a name: a parser would accept numbers such as -5.
  if (!/^[A-Za-z]{3,9},? /.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/** Converts one kind's records between spellings. */
export interface Spelling {
  /** Converts a body to the spelling of the profile. */
  readonly toWire: (body: JsonObject) => JsonObject
  /** Converts a record from any profile to the spelling of the API document. */
  readonly fromWire: (record: Json) => Json
}

/** `services` are the possible services. */
export function spellingOf(fields: Fields, profile: Profile, services: readonly Profile[]): Spelling {
  const known = spellings(fields)
  // Either this service alone, or all that it may be.
  const name = `${profile} ${services.length}`
  const spelling = known.get(name) ?? spellingFor(fields, profile, services)
  known.set(name, spelling)
  return spelling
}

/** Cached, because every call needs it. */
const spellings = oncePer((_: Fields) => new Map<string, Spelling>())

function spellingFor(fields: Fields, profile: Profile, services: readonly Profile[]): Spelling {
  const spelled = spellingsIn(fields)
  const outward = new Map(
    spelled.filter(({ of }) => of === profile).map(({ name, other }) => [name, other] as const),
  )
  const meant = Object.entries(fields).flatMap(([name, { byService }]) =>
    byService ? [[name, byService] as const] : [],
  )
  const inward = new Map(spelled.map(({ name, other }) => [other, name] as const))
  return {
    toWire: body => respell(rename(body, outward), 'toWire'),
    fromWire: record => (isJsonObject(record) ? respell(rename(record, inward), 'fromWire') : record),
  }

  function respell(record: JsonObject, direction: 'toWire' | 'fromWire'): JsonObject {
    let respelled = record
    for (const [name, byService] of meant) {
      const value = record[name]
      const other = value === undefined ? value : byService[direction](value, services)
      if (other !== value && other !== undefined) respelled = { ...respelled, [name]: other }
    }
    return respelled
  }
}

/** A field's name in an error, as in the API document. After two underscores comes a member in it. */
function ownAttr(fields: Fields, attr: string): string {
  const [name = '', ...inside] = attr.split('__')
  const own = spellingsIn(fields).find(({ other }) => other === name)?.name
  return [own ?? name, ...inside].join('__')
}

/** Renames members. If a record has both names, the new one counts. */
function rename(record: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  if (names.size === 0 || !Object.keys(record).some(name => names.has(name))) return record
  const members = Object.entries(record).flatMap(([name, value]) => {
    const other = names.get(name)
    if (other === undefined) return [[name, value] as const]
    return Object.hasOwn(record, other) ? [] : [[other, value] as const]
  })
  return Object.fromEntries(members)
}

function spellingsIn(
  fields: Fields,
): { readonly name: string; readonly of: string; readonly other: string }[] {
  return Object.entries(fields).flatMap(([name, { spelling }]) =>
    Object.entries(spelling ?? {}).flatMap(([of, other]) => (other === name ? [] : [{ name, of, other }])),
  )
}
