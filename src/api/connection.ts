import {
  defaultProfile,
  type Profile,
  type ProfileProof,
  type ProfileSetting,
  profiles,
  proxyVariables,
  type Sign,
} from '../model/connection.ts'
import { pathParameters } from '../model/endpoint.ts'
import type { Kind, Lifecycle, Tell } from '../model/kind.ts'
import type { Runtime } from '../model/runtime.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { profilesWith } from '../services/differences.ts'
import { servicesBehind } from '../targeting/operators.ts'
import { type BaseUrl, parseBaseUrl, withoutEndSlash } from './base-url.ts'
import { isNotFound, UnexpectedAnswerError } from './errors.ts'
import {
  type ConnectionOptions,
  createExchange,
  type Exchange,
  type ExchangeOptions,
  type RequestDispatcher,
} from './exchange.ts'
import {
  type Completeness,
  levelPage,
  type PageSource,
  RecordList,
  readPage,
  readPages,
  type Way,
  Ways,
} from './list.ts'
import {
  type Answer,
  buildRequest,
  type CallArguments,
  type Id,
  type Owner,
  ReadOnlyError,
  type Request,
  type Spelling,
  spellingOf,
} from './operation.ts'
import { createRedactor, type Redact, type RedactAnswer } from './redact.ts'
import {
  onAbort,
  type Pace,
  type Rate,
  RateLimiter,
  type RequestEvent,
  type RetryOptions,
  RetryPolicy,
  type Sender,
  send,
} from './send.ts'
import { requireKey, SettingError } from './settings.ts'

/** The base of a client's calls. */
export class Connection {
  readonly target: ClientTarget
  readonly routes = new Ways()
  readonly #baseUrl: BaseUrl
  readonly #sender: Sender
  readonly #redact: Redact
  readonly #readOnly: boolean
  readonly #parallelism: number
  #own: RequestDispatcher | undefined
  readonly #recognition: Recognition
  #closing: Promise<void> | undefined
  #requestCount = 0

  constructor(options: ClientOptions) {
    checkOptions(options)
    const { runtime, parallelism = defaultParallelism, timeoutMs = 60_000 } = options
    this.#recognition = new Recognition(options.profile ?? defaultProfile)
    this.target = targetOf(options, this.#recognition)
    this.#baseUrl = parseBaseUrl(options.baseUrl)
    this.#redact = createRedactor([options.apiKey])
    this.#readOnly = options.readOnly ?? false
    this.#parallelism = parallelism
    const connectTimeoutMs = Math.min(longestConnectMs, timeoutMs)
    const open = () => {
      this.#own = openDispatcher(this.#baseUrl, { ...options, parallelism, connectTimeoutMs })
      return this.#own
    }
    const dispatcher = options.pool?.dispatcher ?? options.dispatcher ?? open()
    this.#sender = {
      server: new URL(this.#baseUrl.origin),
      exchange: this.#countedExchange({ ...options, dispatcher, timeoutMs }),
      limiter: options.pool?.limiter ?? new RateLimiter({ ...options, parallelism }),
      retry: new RetryPolicy(options.retry ?? {}, runtime),
      runtime,
      redact: this.#redact,
      redactAnswer: options.redactAnswer ?? (text => text),
      onRequest: options.onRequest ?? (() => {}),
      isClosed: () => this.#closing !== undefined,
    }
  }

  get recognized(): Recognized {
    return this.#recognition
  }

  get requestCount(): number {
    return this.#requestCount
  }

  async call(kind: Kind, endpoint: string, options: CallOptions = {}): Promise<Answer> {
    const { toWire } = this.#spelling(kind)
    const body = options.body && toWire(options.body)
    const request = buildRequest(kind, endpoint, { ...options, body }, this.target)
    const fromWire = this.#reader(kind, () => request)
    const answer = await this.#send(request, options.signal)
    this.routes.sawAnswer(kind, endpoint)
    switch (request.endpoint.answer) {
      case 'record':
        return { ...answer, body: fromWire(answer.body) }
      case 'page':
        return { ...answer, body: mapResults(answer.body, fromWire) }
      default:
        return answer
    }
  }

  async probe(kind: Kind, endpoint: string): Promise<Answer> {
    return this.#send(buildProbe(kind, endpoint, this.target), undefined)
  }

  list(kind: Kind, options: ListCallOptions = {}): RecordList<JsonObject> {
    const { levels, listedApart } = kind.lifecycle ?? {}
    return new RecordList(completeness => {
      if (listedApart && !options.asAnswered)
        return this.#wholePages(kind, options, listedApart, completeness)
      return levels
        ? this.#pagesEitherWay(kind, options, completeness)
        : this.#pages(kind, options, { completeness })
    })
  }

  /**
   * A list and then archived objects. The first record may identify the service, so they are requested after
   * it. A service that does not know the query repeats its whole list.
   */
  async *#wholePages(
    kind: Kind,
    options: ListCallOptions,
    { field, behaviour, is }: NonNullable<Lifecycle['listedApart']>,
    completeness: Completeness,
  ): AsyncGenerator<JsonObject[], void> {
    yield* this.#pages(kind, options, { completeness })
    if (!profilesWith(behaviour, is).includes(this.target.profile)) return
    const { query: asked } = options
    const query = { ...(asked instanceof URLSearchParams ? Object.fromEntries(asked) : asked), [field]: true }
    const isWanted = (record: JsonObject) => record[field] === true
    yield* this.#pages(kind, { ...options, query }, { completeness, isWanted })
  }

