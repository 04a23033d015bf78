import { aServer, json, type TestServer } from './server.ts'

export interface ListShape {
  readonly rows: readonly unknown[]
  /** The page size when no limit is given. */
  readonly size?: number
  /** The largest page. */
  readonly cap?: number
  readonly withCount?: boolean
  /** What `next` is on the last page. */
  readonly nextAtEnd?: 'null' | 'absent' | 'empty'
  /** Whether earlier pages have a `next` at all. */
  readonly withNext?: boolean
}

/** A server of one list, as the interface documents it. */
export async function aListServer(shape: () => ListShape): Promise<TestServer> {
  return aServer((request, response) => {
    const { rows, size = 100, cap, withCount = true, nextAtEnd = 'null', withNext = true } = shape()
    const url = new URL(request.url, `http://${request.headers.host}`)
    const asked = Number(url.searchParams.get('limit') ?? size)
    const limit = Math.min(asked, cap ?? asked)
    const offset = Number(url.searchParams.get('offset') ?? 0)
    const isLast = offset + limit >= rows.length
    const link = new URL(url)
    link.searchParams.set('limit', String(limit))
    link.searchParams.set('offset', String(offset + limit))
    const end = { null: { next: null }, absent: {}, empty: { next: '' } }[nextAtEnd]
    json(response, 200, {
      ...(withCount ? { count: rows.length } : {}),
      ...(isLast ? end : withNext ? { next: link.href } : {}),
      results: rows.slice(offset, offset + limit),
    })
  })
}
