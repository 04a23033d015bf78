import { isIP } from 'node:net'
import { Hono, type MiddlewareHandler } from 'hono'
import { featureFlag, type KindName, kinds, pluginKind, roleAccess, roleKind } from '../../kinds/index.ts'
import { scopeFor } from '../../kinds/key-scopes.ts'
import type { Endpoint } from '../../model/endpoint.ts'
import type { Field } from '../../model/field.ts'
import type { Kind } from '../../model/kind.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { writeJson } from '../../model/text/json-text.ts'
import { getAt, segmentsOf } from '../../model/text/pointer.ts'
import { matchRoute, type Route } from '../../schema/routes.ts'
import { type SchemaProblem, validateAgainst } from '../../schema/validate-against.ts'
import { type FaultEffect, type FaultPlan, parseFault } from '../faults.ts'
import type { Quirks } from '../quirks.ts'
import { ingestEvent } from '../resource/events.ts'
import type { ProjectCall } from '../resource/resource.ts'
import type { RowId } from '../rows.ts'
import { handlers } from '../seed.ts'
import {
  callerOf,
  callFor,
  findProject,
  isLoopback,
  ownerOf,
  type RequestCounter,
  requireScope,
  type Service,
} from './admission.ts'
import {
  type Answer,
  type Connection,
  headersOf,
  invalid,
  isJsonType,
  methodNotAllowed,
  missingField,
  notFound,
  parseJson,
  Refusal,
  readBody,
  readBytes,
  serverError,
} from './messages.ts'
import { pageAnswer, SdkLog, type SdkRequest, type Surface, sdkNamed } from './page-routes.ts'
import { isSdkPath, permissionFor, sdkAnswer, sdkRoutes } from './sdk-routes.ts'

type App = Hono<{ Bindings: Connection }>

/** The interface with its scripted faults, the control plane beside it, and quick answers to polls. */
export function createApp(
  service: Service,
  requests: RequestCounter,
  closing: AbortSignal,
  { page, onlySdks = false }: Surface,
): { readonly app: App; readonly polls: Polls } {
  const { faults } = service
  const polls = new Polls(service)
  const app: App = new Hono({ strict: false })
  const log = new SdkLog()
  if (page) {
    const ask = (request: Request) => dispatch(service, request, new URL(request.url))
    const serve: MiddlewareHandler<{ Bindings: Connection }> = async (context, next) => {
      const request = context.req.raw
      const url = new URL(request.url)
      const answer = await refusalsAnswered(service, () =>
        pageAnswer(service, { page, log, ask }, request, url),
      )
      return answer ? context.env.send(answer) : next()
    }
    app.all('/', serve).all('/_sandbox/page/*', serve)
  }
  if (!onlySdks) app.route('/_sandbox', controlPlane(service, requests, faults))
  app.all('*', context => {
    const request = context.req.raw
    const { method } = request
    const url = new URL(request.url)
    const path = url.pathname.replace(/(?<=.)\/+$/, '')
    const template = templateOf(method, path)
    const isOfSdk = isSdkPath(path)
    const [line, lineOfTemplate] = [`${method} ${path}`, template && `${method} ${template}`]
    const arrive = () => requests.count(line, lineOfTemplate)
    arrive()
    const answer = async (asked: Request) => {
      const state = polls.state()
      const sent = onlySdks && !isOfSdk ? unknownPath.answer : await dispatch(service, asked, url)
      const made = sdkRequest(service, request, url, sent)
      const note = () => {
        if (isOfSdk) log.add({ ...made, at: service.runtime.now() })
        if (isBilled(method, template ?? path, sent)) requests.bill()
      }
      note()
      polls.keep(context.env.head, sent, state, () => {
        arrive()
        note()
      })
      return sent
    }
    const connection = withPermission(context.env, permissionFor(request, url))
    const effect = faults.hit(method, path)
    if (!effect) return answer(request).then(connection.send)
    // A body can be read only once, and a fault may need it twice.
    return answerWithFault(service, effect, () => answer(request.clone()), connection, closing)
  })
  // A broken connection is an error for the caller, by intention.
  app.onError(error => {
    throw error
  })
  return { app, polls }
}

/**
 * Answers to polls. An SDK asks for definitions with the same bytes every few seconds, and gets the same answer until
 * something changes. Scripted faults and the throttle count requests, so with them every answer is made anew.
 */
export class Polls {
  readonly #service: Service
  readonly #kept = new Map<string, { readonly answer: Answer; readonly note: () => void }>()
  /** That of all the kept answers. */
  #state = 0

