import { kinds } from '../../kinds/index.ts'
import { scopeFor } from '../../kinds/key-scopes.ts'
import type { Endpoint } from '../../model/endpoint.ts'
import type { Fields } from '../../model/field.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { Kind } from '../../model/kind.ts'
import { matchRoute, type Route } from '../../schema/routes.ts'
import type { Quirks } from '../behaviour/quirks.ts'
import type { ProjectCall } from '../resource/call.ts'
import { sdkAnswer } from '../sdk/sdk-routes.ts'
import { handlers } from '../served-kinds.ts'
import { callerOf, ownerOf, requireScope } from './admission.ts'
import type { Answer } from './answer.ts'
import { checkBody } from './check-body.ts'
import { hasRoute } from './has-route.ts'
import { readBody } from './read-body.ts'
import { methodNotAllowed, missingField, notFound, Refusal, serverError } from './refusal.ts'
import type { Service } from './service.ts'

type Found = NonNullable<ReturnType<typeof matchRoute>>

/** Answers one request of the interface. Whatever goes wrong is an answer too. */
export async function dispatch(service: Service, request: Request, url: URL): Promise<Answer> {
  try {
    const answer = await answerOf(service, request, url).catch(refusedAnswer)
    // Nothing is told before it would survive the end of the process, not even by a read or a refusal.
    await service.store.settled()
    return answer
  } catch (error) {
    service.onError(error)
    return serverError().answer
  }
}

/** The endpoint that a route means. */
export function endpointOf({ kind, endpoint }: Route): Endpoint | undefined {
  const described: Kind = kinds[kind]
  return described.endpoints[endpoint]
}

/** In the order of the service: the path, the key, its scope, the pace, the method, the place, the body. */
async function answerOf(service: Service, request: Request, url: URL): Promise<Answer> {
  const { store, quirks, runtime, throttle } = service
  const route = routeOf(request, quirks, url)
  if (!route) {
    const answer = await sdkAnswer(service, request, url)
    if (answer) return answer
    throw notFound('Endpoint not found.')
  }
  if (!('allowed' in route) && !hasRoute(quirks, route)) throw notFound('Endpoint not found.')
  if (isOddFormat(quirks, route, url)) throw notFound()
  const caller = callerOf(request.headers, service)
  if (!('allowed' in route))
    requireScope(service, scopeFor(kinds[route.kind], route.endpoint, quirks), caller)
  const now = runtime.now()
  throttle.admit(now)
  if ('allowed' in route) throw methodNotAllowed(request.method, route.allowed)
  const endpoint = endpointOf(route)
  const handler = handlerOf(route)
  if (!endpoint || !handler) throw notFound()
  const place = ownerOf(store, route.params)
  const fields = quirks.form_bodies ? fieldsOf(route.kind) : undefined
  const body = endpoint.body === undefined ? {} : await readBody(request, fields)
  if (endpoint.body !== undefined) checkBody(route.kind, route.endpoint, body)
  if (request.method === 'PUT' && endpoint.method !== 'PUT') checkWhole(route.kind, body)
  const random = () => runtime.random()
  const call = { store, quirks, now, random, caller, params: route.params, url, body, ...place }
  // A project is there whenever the path names one, and only such handlers ask for it.
  return store.transact(() => handler(call as ProjectCall))
}

/** Where PUT has no endpoint of its own it changes what PATCH does, if it is known at all. */
function routeOf({ method }: Request, { put }: Quirks, { pathname }: URL): ReturnType<typeof matchRoute> {
  const route = matchRoute(method === 'HEAD' ? 'GET' : method, pathname)
  const isOther = method === 'PUT' && put && route && 'allowed' in route
  return isOther ? matchRoute('PATCH', pathname) : route
}

/** Formats are told apart before the key is looked at; only endpoints that take one have another than JSON. */
function isOddFormat({ format_elsewhere }: Quirks, route: Found, url: URL): boolean {
  const endpoint = 'allowed' in route ? undefined : endpointOf(route)
  if (format_elsewhere === 'ignored' || endpoint?.query?.format) return false
  return (url.searchParams.get('format') ?? 'json') !== 'json'
}

function fieldsOf(kind: Route['kind']): Fields {
  return kinds[kind].fields
}

function checkWhole(kind: Route['kind'], body: JsonObject): void {
  for (const [name, field] of Object.entries(fieldsOf(kind)))
    if (field.required && body[name] === undefined) throw missingField(name)
}

function refusedAnswer(error: unknown): Answer {
  if (error instanceof Refusal) return error.answer
  throw error
}

function handlerOf({ kind, endpoint }: Route): ((call: ProjectCall) => Answer) | undefined {
  const ofKind = handlers[kind]
  return ofKind && Object.hasOwn(ofKind, endpoint) ? ofKind[endpoint] : undefined
}
