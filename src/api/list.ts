import { BigNum } from '../hcl/json.ts'
import type { Profile } from '../model/connection.ts'
import type { Kind } from '../model/kind.ts'
import { mostPages, mostRows } from '../model/limits.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { profilesWith } from '../services/differences.ts'
import { type BaseUrl, withoutEndSlash } from './base-url.ts'
import { isServiceError } from './errors.ts'
import { onAbort } from './send.ts'

/** The records of a list, read on demand. Reading them again sends new requests. */
export interface RecordList<R> extends AsyncIterable<R> {
  /** The proof of the latest reading. It is complete only at the end. */
  readonly inventory: Inventory
  /** The records in pages, which is faster. */
  pages(): AsyncIterable<readonly R[]>
}

/** The records of pages, one by one. */
export async function* recordsOf<R>(pages: AsyncIterable<readonly R[]>): AsyncGenerator<R, void> {
  for await (const page of pages) for (const record of page) yield record
}

export interface ListOptions<R> {
  /** Creates the source of the pages for one reading. */
  readonly source: (signal: AbortSignal) => Omit<PageSource, 'completeness'>
  readonly toRecord: (row: Json) => R
  readonly signal?: AbortSignal
}

export class PagedList<R> implements RecordList<R> {
  readonly #options: ListOptions<R>
  #completeness = new Completeness()

  constructor(options: ListOptions<R>) {
    this.#options = options
  }

  get inventory(): Inventory {
    return this.#completeness.inventory
  }

  [Symbol.asyncIterator](): AsyncGenerator<R, void> {
    return recordsOf(this.pages())
  }

  async *pages(): AsyncGenerator<readonly R[], void> {
    const { source, toRecord, signal } = this.#options
    signal?.throwIfAborted()
    const completeness = new Completeness()
    this.#completeness = completeness
    // Aborts page requests if the reader stops early.
    const reading = new AbortController()
    const stopListening = onAbort(signal, reason => reading.abort(reason))
    try {
      for await (const rows of readPages({ ...source(reading.signal), completeness })) {
        yield rows.map(row => toRecord(row))
      }
    } finally {
      stopListening()
      reading.abort()
    }
  }
}

export interface PageSource {
  readonly fetch: (query: URLSearchParams) => Promise<Page<Json>>
  /** The query of a link to the next page; throws if the link is invalid. */
  readonly follow: (link: string) => URLSearchParams
  /** Creates the error for links without progress: to an earlier page, or without new rows. */
  readonly refuseLoop: () => Error
  /** Creates the error for a list that exceeds a limit; `what` describes it. */
  readonly refuseEndless: (what: string) => Error
  readonly parallelism: number
  /** The page size to request; null leaves it to the service. */
  readonly limit: number | null
  readonly query: URLSearchParams
  readonly completeness: Completeness
}

/**
 * Reads the rows of a list, page by page and in order.
 *
 * | first page                              | the rest                                             |
 * |-----------------------------------------|------------------------------------------------------|
 * | holds as many rows as `count`           | none                                                 |
 * | fewer, and offsets seem to be supported | by offset, several at once, in steps of the received |
 * |                                         | rows: a service may lower the page size              |
 * | no `count`, or `next` has no offset     | one after the other, by `next`                       |
 *
 * A list that grows while it is read is read by `next` beyond its first count, up to a little more than twice
 * that. Longer lists are refused as endless. Pages are not stored, and further pages are requested only when
 * the reader needs more than the first.
 */
export async function* readPages(source: PageSource): AsyncGenerator<Json[], void> {
  const { query, limit } = source
  const completeness = bounded(source)
  const first = await source.fetch(limit === null ? query : withWindow(query, limit))
  yield completeness.take(first)
  const start = wholeNumber(query.get('offset'))
  const size = first.results.length
  if (first.count === null || size === 0 || !isByOffset(first, start + size, source)) {
    yield* followLinks(first, source, completeness)
    return source.completeness.end()
  }
  let last = first
  for await (const page of readByOffset(source, { from: start + size, size, count: first.count })) {
    last = page
    yield completeness.take(page)
  }
  yield* followLinks(last, source, completeness)
  source.completeness.end()
}

interface Span {
  readonly from: number
  readonly size: number
  readonly count: number
}