  /** A list that a service has in one of two forms. If one path does not exist, the other is used. */
  async *#pagesEitherWay(
    kind: Kind,
    options: ListCallOptions,
    completeness: Completeness,
  ): AsyncGenerator<JsonObject[], void> {
    const done = await this.routes.turn(kind.name)
    try {
      let failure: unknown
      for (const way of this.routes.toTry(kind, this.target.profile)) {
        let isThere = false
        try {
          for await (const page of this.#pages(kind, options, { completeness }, way)) {
            isThere = true
            this.routes.saw(kind.name, way)
            done()
            yield page
          }
          return
        } catch (error) {
          if (isThere || !isNotFound(error)) throw error
          failure ??= error
        }
      }
      throw failure
    } finally {
      done()
    }
  }

  async *#pages(
    kind: Kind,
    options: ListCallOptions,
    whole: Pick<PageSource, 'completeness' | 'isWanted'>,
    way: Way = 'records',
  ): AsyncGenerator<JsonObject[], void> {
    const { signal } = options
    signal?.throwIfAborted()
    const { list = 'list', levels, listTakesNoQuery = false } = kind.lifecycle ?? {}
    const endpoint = way === 'levels' ? (levels?.list ?? list) : list
    const first = buildRequest(kind, endpoint, options, this.target)
    const refuse = this.#refusal(first)
    const fromWire = this.#reader(kind, () => first)
    const toRecord = (row: Json) => {
      const record = fromWire(row)
      if (isJsonObject(record)) return record
      throw refuse('no_page', `has a row that is not a ${kind.title}`)
    }
    // Aborts page requests if the reader stops early.
    const reading = new AbortController()
    const stopListening = onAbort(signal, reason => reading.abort(reason))
    const fetch = async (query: URLSearchParams) => {
      const request = buildRequest(kind, endpoint, { ...options, query }, this.target)
      const { body } = await this.#send(request, reading.signal)
      const page = way === 'levels' ? levelPage(kind, parentIn(kind, options), body) : readPage(body)
      if (page) return { ...page, results: page.results.map(toRecord) }
      const rows = way === 'levels' ? levels?.rows : 'results'
      throw this.#refusal(request)('no_page', `has no "${rows}"; was another format asked for?`)
    }
    const limit = limitOf(first.query, listTakesNoQuery)
    const own = { baseUrl: this.#baseUrl, parallelism: this.#parallelism }
    try {
      yield* readPages({ ...whole, ...own, first, fetch, refuse, limit })
    } finally {
      stopListening()
      reading.abort()
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#own?.close() ?? Promise.resolve()
    return this.#closing
  }

  async #send(request: Request, signal: AbortSignal | undefined): Promise<Answer> {
    if (this.#readOnly && !request.isReading) throw new ReadOnlyError(this.#redact(request.requestLine))
    return send(request, this.#sender, signal)
  }

  #refusal({ requestLine }: Request): PageSource['refuse'] {
    return (code, reason) => new UnexpectedAnswerError({ requestLine, code, reason }, this.#redact)
  }

  #countedExchange({
    userAgent = 'vexil',
    ...options
  }: Omit<ClientOptions, 'dispatcher'> & Pick<ExchangeOptions, 'dispatcher' | 'timeoutMs'>): Exchange {
    const exchange = createExchange({ ...options, userAgent, baseUrl: this.#baseUrl, redact: this.#redact })
    return outgoing => {
      this.#requestCount += 1
      return exchange(outgoing)
    }
  }

  #spelling(kind: Kind): Spelling {
    const { profile, known } = this.target
    return spellingOf(kind.fields, profile, servicesBehind({ profile, known }))
  }

  /** Reads a record into the spelling of the API document, and learns from it which service it is. */
  #reader(kind: Kind, requestOf: () => Request): (record: Json) => Json {
    return record => {
      if (isJsonObject(record))
        this.#recognition.see(kind, record, () => this.#redact(requestOf().requestLine))
      return this.#spelling(kind).fromWire(record)
    }
  }
}

