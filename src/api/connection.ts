import { defaultProfile } from '../model/connection/profile.ts'
import { pathParameters } from '../model/endpoint.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import type { Kind, Lifecycle } from '../model/kind.ts'
import { profilesWith } from '../services/index.ts'
import { servicesBehind } from '../targeting/obeyed.ts'
import { type BaseUrl, parseBaseUrl } from './base-url.ts'
import {
  type CallOptions,
  type ClientOptions,
  type ClientTarget,
  checkOptions,
  type ListCallOptions,
  targetOf,
} from './client-options.ts'
import { createRedactor, type Redact } from './errors/redact.ts'
import { type UnexpectedAnswerCode, UnexpectedAnswerError } from './errors/unexpected-answer-error.ts'
import { EitherList, levelPage } from './list/levels.ts'
import { PagedList, type RecordList } from './list/list.ts'
import { nextQuery } from './list/next-link.ts'
import type { PageSource } from './list/pages.ts'
import { readPage } from './list/read-page.ts'
import { type Way, Ways } from './list/ways.ts'
import { WholeList } from './list/whole-list.ts'
import { type Spelling, spellingOf } from './profile-spelling.ts'
import { Recognition, type Recognized } from './recognition.ts'
import { openDispatcher } from './request/dispatcher.ts'
import { createExchange, type Exchange, type ExchangeOptions } from './request/exchange.ts'
import type { Answer } from './request/judge-answer.ts'
import { RateLimiter } from './request/rate-limiter.ts'
import { ReadOnlyError } from './request/read-only.ts'
import { buildRequest, type CallArguments, type Owner, type Request } from './request/request.ts'
import type { RequestDispatcher } from './request/request-dispatcher.ts'
import { RetryPolicy } from './request/retry.ts'
import { type Sender, send } from './request/send.ts'

/** What the typed and the named calls of a client stand on. */
export class Connection {
  readonly target: ClientTarget
  readonly ways = new Ways()
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
    const { runtime, parallelism = 8, timeoutMs = 60_000 } = options
    this.#recognition = new Recognition(options.profile ?? defaultProfile)
    this.target = targetOf(options, this.#recognition)
    this.#baseUrl = parseBaseUrl(options.baseUrl)
    this.#redact = createRedactor([options.apiKey])
    this.#readOnly = options.readOnly ?? false
    this.#parallelism = parallelism
    const connectTimeoutMs = Math.min(10_000, timeoutMs)
    const open = () => {
      this.#own = openDispatcher(this.#baseUrl, { ...options, parallelism, connectTimeoutMs })
      return this.#own
    }
    const dispatcher = options.dispatcher ?? open()
    this.#sender = {
      server: new URL(this.#baseUrl.origin),
      exchange: this.#countedExchange({ ...options, dispatcher, timeoutMs }),
      limiter: new RateLimiter({ ...options, parallelism }),
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
    this.ways.sawAnswer(kind, endpoint)
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
    if (listedApart && !options.asAnswered) return this.#wholeList(kind, options, listedApart)
    if (!levels) return this.#recordList(kind, options)
    return new EitherList({
      ways: this.ways,
      kind: kind.name,
      toTry: () => this.ways.toTry(kind, this.target.profile),
      open: way => this.#recordList(kind, options, way),
    })
  }

  /** Which service it is may turn out only with the first record, so what is apart is asked for afterwards. */
  #wholeList(
    kind: Kind,
    options: ListCallOptions,
    { field, behaviour, is }: NonNullable<Lifecycle['listedApart']>,
  ): RecordList<JsonObject> {
    const { query: asked } = options
    const query = { ...(asked instanceof URLSearchParams ? Object.fromEntries(asked) : asked), [field]: true }
    return new WholeList({
      list: this.#recordList(kind, options),
      apart: () =>
        profilesWith(behaviour, is).includes(this.target.profile)
          ? this.#recordList(kind, { ...options, query })
          : undefined,
      isApart: record => record[field] === true,
    })
  }

