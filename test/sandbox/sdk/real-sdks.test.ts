import fc from 'fast-check'
import { PostHog as Node3 } from 'posthog-node-3'
import { PostHog as Node5 } from 'posthog-node-5'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { startSandbox, type TestSandbox } from '../../../src/testing/index.ts'
import { groupTypes, people, projectAround, type SomeProject } from '../evaluation/some-project.ts'
import { saneFlags, saneKnown } from './sane-flags.ts'

type Values = Readonly<Record<string, boolean | string | undefined>>

interface Asked {
  readonly groups: Record<string, string>
  readonly personProperties?: Record<string, string>
  readonly groupProperties?: Record<string, Record<string, string>>
  readonly onlyEvaluateLocally?: boolean
}

/** What of both SDKs is used here. */
interface Sdk {
  reloadFeatureFlags(): Promise<void>
  getAllFlags(distinctId: string, options: Asked): Promise<Values>
  getFeatureFlagPayload(key: string, distinctId: string, match: undefined, options: Asked): Promise<unknown>
  capture(event: { distinctId: string; event: string; properties: Record<string, unknown> }): void
  shutdown(): Promise<void>
}

type Make = (token: string, options: Readonly<Record<string, unknown>>) => Sdk

const sdks: readonly (readonly [string, Make, { readonly definitions: string; readonly flags: string }])[] = [
  [
    'posthog-node 3',
    (token, options) => fromOld(new Node3(token, options)),
    { definitions: 'GET /api/feature_flag/local_evaluation', flags: 'POST /decide' },
  ],
  [
    'posthog-node 5',
    (token, options) => new Node5(token, options) as unknown as Sdk,
    { definitions: 'GET /flags/definitions', flags: 'POST /flags' },
  ],
]

/** Older ones have another name for their end. */
function fromOld(sdk: Node3): Sdk {
  return Object.assign(Object.create(sdk), { shutdown: () => sdk.shutdownAsync() })
}

const groups = { company: 'acme' }
const projects = fc
  .sample(projectAround(saneFlags, saneKnown), 12)
  .map((file, index) => ({ ...file, id: index + 1 }))

let sandbox: TestSandbox
const elsewhere: string[] = []
const answers: Promise<Response>[] = []

beforeAll(async () => {
  // They warn of cohorts that they cannot see, which is right and no news here.
  for (const level of ['debug', 'log', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined)
  // The ids of cohorts are those of the whole service.
  const world = { organizations: [{ name: 'A', projects: projects.map(withOwnCohorts) }] }
  sandbox = await startSandbox({ world })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await sandbox.close()
})

/** Moves the ids of a project's cohorts apart from those of the others. */
function withOwnCohorts(file: SomeProject & { readonly id: number }): SomeProject {
  const moved = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(moved)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, moved(member)]))
    return members.type === 'cohort' ? { ...members, value: file.id * 10 + Number(members.value) } : members
  }
  // Cohorts and flags are JSON.
  const json = moved({
    cohorts: file.cohorts,
    feature_flags: file.feature_flags,
  } as unknown as Json) as unknown as SomeProject
  return {
    ...file,
    cohorts: json.cohorts?.map(cohort => ({ ...cohort, id: file.id * 10 + (cohort.id ?? 0) })),
    feature_flags: json.feature_flags,
  } as SomeProject
}

async function open(make: Make, project: number, more: Readonly<Record<string, unknown>> = {}): Promise<Sdk> {
  return make(`phc_sandbox_local_only_project_${project}`, {
    host: sandbox.url,
    flushAt: 1,
    flushInterval: 0,
    featureFlagsPollingInterval: 1_000_000,
    fetch: (url: string, options: RequestInit) => {
      if (!url.startsWith(`${sandbox.url}/`)) elsewhere.push(url)
      const answer = fetch(url, options)
      answers.push(answer)
      return answer
    },
    ...more,
  })
}

/** What the project knows of somebody, for an SDK that evaluates by itself. */
function knownOf(file: SomeProject, distinctId: string): Asked {
  const person = file.persons?.find(({ distinct_ids }) => distinct_ids.includes(distinctId))
  const company = file.groups?.find(({ type }) => type === groupTypes[0])
  // SDKs say that properties are texts, and take all values.
  return {
    groups,
    personProperties: (person?.properties ?? {}) as Record<string, string>,
    groupProperties: { company: (company?.properties ?? {}) as Record<string, string> },
  }
}

