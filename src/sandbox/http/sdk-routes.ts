import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { oncePer } from '../../model/runtime.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { isUuid } from '../../model/text/json-shape.ts'
import { writeJson } from '../../model/text/json-text.ts'
import { code, table } from '../../schema/reference.ts'
import { decodedSegment } from '../../schema/routes.ts'
import { type Evaluation, payloadText, type Subject } from '../../targeting/index.ts'
import { definitionsOf, evaluationFor } from '../resource/evaluation.ts'
import { ingestEvent } from '../resource/events.ts'
import type { ProjectCall, Seeding } from '../resource/resource.ts'
import { type FlagRow, normalTime, type ProjectRow, uuidFrom } from '../rows.ts'
import { projectByToken } from '../store.ts'
import { callerOf, callFor, findProject, isLoopback, requireScope, type Service } from './admission.ts'
import {
  type Answer,
  emptyAnswer,
  forbidden,
  invalid,
  jsonAnswer,
  maxBodyBytes,
  methodNotAllowed,
  missingField,
  notFound,
  parseJson,
  readBytes,
  serverError,
  tooLarge,
  unknownProjectToken,
  unparsable,
} from './messages.ts'

interface SdkRoute {
  readonly method: 'GET' | 'POST'
  readonly answers:
    | 'definitions'
    | 'all definitions'
    | 'remote config'
    | 'browser config'
    | 'browser script'
    | 'decide'
    | 'flags'
    | 'capture'
  readonly doc: string
}

/**
 * The routes of SDKs, with the token of a project instead of its id. The interface document omits them; they
 * answer in every profile, with or without a slash at the end. [sdk-routes]
 */
// biome-ignore format: a table
export const sdkRoutes = {
  '/api/feature_flag/local_evaluation': { method: 'GET',  answers: 'definitions',     doc: 'Active flags for SDKs with local evaluation; `token`, and `send_cohorts` for the cohorts. Needs the API key.' },
  '/flags/definitions':                 { method: 'GET',  answers: 'all definitions', doc: 'The same for SDKs since 2025, with inactive flags and the version by which properties are matched.' },
  '/api/projects/{project}/feature_flags/{key}/remote_config': { method: 'GET', answers: 'remote config', doc: 'The payload of a flag, as a text that holds JSON. Needs the API key; with `token`, the project is that of the token.' },
  '/array/{token}/config':              { method: 'GET',  answers: 'browser config',  doc: 'The configuration of SDKs in browsers.' },
  '/array/{token}/config.js':           { method: 'GET',  answers: 'browser script',  doc: 'The same as a script.' },
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
  const { route } = found
  if (isOfAnotherPage(request, url, route)) throw forbidden('Only pages of this machine may use the sandbox.')
  if (request.method === 'OPTIONS' && permissionFor(request, url)) return emptyAnswer(204)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (method !== route.method) throw methodNotAllowed(request.method, [route.method])
  return routeAnswer(service, request, url, found)
}

async function routeAnswer(
  service: Service,
  request: Request,
  url: URL,
  { route, params }: Found,
): Promise<Answer> {
  switch (route.answers) {
    case 'definitions':
    case 'all definitions':
      return definitions(service, request, url, hasInactive(service, route))
    case 'remote config':
      return remoteConfig(service, request, url, params)
    case 'browser config':
    case 'browser script':
      return browserConfig(service, params, route.answers)
    default:
      return posted(service, request, url, route.answers)
  }
}

/**
 * The headers with which a page of this machine may read an answer, and failures too. Undefined for what is no
 * page, and for routes that need the API key: no page should have it. [sdk-routes 4]
 */
export function permissionFor(request: Request, url: URL): Record<string, string> | undefined {
  const origin = request.headers.get('origin')
  if (origin === null) return undefined
  const found = routeOf(url.pathname.replace(/\/$/, ''))
  if (!found || keyedAnswers.has(found.route.answers) || !isOwnOrigin(origin, url)) return undefined
  const asked = request.headers.get('access-control-request-headers')
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    ...(asked === null ? {} : { 'Access-Control-Allow-Headers': asked }),
    Vary: 'Origin',
  }
}