  #recordList(kind: Kind, options: Omit<CallOptions, 'body'>, way?: Way): RecordList<JsonObject> {
    const fromWire = this.#reader(kind, () => this.#listRequest(kind, options, way))
    return new PagedList({
      source: reading => this.#pages(kind, options, reading, way),
      toRecord: row => {
        const record = fromWire(row)
        if (isJsonObject(record)) return record
        throw this.#unexpected(
          this.#listRequest(kind, options, way),
          'no_page',
          `has a row that is no ${kind.title}`,
        )
      },
      signal: options.signal,
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#own?.close() ?? Promise.resolve()
    return this.#closing
  }

  async #send(request: Request, signal: AbortSignal | undefined): Promise<Answer> {
    if (this.#readOnly && !request.isReading) throw new ReadOnlyError(this.#redact(request.requestLine))
    return send(request, this.#sender, signal)
  }

  #pages(
    kind: Kind,
    options: CallArguments,
    signal: AbortSignal,
    way: Way = 'records',
  ): Omit<PageSource, 'completeness'> {
    const first = this.#listRequest(kind, options, way)
    return {
      fetch: async query => {
        const request = this.#listRequest(kind, { ...options, query }, way)
        const { body } = await this.#send(request, signal)
        const page = way === 'levels' ? levelPage(kind, parentIn(kind, options), body) : readPage(body)
        if (page) return page
        const rows = way === 'levels' ? kind.lifecycle?.levels?.rows : 'results'
        throw this.#unexpected(request, 'no_page', `has no "${rows}"; was another format asked for?`)
      },
      follow: link => {
        const found = nextQuery(link, first.path, this.#baseUrl)
        if ('refused' in found) throw this.#unexpected(first, 'foreign_next', found.refused)
        return found.query
      },
      refuseEndless: what => this.#unexpected(first, 'endless_list', `${what}; is its list endless?`),
      refuseLoop: () => this.#unexpected(first, 'looping_next', 'has a "next" that leads in circles'),
      parallelism: this.#parallelism,
      limit: limitOf(first.query, kind.lifecycle?.listTakesNoQuery ?? false),
      query: first.query,
    }
  }

  #listRequest(kind: Kind, options: CallArguments, way: Way = 'records'): Request {
    const { list = 'list', levels } = kind.lifecycle ?? {}
    return buildRequest(kind, way === 'levels' ? (levels?.list ?? list) : list, options, this.target)
  }

  #unexpected({ requestLine }: Request, code: UnexpectedAnswerCode, reason: string): UnexpectedAnswerError {
    return new UnexpectedAnswerError({ requestLine, code, reason }, this.#redact)
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

  /** A record in the interface's own spelling, once it has shown which service it is from. */
  #reader(kind: Kind, requestOf: () => Request): (record: Json) => Json {
    return record => {
      if (isJsonObject(record))
        this.#recognition.see(kind, record, () => this.#redact(requestOf().requestLine))
      return this.#spelling(kind).fromWire(record)
    }
  }
}

/** The id of the object that those of a list hang from. */
function parentIn({ lifecycle }: Kind, { params = {} }: CallArguments): string {
  return String(params[lifecycle?.parent?.parameter ?? ''] ?? '')
}

/** A page that the service may lower; a larger one would only make the first answer late. */
const pageLimit = 1000

function limitOf(query: URLSearchParams, takesNoQuery: boolean): number | null {
  const given = Number(query.get('limit') ?? Number.NaN)
  if (Number.isInteger(given) && given > 0) return given
  return takesNoQuery ? null : pageLimit
}

function mapResults(body: Json, form: (row: Json) => Json): Json {
  return isJsonObject(body) && isJsonArray(body.results) ? { ...body, results: body.results.map(form) } : body
}

/** An id that nothing has: those that count begin with 1, and no UUID looks so. */
const nothing = '0'

/** What a path can name that is there: everything else in it is about one object. */
const owners: ReadonlySet<string> = new Set(['project_id', 'parent_lookup_organization_id'])

/**
 * An operation on an object that cannot be, and with nothing to write: the service looks whether it lets the key in, and
 * then finds nothing to do it to [service-behaviour 8]. So whichever service answers, it leaves everything as it is; and
 * a client that only reads may send it. Operations on no object in particular, such as a create, are refused.
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