/** The id of the parent object of a list. */
function parentIn({ lifecycle }: Kind, { params = {} }: CallArguments): string {
  return String(params[lifecycle?.parent?.parameter ?? ''] ?? '')
}

/** The requested page size. The service may lower it; a larger one would delay the first answer. */
const pageLimit = 1000

function limitOf(query: URLSearchParams, takesNoQuery: boolean): number | null {
  const given = Number(query.get('limit') ?? Number.NaN)
  if (Number.isInteger(given) && given > 0) return given
  return takesNoQuery ? null : pageLimit
}

function mapResults(body: Json, form: (row: Json) => Json): Json {
  return isJsonObject(body) && isJsonArray(body.results) ? { ...body, results: body.results.map(form) } : body
}

/** An id that no object has: numeric ids begin with 1, and no UUID looks like this. */
const nothing = '0'

/** The path parameters of projects and organizations. All others identify one object. */
const owners: ReadonlySet<string> = new Set(['project_id', 'parent_lookup_organization_id'])

/**
 * Builds the call of an operation for an object that cannot exist. The service checks the permission of the
 * key first, and then finds no object [service-behaviour 8]. So nothing is written, and a read-only client
 * may send it. Throws for operations without an object, such as a create.
 */
function buildProbe(kind: Kind, endpointName: string, owner: Owner): Request {
  const { path = '', method } = kind.endpoints[endpointName] ?? {}
  const own = pathParameters(path).filter(parameter => !owners.has(parameter))
  if (own.length === 0)
    throw new RangeError(`"${kind.name}.${endpointName}" is about no object, so it may do something`)
  const params = Object.fromEntries(own.map(parameter => [parameter, nothing]))
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
  return { ...buildRequest(kind, endpointName, { params, ...body }, owner), isReading: true }
}

