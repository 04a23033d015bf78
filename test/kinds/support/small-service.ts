import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { matchRoute } from '../../../src/derive/routes.ts'
import { declarableKind } from '../../../src/kinds/index.ts'
import type { Json, JsonObject } from '../../../src/model/json.ts'
import { type DeclarableKind, identityField } from '../../../src/model/kind.ts'

/** Serves the lists and objects of every kind that can be declared, as their literals say, and nothing else. */
export interface SmallService {
  readonly env: Readonly<Record<string, string>>
  /** What was written since the last look: `METHOD path body`. */
  writes(): string[]
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: Json
}

export async function startSmallService(): Promise<SmallService> {
  const rows = new Map<string, JsonObject[]>()
  const written: string[] = []
  const server = createServer((request, response) => {
    void answer(request, rows, written).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // A server on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    env: {
      VEXIL_BASE_URL: `http://127.0.0.1:${port}`,
      VEXIL_API_KEY: 'a-key-of-this-test',
      VEXIL_PROJECT_ID: '1',
      VEXIL_ORGANIZATION_ID: '01900000-0000-0000-0000-000000000001',
    },
    writes: () => written.splice(0),
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

async function answer(
  request: IncomingMessage,
  rows: Map<string, JsonObject[]>,
  written: string[],
): Promise<Answer> {
  const { method = '', url = '' } = request
  const { pathname } = new URL(url, 'http://localhost')
  const route = matchRoute(method, pathname)
  if (!route || 'allowed' in route) return { status: 404, body: { detail: 'Not found.' } }
  const body = method === 'GET' ? {} : JSON.parse((await text(request)) || '{}')
  if (method !== 'GET') written.push(`${method} ${pathname} ${JSON.stringify(body)}`)
  const kind = declarableKind(route.kind)
  const own = rows.get(kind.name) ?? []
  rows.set(kind.name, own)
  return served(kind, route.endpoint, own, { id: route.params.id, body })
}

function served(
  kind: DeclarableKind,
  endpoint: string,
  rows: JsonObject[],
  { id, body }: { readonly id: string | undefined; readonly body: JsonObject },
): Answer {
  const { list, read, create, update, tombstone } = kind.lifecycle
  const at = rows.findIndex(row => String(row.id) === id)
  switch (endpoint) {
    case list: {
      const living = rows.filter(row => !tombstone || row[tombstone.field] !== tombstone.is)
      return { status: 200, body: { count: living.length, next: null, previous: null, results: living } }
    }
    case tombstone?.trail: {
      const results = rows.map(row => ({
        item_id: row.id ?? null,
        detail: { name: row[identityField(kind)] ?? null },
      }))
      return { status: 200, body: { results, next: null, previous: null } }
    }
    case create:
      rows.push({ ...emptyRecord(kind), ...body, id: rows.length + 1 })
      return { status: 201, body: rows.at(-1) ?? null }
    case read:
    case update:
      if (at < 0) return { status: 404, body: { detail: 'Not found.' } }
      rows[at] = { ...rows[at], ...body }
      return { status: 200, body: rows[at] }
    default:
      return { status: 404, body: { detail: 'Not found.' } }
  }
}

function emptyRecord({ fields, lifecycle: { tombstone } }: DeclarableKind): JsonObject {
  const empty = Object.entries(fields).map(([name, { type }]) => {
    if (type === 'json') return [name, {}]
    return [name, type === 'set' || type === 'list' ? [] : null]
  })
  return { ...Object.fromEntries(empty), ...(tombstone ? { [tombstone.field]: !tombstone.is } : {}) }
}
