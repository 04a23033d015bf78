import { createHash } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { decodedSegment } from '../../schema/routes.ts'
import { payloadText } from '../../targeting/index.ts'
import { callerOf, callFor, findProject, requireScope, type Service } from '../http/admission.ts'
import { readBytes } from '../http/read-body.ts'
import {
  type Answer,
  emptyAnswer,
  jsonAnswer,
  methodNotAllowed,
  notFound,
  serverError,
  unknownProjectToken,
} from '../http/refusal.ts'
import type { ProjectCall } from '../resource/resource.ts'
import { projectByToken } from '../seed/project.ts'
import type { ProjectRow } from '../store/rows.ts'
import { captureEvents, decodeBody, decodeObject, tokenIn } from './capture.ts'
import { definitionsOf } from './evaluation-for.ts'
import { remoteEvaluation } from './remote-evaluation.ts'

interface SdkRoute {
  readonly method: 'GET' | 'POST'
  readonly answers: 'definitions' | 'all definitions' | 'remote config' | 'decide' | 'flags' | 'capture'
  readonly doc: string
}

/**
 * The routes of SDKs, with the token of a project instead of its id. The interface document omits them; they
 * answer in every profile, with or without a slash at the end. [sdk-routes]
 */
// biome-ignore format: a table
export const sdkRoutes = {
  '/api/feature_flag/local_evaluation': { method: 'GET',  answers: 'definitions',     doc: 'Active flags for SDKs that evaluate by themselves; `token`, and `send_cohorts` for the cohorts. Needs the API key.' },
  '/flags/definitions':                 { method: 'GET',  answers: 'all definitions', doc: 'The same for SDKs since 2025, with inactive flags and the version by which properties are matched.' },
  '/api/projects/{project}/feature_flags/{key}/remote_config': { method: 'GET', answers: 'remote config', doc: 'The payload of a flag, as a text that holds JSON. Needs the API key; with `token`, the project is that of the token.' },
  '/decide':                            { method: 'POST', answers: 'decide',          doc: 'What one person gets, in the shape of version `v`, 1 to 4.' },
  '/flags':                             { method: 'POST', answers: 'flags',           doc: 'The same for SDKs since 2025, `v` 1 to 4.' },
  '/batch':                             { method: 'POST', answers: 'capture',         doc: 'Takes up events: JSON, a form or base64, each also as gzip.' },
  '/capture':                           { method: 'POST', answers: 'capture',         doc: 'The same.' },
  '/track':                             { method: 'POST', answers: 'capture',         doc: 'The same.' },
  '/engage':                            { method: 'POST', answers: 'capture',         doc: 'The same.' },
  '/e':                                 { method: 'POST', answers: 'capture',         doc: 'The same.' },
  '/i/v0/e':                            { method: 'POST', answers: 'capture',         doc: 'The same.' },
} as const satisfies Readonly<Record<string, SdkRoute>>

/** Answers a request of an SDK; undefined for every other path. */
export async function sdkAnswer(service: Service, request: Request, url: URL): Promise<Answer | undefined> {
  const path = url.pathname.replace(/\/$/, '')
  const found = routeOf(path)
  if (!found) return undefined
  const { route, params } = found
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (method !== route.method) throw methodNotAllowed(request.method, [route.method])
  switch (route.answers) {
    case 'definitions':
    case 'all definitions':
      return definitions(service, request, url, hasInactive(service, route))
    case 'remote config':
      return remoteConfig(service, request, url, params)
    default:
      return posted(service, request, url, route.answers)
  }
}

/** If projects no longer support local evaluation, both paths return flags that are off. [service-today 6] */
function hasInactive({ quirks }: Service, { answers }: SdkRoute): boolean {
  return answers === 'all definitions' || quirks.local_evaluation === 'gone'
}

/** The scope that a personal key needs for both of them. [service-today 6] */
const definitionsScope = 'feature_flag:read'

interface Found {
  readonly route: SdkRoute
  readonly params: readonly string[]
}

/** The route of a path, with the values for the names in braces. */
function routeOf(path: string): Found | undefined {
  for (const [template, route] of Object.entries<SdkRoute>(sdkRoutes)) {
    const match = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path)
    if (match) return { route, params: match.slice(1).map(decodedSegment) }
  }
  return undefined
}

/**
 * Flag definitions with an ETag: a client that already has them gets a 304 and no body. Not after a refusal,
 * though: after a 402 an SDK drops its flags, but keeps their tag. [sdk-routes 1]
 */
function definitions(service: Service, request: Request, url: URL, asSince2026: boolean): Answer {
  const { store } = service
  const project = admittedProject(service, request, url, '@current')
  if (!project) throw serverError()
  const call = callIn(service, project, url)
  const withCohorts = url.searchParams.has('send_cohorts')
  const answer = store.transact(() => jsonAnswer(definitionsOf(call, { asSince2026, withCohorts })))
  const digest = createHash('sha256')
    .update(`${service.faults.refused}\n${answer.text ?? ''}`)
    .digest('base64url')
    .slice(0, 27)
  const tag = `W/"${digest}"`
  const headers = { ETag: tag, 'Cache-Control': 'private, must-revalidate' }
  if (isAmong(request.headers.get('if-none-match'), digest)) return emptyAnswer(304, headers)
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** The project of a request with the API key: that of its token or, without one, that of an id. */
function admittedProject(service: Service, request: Request, url: URL, id: string): ProjectRow | undefined {
  requireScope(service, definitionsScope, callerOf(request.headers, service))
  service.throttle.admit(service.runtime.now())
  const token = url.searchParams.get('token')
  return token === null ? findProject(service.store, id) : projectNamed(service, token)
}

function remoteConfig(service: Service, request: Request, url: URL, params: readonly string[]): Answer {
  const [id = '', name = ''] = params
  const project = admittedProject(service, request, url, id)
  const flag = project && service.store.liveFlag(project.id, name)
  if (!flag) throw notFound()
  const { payloads } = flag.filters
  const payload = isJsonObject(payloads) ? payloads.true : undefined
  return jsonAnswer(payload === undefined ? null : payloadText(payload))
}

async function posted(
  service: Service,
  request: Request,
  url: URL,
  answers: 'decide' | 'flags' | 'capture',
): Promise<Answer> {
  const bytes = await readBytes(request)
  const body: Json = answers === 'capture' ? decodeBody(bytes) : decodeObject(bytes)
  const project = projectNamed(service, tokenIn(body) ?? url.searchParams.get('token') ?? '')
  const { store } = service
  if (answers === 'capture') {
    const arriving = { store, now: service.runtime.now(), random: () => service.runtime.random() }
    return store.transact(() => captureEvents(arriving, project, body))
  }
  const asked = isJsonObject(body) ? body : {}
  return store.transact(() => remoteEvaluation(callIn(service, project, url, asked), answers))
}

function projectNamed({ store }: Service, token: string): ProjectRow {
  const project = projectByToken(store, token)
  if (project) return project
  throw unknownProjectToken()
}

function callIn(service: Service, project: ProjectRow, url: URL, body: JsonObject = {}): ProjectCall {
  const organization = service.store.organizations.get(project.organization_id)
  if (!organization) throw serverError()
  return callFor(service, { organization, project }, { url, body })
}

/** Weak tags are compared by their content. */
function isAmong(header: string | null, digest: string): boolean {
  return (header ?? '').split(',').some(tag => [`W/"${digest}"`, `"${digest}"`, '*'].includes(tag.trim()))
}