/** A page elsewhere could send events without a permission, since it needs none to ask. */
function isOfAnotherPage(request: Request, url: URL, { answers }: SdkRoute): boolean {
  const origin = request.headers.get('origin')
  return origin !== null && !keyedAnswers.has(answers) && !isOwnOrigin(origin, url)
}

const keyedAnswers: ReadonlySet<SdkRoute['answers']> = new Set([
  'definitions',
  'all definitions',
  'remote config',
])

/** A page at any port of this machine, or of the host name by which the sandbox was asked. */
function isOwnOrigin(origin: string, { hostname }: URL): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname: theirs } = new URL(origin)
  return /^https?:$/.test(protocol) && (theirs === hostname || isLoopback(theirs))
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

const patterns = Object.entries<SdkRoute>(sdkRoutes).map(([template, route]) => ({
  route,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
}))

/** The route of a path, with the values for the names in braces. */
function routeOf(path: string): Found | undefined {
  for (const { route, pattern } of patterns) {
    const match = pattern.exec(path)
    if (match) return { route, params: match.slice(1).map(decodedSegment) }
  }
  return undefined
}

/** Whether SDKs use this path. */
export function isSdkPath(path: string): boolean {
  return routeOf(path) !== undefined
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
  const isKnown = isAmong(request.headers.get('if-none-match'), digest)
  const sent = isKnown ? emptyAnswer(304) : answer
  return { ...sent, headers: { ...sent.headers, ...headers }, isLasting: true }
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
  const answer = store.transact(() => remoteEvaluation(callIn(service, project, url, asked), answers))
  return { ...answer, about: distinctIdIn(asked.distinct_id) ?? '' }
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

interface Evaluated {
  readonly flag: FlagRow
  readonly evaluation: Evaluation
}

/** As JSON, or as a script that hands it to the SDK. [sdk-routes 4] */
function browserConfig(
  service: Service,
  [token = '']: readonly string[],
  answers: 'browser config' | 'browser script',
): Answer {
  projectNamed(service, token)
  const config = { ...quietConfig, token, analytics: { endpoint: '/i/v0/e/' }, defaultIdentifiedOnly: true }
  if (answers === 'browser config') return jsonAnswer(config)
  const all = 'window._POSTHOG_REMOTE_CONFIG'
  const text = `${all} = Object.assign(${all} ?? {}, ${writeJson({ [token]: { config, siteApps: [] } })})\n`
  return { status: 200, headers: { 'Content-Type': 'application/javascript' }, text }
}

/** The configuration that browsers get with their flags; nothing makes them send more. [sdk-routes 4] */
const quietConfig = {
  config: { enable_collect_everything: true },
  supportedCompression: ['gzip', 'gzip-js'],
  hasFeatureFlags: true,
  sessionRecording: false,
  surveys: false,
  heatmaps: false,
  capturePerformance: false,
  autocapture_opt_out: true,
  autocaptureExceptions: false,
  captureDeadClicks: false,
  productTours: false,
  siteApps: [],
  isAuthenticated: false,
  toolbarParams: {},
} as const satisfies JsonObject

/**
 * The flags of one person, as SDKs request them: `POST /decide/?v=` and `POST /flags/?v=`. [sdk-routes 2]
 *
 * | route, version          | flags                                                                    |
 * |-------------------------|--------------------------------------------------------------------------|
 * | `/decide`, 1            | `featureFlags`: the keys of those that are on                            |
 * | `/decide`, 2            | `featureFlags`: the values of those that are on                          |
 * | `/decide`, 3; `/flags`, 1 | `featureFlags`: all values, `featureFlagPayloads`: JSON texts           |
 * | `/decide`, 4; `/flags`, 2 and later | `flags`: each with its value, reason and payload              |
 */
function remoteEvaluation(call: ProjectCall, route: 'decide' | 'flags'): Answer {
  const found = call.body.disable_flags === true ? [] : evaluated(call)
  const version = Number(call.url.searchParams.get('v') ?? 1)
  const config = route === 'decide' ? quietConfig : {}
  // A doubt is no refusal: values are still used, and clients can show that there was a problem.
  const errorsWhileComputingFlags = found.some(({ evaluation }) => evaluation.undecided !== undefined)
  const shape = route === 'decide' ? version : version + 2
  const { text = '', ...answer } = jsonAnswer({
    ...config,
    ...(shape >= 4 ? {} : valuesIn(found, shape)),
    errorsWhileComputingFlags,
    requestId: uuidFrom(call.random),
    evaluatedAt: call.now,
  })
  return { ...answer, text: shape >= 4 ? `{"flags":{${found.map(recordText)}},${text.slice(1)}` : text }
}

/** The flags in a shape before 4. */
function valuesIn(found: readonly Evaluated[], version: number): JsonObject {
  const on = found.filter(({ evaluation }) => evaluation.value !== false)
  if (version >= 3) return { featureFlags: valuesOf(found), featureFlagPayloads: payloadsOf(on) }
  if (version === 2) return { featureFlags: valuesOf(on) }
  return { featureFlags: on.map(({ flag }) => flag.key) }
}

function valuesOf(found: readonly Evaluated[]): JsonObject {
  return Object.fromEntries(found.map(({ flag, evaluation }) => [flag.key, evaluation.value]))
}

function payloadsOf(found: readonly Evaluated[]): JsonObject {
  const payloads = found.flatMap(({ flag, evaluation }) => {
    const text = payloadTextOf(evaluation)
    return text === null ? [] : [[flag.key, text] as const]
  })
  return Object.fromEntries(payloads)
}

/** A flag with its key, as JSON text. Each flag has few outcomes, so each text is written once. */
function recordText(each: Evaluated): string {
  const { flag, evaluation } = each
  const { value, reason, conditionIndex, undecided } = evaluation
  const write = () => `${writeJson(flag.key)}:${writeJson(flagRecord(each))}`
  // Its reason may name anything.
  if (undecided !== undefined) return write()
  const [texts, outcome] = [textsOf(flag), `${reason} ${conditionIndex} ${typeof value} ${value}`]
  const text = texts.get(outcome) ?? write()
  texts.set(outcome, text)
  return text
}

const textsOf = oncePer((_: FlagRow) => new Map<string, string>())

function flagRecord({ flag, evaluation }: Evaluated): JsonObject {
  const { value, reason, conditionIndex = null, undecided } = evaluation
  return {
    key: flag.key,
    enabled: value !== false,
    variant: typeof value === 'string' ? value : null,
    reason: {
      code: reason,
      condition_index: conditionIndex,
      description: undecided ?? reasonText(evaluation),
    },
    metadata: {
      id: flag.id,
      version: flag.version,
      payload: payloadTextOf(evaluation),
      description: flag.name === '' ? null : flag.name,
    },
    ...(undecided === undefined ? {} : { failed: true }),
  }
}

function reasonText({ reason, conditionIndex }: Evaluation): string {
  switch (reason) {
    case 'condition_match':
      return `Matched condition set ${(conditionIndex ?? 0) + 1}`
    case 'out_of_rollout_bound':
      return 'Out of rollout bound'
    case 'holdout_condition_value':
      return 'Holdout condition value'
    case 'super_condition_value':
      return 'Super condition value'
    default:
      return 'No matching condition set'
  }
}

function payloadTextOf({ payload }: Evaluation): string | null {
  return payload === undefined ? null : payloadText(payload)
}

/** Inactive flags are not evaluated: the caller learns nothing about them. */
function evaluated(call: ProjectCall): readonly Evaluated[] {
  const { store, project, body } = call
  const wanted = isJsonArray(body.flag_keys_to_evaluate) ? body.flag_keys_to_evaluate : undefined
  const evaluate = evaluationFor(call, subjectIn(body))
  return store.liveFlags
    .all(project.id)
    .filter(flag => flag.active && (wanted === undefined || wanted.includes(flag.key)))
    .map(flag => ({ flag, evaluation: evaluate(flag) }))
}

/** The subject in the body of an SDK. Refuses one without an id. */
export function subjectIn(body: JsonObject): Subject {
  const { distinct_id, person_properties, groups, group_properties, device_id, $device_id } = body
  const properties = objectIn(person_properties)
  const distinctId = distinctIdIn(distinct_id)
  if (distinctId === undefined) throw missingField('distinct_id')
  // Browsers send the device beside the person, servers as a property or beside it.
  const device = $device_id ?? device_id ?? properties.$device_id
  return {
    distinctId,
    properties,
    ...(typeof device === 'string' ? { deviceId: device } : {}),
    groups: Object.fromEntries(Object.entries(objectIn(groups)).map(([type, key]) => [type, String(key)])),
    groupProperties: Object.fromEntries(
      Object.entries(objectIn(group_properties)).map(([type, known]) => [type, objectIn(known)]),
    ),
  }
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Ingests events: one, a list, or a `batch`. Either all or, if one has no name, none. [sdk-routes 3] */
function captureEvents(arrival: Seeding, project: ProjectRow, body: Json): Answer {
  const events = eventsIn(body)
  if (events.length === 0) throw invalid('batch', 'There are no events.', 'required')
  for (const event of events) ingestEvent(arrival, eventOf(event), project)
  // On a 204 some SDKs send everything again.
  const names = [...new Set(events.map(event => (isJsonObject(event) ? String(event.event) : '')))]
  return { ...jsonAnswer({ status: 'Ok' }), about: names.slice(0, 5).join(', ') }
}

/** The project token in a body: beside the events, or in each of them. */
function tokenIn(body: Json): string | undefined {
  const [first] = isJsonArray(body) ? body : [body]
  if (!isJsonObject(first)) return undefined
  const properties = isJsonObject(first.properties) ? first.properties : {}
  const batched = isJsonArray(first.batch) && isJsonObject(first.batch[0]) ? first.batch[0] : undefined
  const token =
    first.token ?? first.api_key ?? properties.token ?? (batched && (batched.token ?? batched.api_key))
  return typeof token === 'string' ? token : undefined
}

function eventsIn(body: Json): readonly Json[] {
  if (isJsonArray(body)) return body
  if (!isJsonObject(body)) return []
  if (isJsonArray(body.batch)) return body.batch
  return body.event === undefined ? [] : [body]
}

function eventOf(event: Json) {
  const { event: name, uuid, timestamp, ...rest } = isJsonObject(event) ? event : {}
  if (typeof name !== 'string' || name === '') throw invalid('event', 'An event needs a name.', 'required')
  const properties: JsonObject = isJsonObject(rest.properties) ? rest.properties : {}
  const distinctId = distinctIdIn(rest.distinct_id ?? properties.distinct_id)
  if (distinctId === undefined) throw invalid('distinct_id', 'An event needs a distinct_id.', 'required')
  return {
    event: name,
    distinct_id: distinctId,
    properties,
    ...(typeof uuid === 'string' && isUuid(uuid) ? { id: uuid } : {}),
    ...(typeof timestamp === 'string' && normalTime(timestamp) ? { timestamp } : {}),
  }
}

/**
 * Reads what SDKs send, by its content: headers and queries are not reliable. The first two bytes show gzip;
 * the rest is a form with `data=`, base64, or JSON. [sdk-routes 3]
 */
function decodeBody(bytes: Uint8Array): Json {
  const text = textOf(bytes).trim()
  if (text === '') return {}
  if (/^[[{]/.test(text)) return parseJson(text)
  const data = new URLSearchParams(text).get('data')
  if (data !== null) return decodeData(data)
  return decodeData(text)
}

/** The same for a single object. */
function decodeObject(bytes: Uint8Array): JsonObject {
  const value = decodeBody(bytes)
  if (isJsonObject(value)) return value
  throw unparsable('Malformed request data: expected an object')
}

/** The value of a form: JSON, or base64 of JSON, possibly gzipped. A plus sign may have become a blank. */
function decodeData(data: string): Json {
  if (/^\s*[[{]/.test(data)) return parseJson(data)
  const base64 = data.replaceAll(' ', '+').trim()
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64))
    throw unparsable('Malformed request data: neither JSON nor base64')
  return parseJson(textOf(Buffer.from(base64, 'base64')))
}

function textOf(bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  return new TextDecoder().decode(isGzip ? unzip(bytes) : bytes)
}

/** A few bytes can expand to any number, so the limit of a body applies. */
function unzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBodyBytes })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge()
    throw unparsable('Malformed request data: the gzip cannot be read')
  }
}