async function* readByOffset(
  source: PageSource,
  { from, size, count }: Span,
): AsyncGenerator<Page<Json>, void> {
  const underWay: Promise<Page<Json>>[] = []
  let offset = from
  const launch = () => {
    if (offset >= count) return
    const page = source.fetch(withWindow(source.query, size, offset))
    // A failure is handled when the page is read. This prevents an unhandled rejection.
    page.catch(() => {})
    underWay.push(page)
    offset += size
  }
  for (let index = 0; index < source.parallelism; index++) launch()
  for (let page = underWay.shift(); page; page = underWay.shift()) {
    const arrived = await page
    launch()
    yield arrived
  }
}

async function* followLinks(
  from: Page<Json>,
  source: PageSource,
  completeness: Pick<Completeness, 'take'>,
): AsyncGenerator<Json[], void> {
  const followed = new Set<string>()
  let barren = 0
  for (let link = from.next; link !== null; ) {
    const query = source.follow(link)
    const key = query.toString()
    if (followed.has(key) || barren >= mostBarrenPages) throw source.refuseLoop()
    followed.add(key)
    const page = await source.fetch(query)
    const rows = completeness.take(page)
    barren = rows.length === 0 ? barren + 1 : 0
    yield rows
    link = page.next
  }
}

/** Counts rows and pages, and throws if the list seems endless. */
function bounded({ completeness, refuseEndless }: PageSource): Pick<Completeness, 'take'> {
  let pages = 0
  let rows = 0
  let most = mostRows
  return {
    take(page) {
      if (pages === 0 && page.count !== null) most = Math.min(most, 2 * page.count + mostGrowth)
      pages += 1
      const fresh = completeness.take(page)
      rows += fresh.length
      if (rows > most) throw refuseEndless(`has ${rows} rows and goes on`)
      if (pages > mostPages) throw refuseEndless(`has ${pages} pages and goes on`)
      return fresh
    },
  }
}

/** Rows that may be added to a list while it is read, whatever its length. */
const mostGrowth = 1000

/**
 * A filter may empty a page, and a cursor may repeat one. More pages in a row without a new row count as
 * endless.
 */
const mostBarrenPages = 3

/** Whether the rest can be read by offset: unless `next` has no or another offset. */
function isByOffset({ next }: Page<Json>, offset: number, { follow }: PageSource): boolean {
  return next === null || follow(next).get('offset') === String(offset)
}

function wholeNumber(text: string | null): number {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0
}

function withWindow(query: URLSearchParams, limit: number, offset?: number): URLSearchParams {
  const search = new URLSearchParams(query)
  search.set('limit', String(limit))
  if (offset !== undefined) search.set('offset', String(offset))
  return search
}

/** One page of a list. Missing values and empty texts are null. */
export interface Page<R> {
  readonly count: number | null
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly R[]
}

/** Reads the pagination envelope; undefined if the body has none. */
export function readPage(body: Json): Page<Json> | undefined {
  if (!isJsonObject(body) || !isJsonArray(body.results)) return undefined
  const { count, next, previous, results } = body
  return {
    count: typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : null,
    next: linkOf(next),
    previous: linkOf(previous),
    results,
  }
}

function linkOf(link: Json | undefined): string | null {
  return typeof link === 'string' && link.trim() !== '' ? link.trim() : null
}

/** What reading a list has shown: mainly whether all of it was read. */
export interface Inventory {
  /** Rows read, each counted once. */
  readonly seen: number
  /** The count in the last page; null if the service does not report it. */
  readonly count: number | null
  /** Whether the count did not change during the reading, and no row came twice. */
  readonly stable: boolean
  /** Whether all rows were read. */
  readonly complete: boolean
}

/** Counts the rows of a list, and removes repeated rows. */
export class Completeness {
  readonly #ids = new Set<Json>()
  #seen = 0
  #first: number | null | undefined
  #last: number | null = null
  #repeats = 0
  #ended = false

