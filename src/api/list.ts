import { pMapIterable } from 'p-map'
import { BigNum } from '../hcl/json.ts'
import type { Profile } from '../model/connection.ts'
import type { Kind } from '../model/kind.ts'
import { mostPages, mostRows } from '../model/limits.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { profilesWith } from '../services/differences.ts'
import { type BaseUrl, withoutEndSlash } from './base-url.ts'
import type { UnexpectedAnswerCode, UnexpectedAnswerError } from './errors.ts'
import type { Request } from './operation.ts'

/** Reads the pages of a list once, and notes in `completeness` what they show. */
type Reading<R> = (completeness: Completeness) => AsyncIterable<readonly R[]>

/** The records of a list, read on demand. Reading them again sends new requests. */
export class RecordList<R> implements AsyncIterable<R> {
  readonly #read: Reading<R>
  #completeness = new Completeness()

  constructor(read: Reading<R>) {
    this.#read = read
  }

  /** The proof of the latest reading. It is complete only at the end. */
  get inventory(): Inventory {
    return this.#completeness.inventory
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R, void> {
    for await (const page of this.pages()) for (const record of page) yield record
  }

  /** The records in pages, which is faster. */
  pages(): AsyncIterable<readonly R[]> {
    this.#completeness = new Completeness()
    return this.#read(this.#completeness)
  }

  /** The same list with changed records. */
  map<S>(change: (record: R) => S): RecordList<S> {
    const read = this.#read
    return new RecordList(async function* (completeness) {
      for await (const page of read(completeness)) yield page.map(change)
    })
  }
}

export interface PageSource {
  /** The request of the list; its query is sent for the first page. */
  readonly first: Pick<Request, 'path' | 'query'>
  readonly baseUrl: BaseUrl
  readonly fetch: (query: URLSearchParams) => Promise<Page<JsonObject>>
  /** Creates the error for a list that cannot be read to its end. */
  readonly refuse: (code: UnexpectedAnswerCode, reason: string) => UnexpectedAnswerError
  readonly parallelism: number
  /** The page size to request; null leaves it to the service. */
  readonly limit: number | null
  /** Whether a row belongs to the list; all do if absent. */
  readonly isWanted?: (record: JsonObject) => boolean
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
export async function* readPages(source: PageSource): AsyncGenerator<JsonObject[], void> {
  const { first, baseUrl, fetch, refuse, parallelism, limit, isWanted, completeness } = source
  const follow = (link: string) => nextQuery(link, first.path, baseUrl, refuse)
  let last = await fetch(limit === null ? first.query : withWindow(first.query, limit))
  const { count } = last
  const most = count === null ? mostRows : Math.min(mostRows, 2 * count + mostGrowth)
  let pages = 0
  let rows = 0
  const take = () => {
    const fresh = completeness.take(last, isWanted)
    pages += 1
    rows += fresh.length
    const what = rows > most ? `${rows} rows` : pages > mostPages ? `${pages} pages` : undefined
    if (what) throw refuse('endless_list', `has ${what} and goes on; is its list endless?`)
    return fresh
  }
  completeness.begin(count)
  yield take()
  const size = last.results.length
  const from = wholeNumber(first.query.get('offset')) + size
  // Without an offset in `next`, the rest cannot be read by offset.
  const isByOffset = last.next === null || follow(last.next).get('offset') === String(from)
  if (count !== null && size > 0 && isByOffset) {
    const fetchFrom = (offset: number) => fetch(withWindow(first.query, size, offset))
    const rest = pMapIterable(offsets(from, size, count), fetchFrom, { concurrency: parallelism })
    for await (last of rest) yield take()
  }
  const followed = new Set<string>()
  let barren = 0
  while (last.next !== null) {
    const query = follow(last.next)
    const key = query.toString()
    if (followed.has(key) || barren >= mostBarrenPages)
      throw refuse('looping_next', 'has a "next" that leads in circles')
    followed.add(key)
    last = await fetch(query)
    const fresh = take()
    barren = fresh.length === 0 ? barren + 1 : 0
    yield fresh
  }
  completeness.end()
}

function* offsets(from: number, size: number, count: number): Generator<number, void> {
  for (let offset = from; offset < count; offset += size) yield offset
}

/** Rows that may be added to a list while it is read, whatever its length. */
const mostGrowth = 1000

/**
 * A filter may empty a page, and a cursor may repeat one. More pages in a row without a new row count as
 * endless.
 */
const mostBarrenPages = 3

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

/** What the pages of one list have shown. */
interface ListCount {
  readonly first: number | null
  last: number | null
  received: number
  isEnded: boolean
}

/**
 * Counts the rows of a list, and removes repeated rows. Archived objects may follow in a second list. If an
 * object is in both, it was archived during the reading. Then another may have been unarchived and be in
 * neither, so the whole does not count as complete.
 */
export class Completeness {
  readonly #ids = new Set<Json>()
  readonly #lists: ListCount[] = []
  #seen = 0
  /** Rows in counts that are not rows of the whole. */
  #surplus = 0
  #isOnce = true

