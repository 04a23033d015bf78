import { describe, expect, it } from 'vitest'
import { type KindName, kinds } from '../../src/kinds/index.ts'
import { fillPath, pathParameters } from '../../src/model/endpoint.ts'
import type { Kind } from '../../src/model/kind.ts'
import { aClient } from './support/client.ts'
import { aServer } from './support/server.ts'

const operations = Object.values<Kind>(kinds).flatMap(kind =>
  Object.entries(kind.endpoints).map(([name, endpoint]) => ({ kind: kind.name as KindName, name, endpoint })),
)

type AnyCall = (given: Record<string, unknown>) => Promise<unknown>

describe('a client', () => {
  it.each(operations)('has a typed call for $kind.$name', async ({ kind, name, endpoint }) => {
    const promised =
      endpoint.answer === 'page' ? '{"results":[]}' : endpoint.answer === 'record' ? '{"id":1}' : ''
    const server = await aServer((_, response) => {
      response.writeHead(typeof endpoint.status === 'number' ? endpoint.status : 204).end(promised)
    })
    const client = aClient({ baseUrl: server.url })
    const params = Object.fromEntries(
      pathParameters(endpoint.path).map(parameter => [parameter, `the ${parameter}`]),
    )
    const call = (client[kind] as unknown as Record<string, AnyCall>)[name]!
    const answered = await call({ ...params, ...(endpoint.body ? { body: { name: 'a' } } : {}) })
    expect(server.received.map(({ method, url, body }) => [method, url, body])).toEqual([
      [endpoint.method, `${fillPath(endpoint.path, params)}/`, endpoint.body ? '{"name":"a"}' : ''],
    ])
    expect(answered).toEqual(
      { page: { count: null, next: null, previous: null, results: [] }, record: { id: 1 } }[
        endpoint.answer as string
      ] ?? null,
    )
  })
})
