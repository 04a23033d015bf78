import type { Json } from '../../model/json/json.ts'
import { mostPages, mostRows } from '../../model/limits.ts'
import type { Completeness } from './completeness.ts'
import type { Page } from './read-page.ts'

export interface PageSource {
  readonly fetch: (query: URLSearchParams) => Promise<Page<Json>>
  /** The query of a link to the next page; throws when the link is refused. */
  readonly follow: (link: string) => URLSearchParams
  /** Told when links lead nowhere: to a page that was read before, or on and on without a new row. */
  readonly refuseLoop: () => Error
  /** Told when a list goes on past every limit; says which. */
  readonly refuseEndless: (what: string) => Error
  readonly parallelism: number
  /** A page size that is asked for; null leaves it to the service. */
  readonly limit: number | null
  readonly query: URLSearchParams
  readonly completeness: Completeness
}

/**
 * Reads the rows of a list, page by page and in order.
 *
 * | first page                                     | the rest                                              |
 * |------------------------------------------------|-------------------------------------------------------|
 * | holds as many rows as `count`                  | none                                                  |
 * | fewer, and nothing says offsets are not used   | by offset, several at once, in steps of the rows that |
 * |                                                | came: a service may cap the page below the limit      |
 * | no `count`, or its `next` is no offset         | one after the other, by `next`                        |
 *
 * A list that has grown meanwhile is followed by `next` beyond its first count, to its double and a little more: one
 * that always has a row more would never end, nor would one without a count. Both are refused. Each page is handed on and dropped;
 * the next ones are asked for only when somebody wants more than the first.
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
    // Its failure is met when its turn comes; until then nobody listens.
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

/** Counts rows and pages on their way, and refuses the list where it goes on and on. */
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

/** Rows that may come to a list while it is read, whatever its length. */
const mostGrowth = 1000

/** A filter may empty a page, and a cursor repeat one; many such pages in a row have no end. */
const mostBarrenPages = 3

/** Whether the rest can be read by offset: a `next` that says otherwise, such as a cursor, is believed. */
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