async function reasonsOf(project: number, distinctId: string): Promise<JsonObject> {
  const query = `distinct_id=${distinctId}&groups=${encodeURIComponent(JSON.stringify(groups))}`
  const body = await sandbox.get(`/api/projects/${project}/feature_flags/evaluation_reasons?${query}`)
  return Object.fromEntries(
    Object.entries(body as Record<string, JsonObject>).map(([key, { value }]) => [key, value as Json]),
  )
}

it('posthog-node 5 reads a payload by itself', async () => {
  const sdk = new Node5('phc_sandbox_local_only_project_1', {
    host: sandbox.url,
    personalApiKey: sandbox.apiKey,
  })
  expect(await sdk.getRemoteConfigPayload('flag_0')).toEqual({ on: 1 })
  await sdk.shutdown()
})

describe.each(sdks)('%s', (_, make, routes) => {
  it('loads the flags and gives the values of the service', async () => {
    let [local, all] = [0, 0]
    for (const file of projects) {
      const sdk = await open(make, file.id, { personalApiKey: sandbox.apiKey })
      await sdk.reloadFeatureFlags()
      for (const person of people) {
        const reasons = await reasonsOf(file.id, person)
        const values = await sdk.getAllFlags(person, { ...knownOf(file, person), onlyEvaluateLocally: true })
        for (const [key, value] of Object.entries(values))
          expect({ project: file.id, person, key, value }).toEqual({
            project: file.id,
            person,
            key,
            value: reasons[key],
          })
        local += Object.keys(values).length
        all += Object.keys(reasons).length
      }
      await sdk.shutdown()
    }
    expect(all).toBe(600)
    // The others name the cohort whose members are written down, or a property that nobody knows.
    expect(local).toBeGreaterThan(300)
    expect(sandbox.requests().join('\n')).toContain(routes.definitions)
  })

  it('is given the same when it asks', async () => {
    sandbox.resetRequests()
    for (const file of projects) {
      const sdk = await open(make, file.id)
      for (const person of people) {
        const reasons = await reasonsOf(file.id, person)
        const values = await sdk.getAllFlags(person, { groups })
        expect({ person, ...reasons }).toEqual({ person, ...values, flag_9: false })
      }
      await sdk.shutdown()
    }
    expect(sandbox.requests().join('\n')).toContain(routes.flags)
  })

  it('reads payloads, local and asked for', async () => {
    for (const file of projects.slice(0, 4)) {
      const [local, remote] = [
        await open(make, file.id, { personalApiKey: sandbox.apiKey }),
        await open(make, file.id),
      ]
      await local.reloadFeatureFlags()
      for (const [index, person] of people.entries()) {
        const key = `flag_${index}`
        const value = (await reasonsOf(file.id, person))[key] ?? false
        const expected = { true: { on: 1 }, blue: { colour: index }, red: 'text' }[String(value)]
        const asked = await remote.getFeatureFlagPayload(key, person, undefined, { groups })
        const worked = await local.getFeatureFlagPayload(key, person, undefined, knownOf(file, person))
        expect({ key, person, asked: asked ?? undefined, worked: worked ?? undefined }).toEqual({
          key,
          person,
          asked: expected,
          worked: expected,
        })
      }
      await Promise.all([local.shutdown(), remote.shutdown()])
    }
  })

  it('has its flags again after the service refused them for a while', async () => {
    const file = projects[0]!
    const sdk = await open(make, file.id, { personalApiKey: sandbox.apiKey })
    const local = async () => {
      await sdk.reloadFeatureFlags()
      return sdk.getAllFlags('ann', { ...knownOf(file, 'ann'), onlyEvaluateLocally: true })
    }
    const before = await local()
    sandbox.fail(`${routes.definitions} status=402`)
    await local()
    sandbox.fail()
    expect(Object.keys(before).length).toBeGreaterThan(3)
    expect(await local()).toEqual(before)
    await sdk.shutdown()
  })

  it('sends events that are taken', async () => {
    const sdk = await open(make, 2)
    const name = `paid ${routes.flags}`
    sdk.capture({ distinctId: 'ann', event: name, properties: { amount: 3 } })
    await sdk.shutdown()
    // The older one does not wait for all that it sends.
    await Promise.all(answers)
    expect(await sandbox.get(`/api/projects/2/events?event=${encodeURIComponent(name)}`)).toMatchObject({
      count: 1,
      results: [{ event: name, distinct_id: 'ann', properties: expect.stringContaining('"amount":3') }],
    })
  })

  it('asks nobody but the sandbox', () => {
    expect(elsewhere).toEqual([])
  })
})