  /** Begins a list with the count in its first page. */
  begin(count: number | null): void {
    this.#lists.push({ first: count, last: count, received: 0, isEnded: false })
  }

  /** The wanted rows of a page that were not on an earlier page. */
  take<R extends Json>({ results, count }: Page<R>, isWanted: (row: R) => boolean = () => true): R[] {
    const wanted = results.filter(isWanted)
    const fresh = wanted.filter(row => this.#isFresh(row))
    const others = results.length - wanted.length
    const repeats = wanted.length - fresh.length
    this.#seen += fresh.length
    this.#surplus += others + (this.#lists.length > 1 ? repeats : 0)
    if (repeats > 0) this.#isOnce = false
    const list = this.#lists.at(-1)
    if (list) Object.assign(list, { last: count, received: list.received + others + fresh.length })
    return fresh
  }

  /** Notes that the last page of the list was read. */
  end(): void {
    const list = this.#lists.at(-1)
    if (list) list.isEnded = true
  }

  get inventory(): Inventory {
    const lists = this.#lists
    const stable = this.#isOnce && lists.every(({ first, last }) => first === last)
    const holdsAll = ({ last, received, isEnded }: ListCount) =>
      isEnded && (last === null || received === last)
    const count = lists.reduce<number | null>(
      (sum, { last }) => (sum === null || last === null ? null : sum + last),
      lists.length === 0 ? null : -this.#surplus,
    )
    return { seen: this.#seen, count, stable, complete: stable && lists.length > 0 && lists.every(holdsAll) }
  }

  /** Rows without an id cannot be compared, so all of them count as new. */
  #isFresh(row: Json): boolean {
    const id = isJsonObject(row) ? row.id : undefined
    if (typeof id !== 'string' && !isJsonNumber(id)) return true
    const key = id instanceof BigNum ? id.text : id
    const isFresh = !this.#ids.has(key)
    this.#ids.add(key)
    return isFresh
  }
}

/**
 * The query of a link to the next page. Only the query is used, for the same list and origin: so a link cannot
 * send the key elsewhere.
 */
function nextQuery(
  link: string,
  path: string,
  { origin, prefix }: BaseUrl,
  refuse: PageSource['refuse'],
): URLSearchParams {
  const foreign = (what: string) => refuse('foreign_next', `has a "next" that ${what}`)
  const from = `${origin}${prefix}${path}/`
  if (!URL.canParse(link, from)) throw foreign(`is not a link: "${link}"`)
  const url = new URL(link, from)
  if (!isSameOrigin(url, new URL(origin)))
    throw foreign(`leads to another origin, ${url.origin}, and is not followed`)
  // A service behind a gateway does not know the gateway's prefix.
  const isSameList = [path, `${prefix}${path}`].includes(withoutEndSlash(url.pathname))
  if (!isSameList) throw foreign(`leads to another list, ${url.pathname}`)
  return url.searchParams
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
