import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../src/api/index.ts'
import { askService } from '../../src/cli/tools/ask-permissions.ts'
import { offeredKinds } from '../../src/cli/tools/doctor.ts'
import { holdsScope } from '../../src/kinds/key-scopes.ts'
import { profiles } from '../../src/model/connection.ts'
import type { Permission } from '../../src/report/document.ts'
import {
  createSandbox,
  parseFault,
  type Sandbox,
  type SandboxOptions,
  sampleWorld,
} from '../../src/sandbox/index.ts'
import { isFull } from '../suites.ts'
import { seeded } from '../support/seeded.ts'
import { testRuntime } from '../support/test-runtime.ts'

/** What doctor asks of a service, and what it makes of the answers. */
async function examine(sandbox: Sandbox) {
  const client = createClient({
    ...{ baseUrl: 'http://localhost', apiKey: sandbox.summary.api_key, dispatcher: carrierTo(sandbox) },
    ...{ projectId: 1, organizationId: sandbox.summary.organization },
    ...{ readOnly: true, runtime: testRuntime() },
  })
  const found = await askService(client, 'auto')
  return { permissions: found.permissions, kinds: offeredKinds(found), requests: client.requestCount }
}

/** Carries requests to a sandbox in this process: there are thousands of them. */
function carrierTo(sandbox: Sandbox): Dispatcher {
  const carrier: Pick<Dispatcher, 'request'> = {
    async request({ origin, path, method, headers, body }: Dispatcher.RequestOptions) {
      const given = { method, headers: headers as Record<string, string>, body: body as string | null }
      const response = await sandbox.fetch(new Request(`${origin}${path}`, given))
      const read = { statusCode: response.status, headers: Object.fromEntries(response.headers) }
      return {
        ...read,
        body: Readable.from([Buffer.from(await response.arrayBuffer())]),
      } as unknown as Dispatcher.ResponseData
    },
  }
  // A client asks nothing else of what carries its requests.
  return carrier as Dispatcher
}

/** A sandbox for as long as a test runs. */
async function aSandbox(options: Partial<SandboxOptions>): Promise<Sandbox> {
  const sandbox = await createSandbox({ runtime: testRuntime(), seed: sampleWorld, ...options })
  onTestFinished(() => sandbox.close())
  return sandbox
}

const may = (permissions: readonly Permission[]) =>
  Object.fromEntries(permissions.map(({ operation, may }) => [operation, may]))

describe.each(profiles)('what doctor says that a key may do, with %s', profile => {
  it('is right for every set of scopes, and nothing is written to find it out', async () => {
    const scopes = ['*']
    const sandbox = await aSandbox({ profile, scopes })
    const everything = (await examine(sandbox)).permissions
    const known = [...new Set(everything.flatMap(({ scope }) => scope ?? []))]
    const before = sandbox.content()
    for (const held of subsets(known)) {
      scopes.splice(0, scopes.length, ...held)
      const { permissions } = await examine(sandbox)
      expect({ held, ...may(permissions) }).toEqual({
        held,
        ...may(permissions.map(each => expected(each, held))),
      })
    }
    expect(sandbox.content()).toBe(before)
  })

  it('takes no failure of the service for a refusal of the key', async () => {
    const sandbox = await aSandbox({ profile, scopes: ['*'] })
    const { requests } = await examine(sandbox)
    const before = sandbox.content()
    for (let nth = 1; nth <= requests; nth++) {
      for (const failure of isFull() ? failures : failures.slice(0, 1)) {
        sandbox.faults.clear()
        sandbox.faults.add([parseFault(`/api nth=${nth} times=9 ${failure}`)])
        const { permissions, kinds } = await examine(sandbox)
        const wrong = permissions.filter(each => each.may === 'no' && each.scope !== undefined)
        expect({ nth, failure, wrong }).toEqual({ nth, failure, wrong: [] })
        const denied = kinds.filter(({ offered }) => ['refused', 'no', 'read_only'].includes(offered))
        expect({ nth, failure, denied }).toEqual({ nth, failure, denied: [] })
      }
    }
    expect(sandbox.content()).toBe(before)
  })

  function expected(permission: Permission, held: readonly string[]): Permission {
    const { scope, operation } = permission
    const isOfGrants = operation.startsWith('feature_flag_role_access.')
    // Where nothing has shown which service it is, a path that is not there is asked for too.
    if (isOfGrants && profile !== 'posthog-2026') return { ...permission, may: 'not_known' }
    if (scope === undefined || !holdsScope(held, scope)) return { ...permission, may: 'no' }
    // The one answer there is of 2024 is a 500, and without flags nobody can be asked for their grants.
    const isFailing = profile === 'posthog' && operation === 'event_definition.update'
    const isUnseen = isOfGrants && !holdsScope(held, 'feature_flag:read')
    return { ...permission, may: isFailing || isUnseen ? 'not_known' : 'yes' }
  }
})

/** What says nothing of the key. */
const failures = ['status=500', 'status=429 retry_after=900', 'reset_before'] as const

/** None, all, each alone, each missing, and some at random. */
function* subsets(all: readonly string[]): Generator<readonly string[]> {
  yield []
  yield all
  for (const each of all) {
    yield [each]
    yield all.filter(other => other !== each)
  }
  const draw = seeded(7)
  for (let n = 0; n < (isFull() ? 20 : 4); n++) yield all.filter(() => draw(2) === 0)
}

describe('what doctor says that a service offers', () => {
  const offered = async (sandbox: Sandbox) =>
    Object.fromEntries((await examine(sandbox)).kinds.map(({ kind, offered }) => [kind, offered]))
  const all = { feature_flag: 'yes', feature_flag_role_access: 'yes', event_definition: 'yes', plugin: 'yes' }

  it.each([
    ['GET /nothing status=404', {}],
    ['/plugins status=404', { plugin: 'no' }],
    ['PATCH /plugins status=403', { plugin: 'read_only' }],
    ['GET /event_definitions status=402', { event_definition: 'no' }],
    ['PATCH /event_definitions status=402', { event_definition: 'read_only' }],
    ['GET /plugins status=403', { plugin: 'refused' }],
    ['GET /access_controls status=404', { feature_flag_role_access: 'no' }],
  ])('with %s', async (fault, but) => {
    const faults = [parseFault(fault)]
    const sandbox = await aSandbox({ profile: 'posthog-2026', faults })
    expect(await offered(sandbox)).toEqual({ ...all, ...but })
  })
})
