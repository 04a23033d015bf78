import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { realRuntime } from '../../../src/core/real-runtime.ts'
import { isJsonObject, type Json } from '../../../src/model/text/json.ts'
import { createSandbox, parseFault, type Sandbox, serveSandbox } from '../../../src/sandbox/index.ts'
import { inFolder } from '../../support/folder.ts'
import { rounds } from '../../support/rounds.ts'
import { people, projectAround } from '../evaluation/some-project.ts'
import { saneFlags, saneKnown } from './sane-flags.ts'

const project = projectAround(saneFlags, saneKnown)
const flags = '/api/projects/1/feature_flags'
const everybody = { groups: [{ properties: [], rollout_percentage: 100 }] }
const unknownCohort = { groups: [{ properties: [{ key: 'id', type: 'cohort', value: 999 }] }] }

type Send = (method: string, path: string, body?: Json, tag?: string) => Promise<Response>

/** What may happen to a sandbox between two requests of SDKs, refused changes included. */
const change: fc.Arbitrary<(sandbox: Sandbox, send: Send) => Promise<unknown>> = fc.oneof(
  project.map(file => async (sandbox: Sandbox) => sandbox.replace(file)),
  fc
    .record({
      key: fc.constantFrom('flag_0', 'flag_3'),
      body: fc.constantFrom<Json>(
        { active: false },
        { active: true },
        { filters: everybody },
        { deleted: true },
        { filters: unknownCohort },
      ),
    })
    .map(({ key, body }) => async (_: Sandbox, send: Send) => {
      const { results } = (await (await send('GET', `${flags}/?limit=100`)).json()) as {
        results: { id: number; key: string }[]
      }
      const flag = results.find(each => each.key === key)
      return flag && send('PATCH', `${flags}/${flag.id}/`, body)
    }),
  fc
    .constantFrom('flag_0', 'new')
    .map(key => (_: Sandbox, send: Send) => send('POST', `${flags}/`, { key, filters: everybody })),
  fc.constant((sandbox: Sandbox, send: Send) =>
    send('POST', '/capture/', { api_key: sandbox.summary.project_token, event: 'paid', distinct_id: 'ann' }),
  ),
)

const paths = [
  '/flags/definitions?send_cohorts',
  '/flags/definitions',
  '/api/feature_flag/local_evaluation?send_cohorts',
]

/** Everything that SDKs can get, without what is new in each answer. */
async function answers(send: Send, token: string, tags: readonly string[] = []): Promise<readonly unknown[]> {
  const all: unknown[] = []
  for (const path of paths)
    for (const tag of ['', ...tags.slice(-2)]) {
      const answer = await send('GET', path, undefined, tag)
      all.push({
        path,
        tag,
        status: answer.status,
        etag: answer.headers.get('etag'),
        text: await answer.text(),
      })
    }
  for (const distinct_id of people) {
    const answer = await send('POST', '/flags/?v=2', { token, distinct_id, groups: { company: 'acme' } })
    const body = (await answer.json()) as Json
    if (isJsonObject(body)) all.push({ ...body, requestId: '', evaluatedAt: '' })
  }
  return all
}

const sending =
  (ask: (path: string, options: RequestInit) => Promise<Response>, key: string): Send =>
  (method, path, body, tag) =>
    ask(path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(tag && { 'if-none-match': tag }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

it('SDKs get after any change what a fresh sandbox with the same content answers', () =>
  fc.assert(
    fc.asyncProperty(project, fc.array(change, { minLength: 1, maxLength: 4 }), (first, changes) =>
      inFolder({}, async folder => {
        const options = { runtime: realRuntime, profile: 'posthog-2026' } as const
        const data = join(folder, 'data')
        const seed = { organizations: [{ name: 'A', projects: [first] }] }
        const sandbox = await createSandbox({ ...options, data, seed })
        const served = await serveSandbox(sandbox)
        const { api_key: key, project_token: token } = sandbox.summary
        const send = sending((path, request) => fetch(`${served.url}${path}`, request), key)
        const tagOf = async () => (await send('GET', paths[0]!)).headers.get('etag') ?? ''
        const tags = [await tagOf()]
        for (const [index, make] of changes.entries()) {
          await answers(send, token, tags)
          await make(sandbox, send)
          const copy = join(folder, `copy-${index}`)
          await cp(data, copy, { recursive: true })
          const fresh = await createSandbox({ ...options, data: copy })
          const ask = sending(
            (path, request) => fresh.fetch(new Request(`http://localhost${path}`, request)),
            key,
          )
          tags.push(await tagOf())
          const expected = await answers(ask, token, tags)
          expect(await answers(send, token, tags)).toEqual(expected)
          // The second time each is an answer that was kept.
          expect(await answers(send, token, tags)).toEqual(expected)
          await fresh.close()
        }
        await served.close()
        await sandbox.close()
      }),
    ),
    { numRuns: rounds(40) },
  ))

it('a repeated request is counted and billed each time, and meets faults', async () => {
  const sandbox = await createSandbox({ runtime: realRuntime })
  const served = await serveSandbox(sandbox)
  const { api_key: key, project_token: token } = sandbox.summary
  const send = sending((path, request) => fetch(`${served.url}${path}`, request), key)
  const poll = async () => (await send('GET', `/flags/definitions?token=${token}`)).status
  expect([await poll(), await poll(), await poll()]).toEqual([200, 200, 200])
  expect(sandbox.requests.counts()).toMatchObject({
    total: 3,
    paths: { 'GET /flags/definitions': 3 },
    billed: 3,
  })
  sandbox.faults.add([parseFault('GET /flags/definitions nth=2 status=402')])
  expect([await poll(), await poll(), await poll()]).toEqual([200, 402, 200])
  await served.close()
  await sandbox.close()
})
