import { describe, expect, it } from 'vitest'
import { type Client, type ClientBase, withTypedCalls } from '../../src/api/client.ts'
import { type CallOptions, Recognition } from '../../src/api/connection.ts'
import { wrapClient } from '../../src/api/index.ts'
import { RecordList, Ways } from '../../src/api/list.ts'
import { type KindName, kinds } from '../../src/kinds/index.ts'
import type { Kind } from '../../src/model/kind.ts'
import { openRunClient } from '../../src/terraform/session.ts'

/** Each option that a call can have; the types require a further one to be added here. */
const everyOption: Required<CallOptions> = {
  params: { id: '7', feature_flag_id: '8' },
  query: { limit: 1000, page: 2 },
  body: { deleted: true },
  signal: new AbortController().signal,
}
const { body: _body, ...everyListOption } = everyOption

const owner = { projectId: '2', organizationId: 'o' }
const ownerParams = { project_id: '2', parent_lookup_organization_id: 'o' }

/** Every way of wrapping a client that there is. */
const wrappers: Readonly<Record<string, (client: Client) => Client>> = {
  'nothing but its name': client => wrapClient(client, {}),
  'parameters and a look at each call': client =>
    wrapClient(client, { target: owner, params: ownerParams, around: (_, send) => send() }),
  'a wrapper in a wrapper': client =>
    wrapClient(wrapClient(client, { params: ownerParams }), { around: (_, send) => send() }),
  'a run of Terraform': client => openRunClient(client, owner, () => new AbortController().signal).client,
}

type Door = 'by name' | 'by type'

const calls = Object.keys(wrappers).flatMap(wrapper =>
  Object.values<Kind>(kinds).flatMap(({ name, endpoints }) =>
    Object.keys(endpoints).flatMap(endpoint =>
      (['by name', 'by type'] as const).map(door => ({ wrapper, kind: name as KindName, endpoint, door })),
    ),
  ),
)

/** A client that only remembers what it was asked for. */
function rememberingClient() {
  const asked: unknown[] = []
  const base: ClientBase = {
    target: { baseUrl: 'https://flags.example.com', profile: 'documented', known: 'set' },
    requestCount: 3,
    routes: new Ways(),
    recognized: new Recognition('auto'),
    async probe(kind, endpoint) {
      asked.push({ kind, endpoint })
      return { status: 200, body: null, text: '' }
    },
    async call(kind, endpoint, options) {
      asked.push({ kind, endpoint, options })
      return { status: 200, body: { results: [] }, text: '' }
    },
    list(kind, options) {
      asked.push({ kind, options })
      return new RecordList(async function* () {})
    },
    close: async () => void asked.push('close'),
  }
  return { client: withTypedCalls(base), asked }
}

function ask(client: Client, kind: KindName, endpoint: string, door: Door) {
  const { params, ...others } = everyOption
  if (door === 'by name') return client.call(kind, endpoint, everyOption)
  // One test calls them all, so no single type fits.
  const typed = client[kind] as Readonly<Record<string, (given: object) => Promise<unknown>>>
  return typed[endpoint]?.({ ...params, ...others })
}

const given = (wrapper: string) => ({
  params: wrapper === 'nothing but its name' ? everyOption.params : { ...ownerParams, ...everyOption.params },
})

describe('a wrapped client', () => {
  it.each(calls)(
    'hands on every option of $kind.$endpoint, asked for $door, through $wrapper',
    async ({ wrapper, kind, endpoint, door }) => {
      const { client, asked } = rememberingClient()
      await ask(wrappers[wrapper]?.(client) as Client, kind, endpoint, door)
      expect(asked).toEqual([{ kind, endpoint, options: { ...everyOption, ...given(wrapper) } }])
    },
  )

  it.each(Object.keys(wrappers))('hands on every option of every list through %s', wrapper => {
    const { client, asked } = rememberingClient()
    const wrapped = wrappers[wrapper]?.(client) as Client
    const names = Object.keys(kinds) as KindName[]
    for (const kind of names) wrapped.list(kind, everyListOption)
    expect(asked).toEqual(names.map(kind => ({ kind, options: { ...everyListOption, ...given(wrapper) } })))
  })

  it.each(Object.keys(wrappers))(
    'counts, closes and says what it is as the one in %s does',
    async wrapper => {
      const { client, asked } = rememberingClient()
      const wrapped = wrappers[wrapper]?.(client) as Client
      await wrapped.probe('plugin', 'update')
      await wrapped.close()
      expect([wrapped.requestCount, wrapped.target.baseUrl, asked]).toEqual([
        3,
        'https://flags.example.com',
        [{ kind: 'plugin', endpoint: 'update' }, 'close'],
      ])
    },
  )

  it('lets a call name an owner of its own', async () => {
    const { client, asked } = rememberingClient()
    await wrapClient(client, { params: ownerParams }).feature_flag.list({ project_id: '9' })
    expect(asked).toEqual([
      {
        kind: 'feature_flag',
        endpoint: 'list',
        options: expect.objectContaining({ params: { ...ownerParams, project_id: '9' } }),
      },
    ])
  })
})