export interface ClientOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly projectId?: Id
  readonly organizationId?: Id
  /** With `auto`, the default, the first answers show it. */
  readonly profile?: ProfileSetting
  /** How many requests may run at once; default 8. */
  readonly parallelism?: number
  /** How long the service may stay silent; default one minute. A whole answer may take ten times as long. */
  readonly timeoutMs?: number
  readonly retry?: RetryOptions
  readonly rate?: Rate
  /** A pace that other processes share. */
  readonly pace?: Pace | undefined
  readonly runtime: Runtime
  /** Sends the requests instead of own connections. It is not closed with the client. */
  readonly dispatcher?: Pick<RequestDispatcher, 'request'>
  /** Connections and a pace that several clients with one key share. They are not closed with the client. */
  readonly pool?: ConnectionPool
  /** The variables `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`; no proxy when absent. */
  readonly proxyEnvironment?: ProxyEnvironment
  /** Refuses all requests that may change something. */
  readonly readOnly?: boolean
  readonly userAgent?: string
  /** Redacts parts of answers in errors: reasons, which may quote the request, and unexpected bodies. */
  readonly redactAnswer?: RedactAnswer
  /** Called for each request that was sent, including retries. */
  readonly onRequest?: (event: RequestEvent) => void
}

export interface ConnectionPool {
  readonly dispatcher: RequestDispatcher
  readonly limiter: RateLimiter
}

/** Opens what clients of one service with one key share. The caller closes its dispatcher. */
export function openPool({
  baseUrl,
  parallelism = defaultParallelism,
  runtime,
  proxyEnvironment,
  pace,
}: Pick<ClientOptions, 'baseUrl' | 'parallelism' | 'runtime' | 'proxyEnvironment' | 'pace'>): ConnectionPool {
  const limits = { parallelism, connectTimeoutMs: longestConnectMs }
  return {
    dispatcher: openDispatcher(parseBaseUrl(baseUrl), { ...limits, proxyEnvironment }),
    limiter: new RateLimiter({ parallelism, pace, runtime }),
  }
}

const defaultParallelism = 8
const longestConnectMs = 10_000

/** The service, project and organization of a client. */
export interface ClientTarget {
  readonly baseUrl: string
  readonly projectId?: string
  readonly organizationId?: string
  /** The profile of the service, as far as known. */
  readonly profile: Profile
  /** How the profile is known; an assumption may be wrong. */
  readonly known: ProfileProof
}

export interface CallOptions extends CallArguments {
  readonly signal?: AbortSignal
}

export interface ListCallOptions extends Omit<CallOptions, 'body'> {
  /** Whether archived objects are not requested in addition. */
  readonly asAnswered?: true
}

/** Throws for options with which no request would work. */
function checkOptions({ apiKey, parallelism = 1, timeoutMs = 1, rate }: ClientOptions): void {
  // The reader of a key removes blanks around it. Here it must be only the key.
  if (requireKey(apiKey, 'the key') !== apiKey) {
    throw new SettingError('apiKey', 'the key has blanks or line ends around it')
  }
  if (!Number.isInteger(parallelism) || parallelism < 1) {
    throw new SettingError('parallelism', `parallelism is a whole number from 1, not "${parallelism}"`)
  }
  if (!(timeoutMs > 0))
    throw new SettingError('timeoutMs', `the timeout is more than 0 ms, not "${timeoutMs}"`)
  if (rate && !(rate.requests >= 1 && rate.perMs > 0)) {
    throw new SettingError('rate', 'the rate is at least 1 request in more than 0 ms')
  }
}

function targetOf(
  { baseUrl, projectId, organizationId }: ClientOptions,
  recognition: Recognition,
): ClientTarget {
  return {
    baseUrl: withoutEndSlash(baseUrl),
    ...(projectId === undefined ? {} : { projectId: String(projectId) }),
    ...(organizationId === undefined ? {} : { organizationId: String(organizationId) }),
    get profile() {
      return recognition.profile
    },
    get known() {
      return recognition.known
    },
  }
}

/** A target with changed members. Its profile is still updated by new answers. */
export function changedTarget(target: ClientTarget, changes: Partial<ClientTarget>): ClientTarget {
  const own = Object.getOwnPropertyDescriptors(target)
  // It has the members of both.
  return Object.defineProperties({}, { ...own, ...Object.getOwnPropertyDescriptors(changes) }) as ClientTarget
}