  constructor(service: Service) {
    this.#service = service
  }

  /** Another number when lasting answers may change: both of these only grow. */
  state(): number {
    const { store, faults } = this.#service
    return store.revision + faults.refused
  }

  /** Keeps the answer to a request without a body, made in a state, and what else has to be done for it. */
  keep(head: string | undefined, answer: Answer, state: number, note: () => void): void {
    if (head === undefined || answer.isLasting !== true || this.#service.quirks.throttle > 0) return
    // The answers can be large.
    if (this.#state !== state || this.#kept.size === mostPolls) this.#kept.clear()
    this.#state = state
    this.#kept.set(head, { answer: { ...answer, headers: headersOf(answer) }, note })
  }

  /** The answer that the same request had, ready to send, if nothing has changed. */
  again(head: string): Answer | undefined {
    if (this.#state !== this.state() || this.#service.faults.rules.length > 0) return undefined
    const kept = this.#kept.get(head)
    kept?.note()
    return kept?.answer
  }
}

const mostPolls = 50

const unknownPath = notFound('Endpoint not found.')

function sdkRequest({ runtime }: Service, request: Request, url: URL, answer: Answer): SdkRequest {
  const { method } = request
  const { status, about = '' } = answer
  return { at: runtime.now(), method, path: url.pathname, status, sdk: sdkNamed(request, url), about }
}

/** Without the permission a page learns nothing of a failure, not even its status. */
function withPermission(connection: Connection, permission: Answer['headers'] | undefined): Connection {
  if (permission === undefined) return connection
  const permitted = (answer: Answer) => ({ ...answer, headers: { ...answer.headers, ...permission } })
  return {
    send: answer => connection.send(permitted(answer)),
    reset: () => connection.reset(),
    truncate: answer => connection.truncate(permitted(answer)),
  }
}

function templateOf(method: string, path: string): string | undefined {
  const route = matchRoute(method, path)
  return route && !('allowed' in route) ? endpointOf(route)?.path : undefined
}

const { list, localEvaluation } = kinds.feature_flag.endpoints

/** The routes that return the flags of a project: its lists, and the definitions for SDKs. */
const billedPaths: ReadonlySet<string> = new Set([
  list.path,
  localEvaluation.path,
  ...Object.entries(sdkRoutes).flatMap(([path, { answers }]) => (/definitions$/.test(answers) ? [path] : [])),
])

function isBilled(method: string, path: string, { status }: Answer): boolean {
  return method === 'GET' && status === 200 && billedPaths.has(path)
}

async function answerWithFault(
  service: Service,
  effect: FaultEffect,
  answer: () => Promise<Answer>,
  connection: Connection,
  closing: AbortSignal,
): Promise<Response> {
  switch (effect.type) {
    case 'status':
      if (effect.committed) await answer()
      return connection.send(faultAnswer(effect))
    case 'slow':
      // A sandbox that is closing stops waiting and answers immediately.
      await service.runtime.sleep(effect.ms, closing).catch(() => undefined)
      return connection.send(await answer())
    case 'reset_before':
      return connection.reset()
    case 'reset_after':
      await answer()
      return connection.reset()
    case 'truncate':
      return connection.truncate(await answer())
    case 'twice':
      await answer()
      return connection.send(await answer())
  }
}

function faultAnswer(effect: FaultEffect & { readonly type: 'status' }): Answer {
  const { status, retryAfter: wait } = effect
  const headers: Record<string, string> = wait === undefined ? {} : { 'Retry-After': String(wait) }
  const ofClient = status < 500 ? 'invalid_request' : 'server_error'
  const [type, code] = status === 429 ? ['throttled_error', 'throttled'] : [ofClient, 'error']
  return new Refusal(status, type, code, 'This answer was scripted.', { headers }).answer
}

/** The control plane for tests and benches. Needs no key, and is not counted. */
function controlPlane(service: Service, requests: RequestCounter, faults: FaultPlan): Hono {
  const app = new Hono({ strict: false })
  app.post('*', async (context, next) =>
    isJsonType(context.req.header('content-type') ?? '')
      ? next()
      : context.json({ error: 'the content type must be application/json' }, 415),
  )
  app.get('/requests', context => context.json(requests.counts()))
  app.delete('/requests', context => {
    requests.reset()
    return context.body(null, 204)
  })
  app.get('/faults', context => context.json(faults.rules))
  app.delete('/faults', context => {
    faults.clear()
    return context.body(null, 204)
  })
  app.onError((error, context) => context.json({ error: error.message }, 400))
  app.post('/faults', async context => {
    faults.add(faultTexts(await bodyOf(context.req.raw)).map(parseFault))
    return context.json(faults.rules, 201)
  })
  app.post('/events', async context => {
    const id = takeUpEvent(service, await bodyOf(context.req.raw))
    return context.json({ id }, 201)
  })
  app.all('*', context =>
    context.json({ error: 'the sandbox only has "requests", "faults" and "events" here' }, 404),
  )
  return app
}

async function bodyOf(request: Request): Promise<Json> {
  return parseJson(new TextDecoder().decode(await readBytes(request)))
}

/** A fault as on the command line, or a list of faults. */
function faultTexts(body: Json): readonly string[] {
  const texts = isJsonArray(body) ? body : [body]
  return texts.map(text => {
    if (typeof text === 'string') return text
    throw new RangeError(
      'a fault must be a text such as "PATCH /feature_flags/* nth=2 reset_after", or a list of texts',
    )
  })
}

/** Records an event at the current time: the first one of its name creates the definition. */
function takeUpEvent({ store, runtime }: Service, body: Json): RowId {
  if (!isJsonObject(body) || typeof body.event !== 'string' || body.event === '')
    throw new RangeError('an event needs "event", its name')
  const id = String(body.project ?? '@current')
  const project = findProject(store, id)
  if (!project) throw new RangeError(`there is no project "${id}"`)
  const arrival = { store, now: runtime.now(), random: () => runtime.random() }
  const event = {
    event: body.event,
    distinct_id: typeof body.distinct_id === 'string' ? body.distinct_id : 'somebody',
    ...(isJsonObject(body.properties) ? { properties: body.properties } : {}),
    ...(typeof body.timestamp === 'string' ? { timestamp: body.timestamp } : {}),
  }
  return store.transact(() => ingestEvent(arrival, event, project)).id
}

/**
 * Whether a request to this host may be answered. A web page can point its own name to this machine and then
 * read the answers as its own. So only names that mean this machine are answered.
 *
 * | `Host`                                   | answered                                            |
 * |------------------------------------------|-----------------------------------------------------|
 * | localhost, something.localhost, loopback | always                                              |
 * | its own address, allowed names           | always                                              |
 * | another address in digits                | if it listens on all addresses: no name points to it |
 * | any other name, or none                  | never                                               |
 */
export function isAllowedHost(
  header: string | undefined,
  listensOn: string,
  allowed: readonly string[],
): boolean {
  const name = hostName(header ?? '')
  if (name === '') return false
  if (isLoopback(name)) return true
  if ([listensOn, ...allowed].some(each => hostName(each) === name)) return true
  return (listensOn === '0.0.0.0' || listensOn === '::') && isIP(name) !== 0
}

/** Without its port and brackets. */
function hostName(host: string): string {
  if (isIP(host) === 6) return host.toLowerCase()
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(host)?.[1]
  return (bracketed ?? host.replace(/:\d+$/, '')).toLowerCase()
}

type Found = NonNullable<ReturnType<typeof matchRoute>>

/** Answers one request of the interface. Every failure is an answer too. */
function dispatch(service: Service, request: Request, url: URL): Promise<Answer> {
  return refusalsAnswered(service, () => answerOf(service, request, url))
}

async function refusalsAnswered<A extends Answer | undefined>(
  service: Service,
  work: () => Promise<A>,
): Promise<A | Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return error.answer
    service.onError(error)
    return serverError().answer
  }
}

function endpointOf({ kind, endpoint }: Route): Endpoint | undefined {
  const described: Kind = kinds[kind]
  return described.endpoints[endpoint]
}

/** In the service's order: path, key, scope, rate limit, method, target, body. */
async function answerOf(service: Service, request: Request, url: URL): Promise<Answer> {
  const { store, quirks, runtime, throttle } = service
  const route = routeOf(request, quirks, url)
  if (!route) {
    const answer = await sdkAnswer(service, request, url)
    if (answer) return answer
    throw unknownPath
  }
  if (!('allowed' in route) && !hasRoute(quirks, route)) throw unknownPath
  if (isOddFormat(quirks, route, url)) throw notFound()
  const caller = callerOf(request.headers, service)
  if (!('allowed' in route))
    requireScope(service, scopeFor(kinds[route.kind], route.endpoint, quirks), caller)
  throttle.admit(runtime.now())
  if ('allowed' in route) throw methodNotAllowed(request.method, route.allowed)
  const endpoint = endpointOf(route)
  const handler = handlerOf(route)
  if (!endpoint || !handler) throw notFound()
  const place = ownerOf(store, route.params)
  const fields = quirks.form_bodies ? kinds[route.kind].fields : undefined
  const body = endpoint.body === undefined ? {} : await readBody(request, fields)
  if (endpoint.body !== undefined) checkBody(route.kind, route.endpoint, body)
  if (request.method === 'PUT' && endpoint.method !== 'PUT') checkWhole(route.kind, body)
  const call = callFor(service, place, { caller, params: route.params, url, body })
  // Project handlers run only if the path names a project.
  return store.transact(() => handler(call as ProjectCall))
}

/** A PUT without an endpoint of its own changes the same as PATCH, if the service supports it at all. */
function routeOf({ method }: Request, { put }: Quirks, { pathname }: URL): ReturnType<typeof matchRoute> {
  const route = matchRoute(method === 'HEAD' ? 'GET' : method, pathname)
  const isOther = method === 'PUT' && put && route && 'allowed' in route
  return isOther ? matchRoute('PATCH', pathname) : route
}

/** Formats are checked before the key; only endpoints with a format parameter have others than JSON. */
function isOddFormat({ format_elsewhere }: Quirks, route: Found, url: URL): boolean {
  const endpoint = 'allowed' in route ? undefined : endpointOf(route)
  if (format_elsewhere === 'ignored' || endpoint?.query?.format) return false
  return (url.searchParams.get('format') ?? 'json') !== 'json'
}

function checkWhole(kind: Route['kind'], body: JsonObject): void {
  for (const [name, field] of Object.entries<Field>(kinds[kind].fields))
    if (field.required && body[name] === undefined) throw missingField(name)
}

function handlerOf({ kind, endpoint }: Route): ((call: ProjectCall) => Answer) | undefined {
  const ofKind = handlers[kind]
  return ofKind && Object.hasOwn(ofKind, endpoint) ? ofKind[endpoint] : undefined
}

const stateOperations = ['enable', 'disable', 'archive', 'unarchive']

/** Whether a service with these quirks has a route at all: a service without it never checks the key. */
export function hasRoute(quirks: Quirks, { kind, endpoint }: Pick<Route, 'kind' | 'endpoint'>): boolean {
  switch (kind) {
    case roleAccess.name: {
      const { list, put } = roleAccess.lifecycle.levels
      const hasLevels = endpoint === list || endpoint === put
      return quirks.grants_route === 'both' || (quirks.grants_route === 'access_controls') === hasLevels
    }
    case pluginKind.name:
      return quirks.plugins_route === 'served'
    case roleKind.name:
      return quirks.roles_route
    case featureFlag.name:
      if (endpoint === 'changeRequest') return quirks.change_request !== 'none'
      if (stateOperations.includes(endpoint)) return quirks.flag_state_operations
      return endpoint !== 'localEvaluation' || quirks.local_evaluation === 'served'
    default:
      return true
  }
}

/** Refuses a body that does not fit the interface; like the service, it reports only the first problem. */
function checkBody(kind: KindName, endpoint: string, body: JsonObject): void {
  const [first] = validateAgainst(`${kind}$${endpoint}`, body)
  if (first) throw refusalOf(first, body)
  // No text of the service's database can contain one.
  if (/(^|[^\\])(\\\\)*\\u0000/.test(writeJson(body)))
    throw invalid(null, 'Null characters are not allowed.', 'null_characters_not_allowed')
}

function refusalOf({ pointer, keyword, params, message }: SchemaProblem, body: JsonObject): Refusal {
  const attr = segmentsOf(pointer).join('__') || null
  const value = getAt(body, pointer)
  if (keyword === 'enum')
    return invalid(attr, `${JSON.stringify(value)} is not a valid choice.`, 'invalid_choice')
  if (keyword !== 'type') return invalid(attr, `Must be valid: ${message}.`)
  if (value === null) return invalid(attr, 'This field may not be null.', 'null')
  const types = [params.type].flat().filter(type => type !== 'null')
  const given = isJsonArray(value) ? 'list' : typeof value
  if (types.includes('object'))
    return invalid(attr, `Expected a dictionary of items but got type "${given}".`, 'not_a_dict')
  if (types.includes('array'))
    return invalid(attr, `Expected a list of items but got type "${given}".`, 'not_a_list')
  return invalid(attr, `A valid ${types.join(' or ')} is required.`)
}
