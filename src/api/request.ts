import { declarableKinds } from '../kinds/index.ts'
import { type Endpoint, fillPath, type Method } from '../model/endpoint.ts'
import { definedMembers } from '../model/json/defined-members.ts'
import type { Json, JsonObject } from '../model/json/json.ts'
import { writeJson } from '../model/json/json-text.ts'
import type { Kind } from '../model/kind.ts'
import { SettingError } from './settings.ts'

export type Id = string | number
type QueryValue = Json | undefined
export type QueryArguments = Readonly<Record<string, QueryValue>> | URLSearchParams

export interface CallArguments {
  /** The values of the braces in the path; those of project and organization come from the client's options. */
  readonly params?: Readonly<Record<string, Id | undefined>>
  /** Arrays and objects are sent as JSON text. */
  readonly query?: QueryArguments
  readonly body?: JsonObject
}

export interface Owner {
  readonly projectId?: Id
  readonly organizationId?: Id
}

/** One operation of the interface with its arguments filled in. */
export interface Request {
  readonly kind: Kind
  readonly endpoint: Endpoint
  readonly method: Method
  readonly isReading: boolean
  /** Without the slash at its end, as the interface lists it. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string | undefined
  readonly requestLine: string
  /** Path and query as they are sent. */
  readonly target: string
}

/** Fills in an endpoint; throws when something that its path needs is missing. */
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

/** A query as it is sent; what is undefined or null is left out. */
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

/** A read-only client was called for a write. Nothing was sent. */
export class ReadOnlyError extends Error {
  override readonly name = 'ReadOnlyError'
  readonly requestLine: string

  constructor(requestLine: string) {
    super(`${requestLine} was not sent: this client only reads`)
    this.requestLine = requestLine
  }
}

/** Whether calling an endpoint changes nothing. One POST is like this: it estimates how many people match. */
export function isReading({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean {
  return method === 'GET' || (method === 'POST' && estimatePaths.has(path))
}

const estimatePaths: ReadonlySet<string | undefined> = new Set(
  declarableKinds.map(({ endpoints, lifecycle }) => endpoints[lifecycle.estimate ?? '']?.path),
)
