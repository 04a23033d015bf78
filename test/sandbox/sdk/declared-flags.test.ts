import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type FlagServer, serveFlags } from '../../../src/testing/index.ts'
import { readRecorded } from '../../sdks/answers.ts'
import { askNode, hasRuntime, installSdk, sdks } from '../../sdks/sdks.ts'
import { isFull } from '../../suites.ts'
import { folderOfTest, inFolder } from '../../support/folder.ts'

/** The declared flags as `vexil dev` serves them, to the SDKs that products use. */
const files = {
  'vexil.yaml': 'version: 1\ngroup_types: { company: 0 }\n',
  'flags.yaml': `feature_flags:
  checkout:
    active: true
    variants: { one_page: 0, two_pages: 100 }
    payloads: { two_pages: { price: 9 } }
    release: [{ properties: { country: DE }, rollout_percentage: 100 }]
  for_staff:
    active: true
    release: [{ properties: [{ key: id, type: cohort, value: 7 }], rollout_percentage: 100 }]
  big_companies:
    active: true
    release: [{ group_type: company, properties: { size: { gt: 100 } }, rollout_percentage: 100 }]
`,
}
const staff = [{ key: 'email', type: 'person', operator: 'icontains', value: '@corp.example' }]
const cohorts = [{ id: 7, name: 'staff', properties: { type: 'AND', values: staff } }]

interface Question {
  readonly key: string
  readonly distinctId: string
  readonly personProperties: Record<string, string>
  readonly groups: Record<string, string>
  readonly groupProperties: Record<string, Record<string, number>>
}

interface Answer {
  readonly value?: unknown
  readonly payload?: unknown
  readonly error?: string
}

const company = (size: number) => ({ groups: { company: 'acme' }, groupProperties: { company: { size } } })
const known = { personProperties: {}, groups: {}, groupProperties: {} }
const ann = { ...known, distinctId: 'ann', personProperties: { country: 'DE', email: 'ann@corp.example' } }
const bob = { ...known, distinctId: 'bob', personProperties: { country: 'FR', email: 'bob@else.example' } }
const persons = [ann, bob].map(({ distinctId, personProperties: properties }) => ({
  distinct_ids: [distinctId],
  properties,
}))

const cases: readonly (readonly [Question, Answer])[] = [
  [
    { key: 'checkout', ...ann },
    { value: 'two_pages', payload: { price: 9 } },
  ],
  [{ key: 'checkout', ...bob }, { value: false }],
  [{ key: 'for_staff', ...ann }, { value: true }],
  [{ key: 'for_staff', ...bob }, { value: false }],
  [{ key: 'big_companies', ...ann, ...company(500) }, { value: true }],
  [{ key: 'big_companies', ...bob, ...company(5) }, { value: false }],
]

/** Answers of an SDK, which captures an event with each. */
type Ask = (server: FlagServer, question: readonly Question[], isLocal: boolean) => Promise<readonly Answer[]>

/** Runs a driver of test/sdks. */
const driven =
  (command: (questions: string) => readonly string[]): Ask =>
  async ({ url: host, projectToken: token, apiKey }, questions, isLocal) => {
    const keys = { token, ...(isLocal && { secret: apiKey, onlyLocal: true }) }
    const asked = questions.map((question, id) => ({ id: String(id), event: 'asked', ...keys, ...question }))
    return inFolder({}, async folder => {
      const file = join(folder, 'questions.json')
      await writeFile(file, JSON.stringify({ host, questions: asked }))
      const [program = '', ...words] = command(file)
      const { stdout } = await promisify(execFile)(program, words)
      // SDKs print lines of their own.
      const lines = stdout.split('\n').filter(line => line.startsWith('{'))
      return lines.map(line => JSON.parse(line) as Answer)
    })
  }

const nodeModules = join(import.meta.dirname, '../../../node_modules')

/** What is used of them here: their own declarations do not compile in a module. */
interface Lite {
  setPersonPropertiesForFlags(properties: object): void
  setGroupPropertiesForFlags(properties: object): void
  groups(groups: object): void
  reloadFeatureFlagsAsync(): Promise<unknown>
  getFeatureFlag(key: string): unknown
  getFeatureFlagPayload(key: string): unknown
  capture(event: string, properties: object): void
  shutdown(): Promise<void>
}
interface Decides {
  decide(asked: object): Promise<unknown>
}
interface Adapter {
  featureFlagValue(): Decides
  featureFlagPayload(read: (payload: unknown) => unknown): Decides
}
const [lite, vercel] = ['posthog-js-lite', '@flags-sdk/posthog']
const { default: PostHog } = (await import(lite)) as { default: new (token: string, options: object) => Lite }
const { createPostHogAdapter } = (await import(vercel)) as { createPostHogAdapter(options: object): Adapter }