/** The subject: a text, or a number as a text with all its digits. Undefined for anything else. */
function distinctIdIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' || isJsonNumber(value) ? String(value) : undefined
}

/** The page of the sandbox, in Markdown. */
export function sandboxReference(): string {
  return [
    '# The sandbox',
    '',
    '`vexil sandbox` runs a stand-in for the service. It answers every operation of the interface, and the requests of SDKs. `npm run generate` generates this page.',
    '',
    '| goal | command |',
    '|---|---|',
    '| a server | `vexil sandbox --port 8100`; it prints the variables to export |',
    '| no server | `--sandbox` with any command: data is stored in `.vexil/sandbox` |',
    '| [a page](local-development.md) | at `/`: who gets what and why; switch flags as a colleague would. `--no-page` turns it off |',
    '| own content | `--world FILE` ([schema](../schemas/world.schema.json)) |',
    '| persistent content | `--data FOLDER` |',
    '| another service | `--profile posthog` or `--profile posthog-2026`; the default is `documented` |',
    '| one behaviour of a service | `--quirk NAME=VALUE`; `vexil sandbox quirks` lists all ([meanings](services.md#differences)) |',
    '| a key with few scopes | `--scope feature_flag:read`, repeatable |',
    '| errors and lost answers | `--fault`; `vexil sandbox --help` shows how |',
    '| access from a container | `--allow-host NAME`: the sandbox only answers to loopback and to the address that it listens on |',
    '',
    "The key belongs to the first user. The key of every other user has `_user_` and the user's id appended, such as",
    '`phx_sandbox_local_only_000000000000000000000_user_2`. Use it to change a flag as another user; the activity trail shows the user.',
    '',
    '## Requests of SDKs',
    '',
    'Give an SDK the address of the sandbox as its host, and the project token that `vexil sandbox` prints (`api_token` of a world sets it).',
    'Every profile answers, with or without a trailing slash. Payloads are JSON text. Pages of this machine may use the routes without a key, such as with posthog-js;',
    'other pages get 403.',
    '',
    ...table(['Route', 'Answer'], sdkRows()),
    '## Undecided results',
    '',
    'The sandbox evaluates conditions as the service of its profile does. If it cannot (a pattern with look-around, what people did, a text that is not a date),',
    'it never answers a plain "no":',
    '',
    '| answer | undecided results are in |',
    '|---|---|',
    '| `my_flags`, `evaluation_reasons` | `undecided`, with the reason |',
    '| `user_blast_radius`, `create_static_cohort_for_flag` | `users_undecided` |',
    '| SDKs | `errorsWhileComputingFlags`, `failed` at the flag |',
    '| `evaluate` of `vexil/testing` | an error |',
    '',
  ].join('\n')
}

function sdkRows(): readonly (readonly string[])[] {
  return Object.entries(sdkRoutes).map(([path, { method, doc }]) => [code(`${method} ${path}`), doc])
}