  /** The rows of a page that were not on an earlier page. */
  take({ results, count }: Page<Json>): Json[] {
    if (this.#first === undefined) this.#first = count
    this.#last = count
    const fresh = results.filter(row => this.#isFresh(row))
    this.#seen += fresh.length
    return fresh
  }

  /** Notes that the last page was read. */
  end(): void {
    this.#ended = true
  }

  get inventory(): Inventory {
    const stable = this.#first === this.#last && this.#repeats === 0
    const holdsAll = this.#last === null || this.#seen === this.#last
    return { seen: this.#seen, count: this.#last, stable, complete: this.#ended && stable && holdsAll }
  }

  /** Rows without an id cannot be compared, so all of them count as new. */
  #isFresh(row: Json): boolean {
    const id = isJsonObject(row) ? row.id : undefined
    if (typeof id !== 'string' && !isJsonNumber(id)) return true
    const key = id instanceof BigNum ? id.text : id
    if (this.#ids.has(key)) {
      this.#repeats += 1
      return false
    }
    this.#ids.add(key)
    return true
  }
}

interface WholeListOptions {
  readonly list: RecordList<JsonObject>
  /**
   * The list of archived objects, requested after the first list; undefined if the first list includes them.
   */
  readonly apart: () => RecordList<JsonObject> | undefined
  /** Whether a record is archived: a service that does not know the query repeats its whole list. */
  readonly isApart: (record: JsonObject) => boolean
}

/**
 * A list and then archived objects, each object once. If an object is in both, it was archived during the
 * reading. Then another may have been unarchived and be in neither, so the whole does not count as complete.
 */
export class WholeList implements RecordList<JsonObject> {
  readonly #options: WholeListOptions
  #apart: RecordList<JsonObject> | undefined
  #fresh = 0
  #repeats = 0
  #others = 0

  constructor(options: WholeListOptions) {
    this.#options = options
  }

  get inventory(): Inventory {
    const { inventory: first } = this.#options.list
    if (!this.#apart) return first
    const { inventory: apart } = this.#apart
    const isOnce = this.#repeats === 0
    const left = this.#repeats + this.#others
    return {
      seen: first.seen + this.#fresh,
      count: first.count === null || apart.count === null ? null : first.count + apart.count - left,
      stable: first.stable && apart.stable && isOnce,
      complete: first.complete && apart.complete && isOnce,
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<JsonObject, void> {
    return recordsOf(this.pages())
  }

  async *pages(): AsyncGenerator<readonly JsonObject[], void> {
    const { list, apart } = this.#options
    this.#apart = undefined
    this.#fresh = 0
    this.#repeats = 0
    this.#others = 0
    const ids: (Json | undefined)[] = []
    for await (const page of list.pages()) {
      for (const { id } of page) ids.push(id)
      yield page
    }
    this.#apart = apart()
    if (!this.#apart) return
    const seen = new Set(ids)
    for await (const page of this.#apart.pages()) yield page.filter(record => this.#isFresh(record, seen))
  }

  #isFresh(record: JsonObject, seen: ReadonlySet<Json | undefined>): boolean {
    const isApart = this.#options.isApart(record)
    const isFresh = isApart && !seen.has(record.id)
    if (!isApart) this.#others += 1
    else if (isFresh) this.#fresh += 1
    else this.#repeats += 1
    return isFresh
  }
}

/**
 * The query of a link to the next page, or why the link is refused. Only the query is used, for the same list
 * and origin: so a link cannot send the key elsewhere.
 */
export function nextQuery(
  link: string,
  path: string,
  { origin, prefix }: BaseUrl,
): { readonly query: URLSearchParams } | { readonly refused: string } {
  const from = `${origin}${prefix}${path}/`
  if (!URL.canParse(link, from)) return { refused: `has a "next" that is not a link: "${link}"` }
  const url = new URL(link, from)
  if (!isSameOrigin(url, new URL(origin))) {
    return { refused: `has a "next" that leads to another origin, ${url.origin}, and is not followed` }
  }
  // A service behind a gateway does not know the gateway's prefix.
  const isSameList = [path, `${prefix}${path}`].includes(withoutEndSlash(url.pathname))
  if (!isSameList) return { refused: `has a "next" that leads to another list, ${url.pathname}` }
  return { query: url.searchParams }
}

/** Whether a link has the configured origin. Behind a proxy that ends TLS, links may begin with http. */
function isSameOrigin(url: URL, own: URL): boolean {
  if (url.origin === own.origin) return true
  return own.protocol === 'https:' && url.protocol === 'http:' && url.host === own.host && own.port === ''
}

/** The rows of an answer with levels, as a page of records; undefined if the body has none. */
export function levelPage(kind: Kind, parent: string, body: Json): Page<Json> | undefined {
  const rows = isJsonObject(body) ? body[kind.lifecycle?.levels?.rows ?? ''] : undefined
  if (rows === undefined || !isJsonArray(rows)) return undefined
  const results = rows.flatMap(row => levelRecord(kind, parent, row) ?? [])
  return { count: results.length, next: null, previous: null, results }
}

/**
 * A row with a level, as a record of older services. Its id is made of its parent and its subject. Undefined
 * for a row with another kind of subject, such as a person.
 */
export function levelRecord(
  { identity, lifecycle }: Pick<Kind, 'identity' | 'lifecycle'>,
  parent: string,
  row: Json,
): JsonObject | undefined {
  const { levels } = lifecycle ?? {}
  if (!levels || identity?.by !== 'parent' || !isJsonObject(row)) return undefined
  const subject = row[levels.subject]
  if (typeof subject !== 'string') return undefined
  const members = Object.entries(levels.members).map(([field, member]) => [field, row[member] ?? null])
  return {
    id: `${parent}:${subject.toLowerCase()}`,
    [identity.structure]: { [identity.member]: subject },
    ...Object.fromEntries(members),
  }
}

/** Whether an id is that of a row with a level. */
export function isLevelId(id: string): boolean {
  return id.includes(':')
}

interface EitherWay {
  readonly routes: Ways
  readonly kind: string
  /** The forms to try, when a reading begins. */
  readonly toTry: () => readonly Way[]
  readonly open: (way: Way) => RecordList<JsonObject>
}

/** A list that a service has in one of two forms. If one path does not exist, the other is used. */
export class EitherList implements RecordList<JsonObject> {
  readonly #options: EitherWay
  #list: RecordList<JsonObject>

  constructor(options: EitherWay) {
    this.#options = options
    this.#list = options.open('records')
  }

  get inventory(): Inventory {
    return this.#list.inventory
  }

  [Symbol.asyncIterator](): AsyncGenerator<JsonObject, void> {
    return recordsOf(this.pages())
  }

  async *pages(): AsyncGenerator<readonly JsonObject[], void> {
    const { routes, kind, toTry, open } = this.#options
    const done = await routes.turn(kind)
    try {
      let failure: unknown
      for (const way of toTry()) {
        this.#list = open(way)
        let isThere = false
        try {
          for await (const page of this.#list.pages()) {
            if (page.length > 0) {
              isThere = true
              routes.saw(kind, way)
              done()
            }
            yield page
          }
          return routes.saw(kind, way)
        } catch (error) {
          if (isThere || !isServiceError(error) || error.status !== 404) throw error
          failure ??= error
        }
      }
      throw failure
    } finally {
      done()
    }
  }
}

/** How a service stores the objects of a kind: as records, or as rows with a level. */
export type Way = 'records' | 'levels'

/**
 * Which form a service uses, as far as known. Until then, only one request runs and all others wait, so that
 * at most one request uses the wrong form.
 */
export class Ways {
  readonly #known = new Map<string, Way>()
  readonly #asking = new Map<string, Promise<void>>()

  known(kind: string): Way | undefined {
    return this.#known.get(kind)
  }

  /** Notes the form that an answer shows. The first one counts. */
  saw(kind: string, way: Way): void {
    if (!this.#known.has(kind)) this.#known.set(kind, way)
  }

  /** Notes the form that an answer of an endpoint shows. */
  sawAnswer({ name, lifecycle }: Kind, endpoint: string): void {
    if (!lifecycle?.levels) return
    const { list, put } = lifecycle.levels
    this.saw(name, endpoint === list || endpoint === put ? 'levels' : 'records')
  }

  /** The forms to try, one after the other if the service answers 404. The profile decides the first. */
  toTry({ name, lifecycle }: Kind, profile: Profile): readonly [Way, ...Way[]] {
    const known = this.#known.get(name)
    if (known) return [known]
    const { behaviour = '', is = '' } = lifecycle?.levels ?? {}
    return profilesWith(behaviour, is).includes(profile) ? ['levels', 'records'] : ['records', 'levels']
  }

  /**
   * Waits until the form is known, or no other caller is trying. The caller must call the returned function
   * at the end, also after a failure.
   */
  async turn(kind: string): Promise<() => void> {
    while (!this.#known.has(kind)) {
      const asking = this.#asking.get(kind)
      if (!asking) return this.#begin(kind)
      await asking
    }
    return () => {}
  }

  #begin(kind: string): () => void {
    let resolve = () => {}
    const asking = new Promise<void>(done => {
      resolve = done
    })
    this.#asking.set(kind, asking)
    return () => {
      if (this.#asking.get(kind) === asking) this.#asking.delete(kind)
      resolve()
    }
  }
}