const askLite: Ask = async ({ url: host, projectToken }, questions) => {
  const answers: Answer[] = []
  for (const { key, distinctId, personProperties, groups, groupProperties } of questions) {
    const sdk = new PostHog(projectToken, {
      host,
      persistence: 'memory',
      bootstrap: { distinctId },
      flushAt: 1,
    })
    sdk.setPersonPropertiesForFlags(personProperties)
    sdk.setGroupPropertiesForFlags(groupProperties)
    sdk.groups(groups)
    await sdk.reloadFeatureFlagsAsync()
    answers.push({ value: sdk.getFeatureFlag(key), payload: sdk.getFeatureFlagPayload(key) })
    sdk.capture('asked', { key })
    await sdk.shutdown()
  }
  return answers
}

/** It only sends the id of the person, and the event that a flag was called. */
const askVercel: Ask = async ({ url: host, projectToken: postHogKey }, questions) => {
  const sent: Promise<Response>[] = []
  const postHogOptions = {
    host,
    flushAt: 1,
    fetch: (url: string, options: RequestInit) => {
      const answer = fetch(url, options)
      sent.push(answer)
      return answer
    },
  }
  const adapter = createPostHogAdapter({ postHogKey, postHogOptions })
  const answers: Answer[] = []
  for (const { key, distinctId } of questions) {
    const asked = { key, entities: { distinctId }, headers: new Headers(), cookies: {} }
    const value = await adapter.featureFlagValue().decide({ ...asked, defaultValue: 'default' })
    const payload = await adapter.featureFlagPayload(read => read).decide({ ...asked, defaultValue: null })
    answers.push({ value, payload })
  }
  await Promise.all(sent)
  return answers
}

/** Answers of each SDK are compared without what it adds to them. */
function plain({ value, payload, error }: Answer): Answer {
  return { value, ...((payload ?? undefined) !== undefined && { payload }), ...(error && { error }) }
}

async function expectAnswers(ask: Ask, isLocal: boolean, some = cases): Promise<void> {
  const directory = await folderOfTest(files)
  await using server = await serveFlags({ directory, cohorts, persons })
  const questions = some.map(([question]) => question)
  const answers = await ask(server, questions, isLocal)
  expect(answers.map(plain)).toEqual(some.map(([, answer]) => answer))
  const captured = server.events().map(({ distinctId, properties }) => {
    const key = properties.key ?? properties.$feature_flag
    return `${distinctId}: ${String(key)}`
  })
  expect([...new Set(captured)].sort()).toEqual(
    questions.map(({ distinctId, key }) => `${distinctId}: ${key}`).sort(),
  )
}

describe.each(['posthog-node-3', 'posthog-node-5'])('%s', name => {
  it.each([true, false])('gives declared flags, and captures; locally: %s', isLocal =>
    expectAnswers(
      driven(questions => askNode(join(nodeModules, name), questions)),
      isLocal,
    ),
  )
})

it('posthog-js-lite gives declared flags, and captures', () => expectAnswers(askLite, false))

it("Vercel's flags give declared flags, and capture", () =>
  expectAnswers(
    askVercel,
    false,
    cases.filter(([{ key }]) => key !== 'big_companies'),
  ))

const downloaded = ['posthog-python', 'posthog-go', 'posthog-rs'].map(name => {
  const sdk = sdks[name]!
  const [program] = sdk.runtime
  const version = readRecorded().sdks[name]![0]!.to
  const why = !isFull() ? 'only in a full run' : hasRuntime(sdk) ? '' : `${program} is not on the PATH`
  return { name, sdk, version, why, title: `${name} ${version}${why && `, skipped: ${why}`}` }
})

describe.each(downloaded)('$title', ({ name, sdk, version, why }) => {
  it.skipIf(why !== '').each([true, false])(
    'gives declared flags, and captures; locally: %s',
    isLocal => {
      const folder = installSdk(name, version)
      return expectAnswers(
        driven(questions => sdk.command(folder, questions)),
        isLocal,
      )
    },
    600_000,
  )
})
