import { featureFlag, type KindName, kinds, pluginKind, roleAccess, roleKind } from '../../kinds/index.ts'
import { scopeFor } from '../../kinds/key-scopes.ts'
import type { Endpoint } from '../../model/endpoint.ts'
import type { Field } from '../../model/field.ts'
import { isJsonArray, type JsonObject } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import { getAt, segmentsOf } from '../../model/json/pointer.ts'
import type { Kind } from '../../model/kind.ts'
import { matchRoute, type Route } from '../../schema/routes.ts'
import { type SchemaProblem, validateAgainst } from '../../schema/validate-against.ts'
import type { Quirks } from '../behaviour/quirks.ts'
import type { ProjectCall } from '../resource/resource.ts'
import { handlers } from '../served-kinds.ts'
import { callerOf, callFor, ownerOf, requireScope, type Service } from './admission.ts'
import {
  type Answer,
  invalid,
  methodNotAllowed,
  missingField,
  notFound,
  Refusal,
  serverError,
} from './answer.ts'
import { readBody } from './read-body.ts'
import { sdkAnswer } from './sdk-routes.ts'

type Found = NonNullable<ReturnType<typeof matchRoute>>

/** Answers one request of the interface. Every failure is an answer too. */
export async function dispatch(service: Service, request: Request, url: URL): Promise<Answer> {
  try {
    return await answerOf(service, request, url)
  } catch (error) {
    if (error instanceof Refusal) return error.answer
    service.onError(error)
    return serverError().answer
  }
}

/** The endpoint of a route. */
export function endpointOf({ kind, endpoint }: Route): Endpoint | undefined {
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
    throw notFound('Endpoint not found.')
  }
  if (!('allowed' in route) && !hasRoute(quirks, route)) throw notFound('Endpoint not found.')
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