/** What the answers have shown about the service, even if the profile is given. */
export interface Recognized {
  readonly signs: readonly Sign[]
  /** The profiles that match the answers so far. */
  readonly possible: readonly Profile[]
}

/**
 * The profile of the service: the given one or, with `auto`, the one that the first record of each kind
 * shows. It sends no extra requests. Until then, the profile of the API document is assumed.
 */
export class Recognition implements Recognized {
  readonly #setting: Profile | undefined
  readonly #seen = new Set<Kind>()
  readonly #signs: Sign[] = []
  #left: readonly Profile[] = profiles

  constructor(setting: ProfileSetting) {
    this.#setting = setting === 'auto' ? undefined : setting
  }

  /** The earliest possible profile. */
  get profile(): Profile {
    return this.#setting ?? this.#left[0] ?? 'documented'
  }

  get known(): ProfileProof {
    if (this.#setting !== undefined) return 'set'
    return this.#left.length === 1 ? 'recognized' : 'assumed'
  }

  get signs(): readonly Sign[] {
    return this.#signs
  }

  get possible(): readonly Profile[] {
    return this.#left
  }

  /** Learns from a received record. A record that contradicts an earlier one is ignored. */
  see(kind: Kind, record: JsonObject, requestOf: () => string): void {
    if (this.#seen.has(kind)) return
    for (const { member, behaviour, is } of (kind.tells ?? []).filter(tell => shows(record, tell))) {
      this.#seen.add(kind)
      const possible = profilesWith(behaviour, is)
      const left = this.#left.filter(profile => possible.includes(profile))
      if (left.length === 0) continue
      if (left.length < this.#left.length) {
        this.#signs.push({ request: requestOf(), kind: kind.name, member, behaviour, is })
      }
      this.#left = left
    }
  }
}

function shows(record: JsonObject, { member, as }: Tell): boolean {
  const value = record[member]
  if (as === 'array') return isJsonArray(value)
  return as === 'object' ? isJsonObject(value) : value !== undefined
}

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

type DispatcherOptions = Omit<ConnectionOptions, 'origin' | 'proxy'> & Pick<ClientOptions, 'proxyEnvironment'>

/** Opens and loads connections with the first request: many processes with a client send nothing. */
export function openDispatcher(baseUrl: BaseUrl, options: DispatcherOptions): RequestDispatcher {
  const connections = connectionsTo(baseUrl, options)
  let opened: Promise<RequestDispatcher> | undefined
  const open = async () => (await import('./open-connections.ts')).openConnections(connections)
  return {
    async request(request) {
      opened ??= open()
      return (await opened).request(request)
    },
    async close() {
      await (await opened)?.close()
    },
  }
}

function connectionsTo(
  { origin, isLoopback }: BaseUrl,
  { parallelism, connectTimeoutMs, proxyEnvironment = {} }: DispatcherOptions,
): ConnectionOptions {
  const connections = { origin, parallelism, connectTimeoutMs }
  const url = proxyIn(proxyEnvironment)
  // Requests to this machine use no proxy, which could read the key over plain http.
  if (url === '' || isLoopback) return connections
  if (!URL.canParse(url) || !/^(https?|socks5?):$/.test(new URL(url).protocol)) {
    throw new SettingError('proxyEnvironment', 'the proxy in HTTPS_PROXY is not a URL')
  }
  return { ...connections, proxy: { url, exceptFor: variable(proxyEnvironment, proxyVariables.except) } }
}

/** Only the proxy for https, since other machines need https. `ALL_PROXY` is the fallback, as in curl. */
function proxyIn(environment: ProxyEnvironment): string {
  return variable(environment, proxyVariables.https) || variable(environment, proxyVariables.all)
}

function variable(environment: ProxyEnvironment, name: string): string {
  return environment[name.toLowerCase()] ?? environment[name] ?? ''
}
