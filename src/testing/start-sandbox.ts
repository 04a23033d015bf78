import { createClient } from '../api/index.ts'
import type { Json, JsonObject } from '../model/text/json.ts'
import { readJson, writeJson } from '../model/text/json-text.ts'
import { parseFault, type Sandbox } from '../sandbox/index.ts'
import { enginesOf, serviceEngine } from '../services/engines.ts'
import type { EvaluationByEngines, Subject as Person } from '../targeting/index.ts'
import {
  applySubject,
  openTestService,
  planSubject,
  type StackPlan,
  type SubjectOptions,
  type TestSandboxOptions,
  type TestService,
} from './plan-stack.ts'
import type { Subject } from './synthesize.ts'

/** The whole interface on a port of loopback, in the process of the test, in memory. */
export interface TestSandbox {
  readonly url: string
  readonly apiKey: string
  readonly project: string
  /** The token of the project for code in a product: for an SDK, with `url` as its host. */
  readonly projectToken: string
  readonly organization: string
  readonly roles: readonly { readonly id: string; readonly name: string }[]
  /** What a child process needs to talk to it: `vexil`, `terraform` or a program that is tested. */
  readonly env: Readonly<Record<string, string>>
  /** Plans a stack against it and writes nothing. */
  plan(subject: Subject, options?: SubjectOptions): Promise<StackPlan>
  /** Plans and applies; what was blocked is in the plan. Rejects when a change fails, naming each one. */
  apply(subject: Subject, options?: SubjectOptions): Promise<StackPlan>
  /** The flag with this key as the service returns it; undefined if there is none that is not deleted. */
  flag(key: string): Promise<JsonObject | undefined>
  /**
   * What a person gets of a flag: false, true or the key of the variant. What the world has about the person,
   * their groups and cohorts counts too. Rejects if there is no such flag, and with the reason if the value
   * is unknown: a pattern that only the service knows, or a flag for which present SDKs that evaluate locally
   * differ. `by: 'the service'` asks for the service's value, `by: 'posthog-go 1.5.2'` for that of the SDK.
   */
  evaluate(key: string, person: Person, options?: { readonly by?: string }): Promise<boolean | string>
  /** Reads anything: `get('/api/projects/1/feature_flags/')`. Rejects when the service refuses. */
  get(path: string): Promise<Json>
  /** Writes something past Vexil, as a colleague would in the product. */
  send(method: string, path: string, body?: Json): Promise<Json>
  /** The requests since the start or the last reset, as `METHOD path`, the newest last. */
  requests(): readonly string[]
  resetRequests(): void
  /** Replaces the scripted faults; without arguments it clears them. */
  fail(...faults: readonly string[]): void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a sandbox for a test. Close it when the test is over; it holds a port until then. */
export async function startSandbox(options: TestSandboxOptions = {}): Promise<TestSandbox> {
  const { sandbox, place, close: closeTestService } = await openTestService(options)
  const { roles } = sandbox.summary
  const { baseUrl: url, apiKey, organizationId: organization, project, profile } = place
  const client = createClient({ ...place, projectId: project })
  const send = sender(sandbox, place)
  const close = async () => {
    await client.close()
    await closeTestService()
  }
  return {
    url,
    apiKey,
    project,
    projectToken: sandbox.summary.project_token,
    organization,
    roles,
    env: {
      VEXIL_BASE_URL: url,
      VEXIL_API_KEY: apiKey,
      VEXIL_PROJECT_ID: project,
      VEXIL_ORGANIZATION_ID: organization,
      VEXIL_PROFILE: profile,
    },
    plan: (subject, subjectOptions) => planSubject(place, subject, subjectOptions),
    apply: (subject, subjectOptions) => applySubject(place, subject, subjectOptions),
    async flag(key) {
      for await (const record of client.list('feature_flag')) {
        // A record is what the service answered.
        if (record.key === key && record.deleted !== true) return record as JsonObject
      }
      return undefined
    },
    async evaluate(key, person, { by } = {}) {
      const evaluation = sandbox.evaluate(key, person)
      if (!evaluation) throw new Error(`the sandbox has no flag "${key}" in project ${project}`)
      const engines = enginesOf(profile).map(({ name }) => name)
      if (by !== undefined && !engines.includes(by))
        throw new Error(`${JSON.stringify(by)} does not evaluate flags here, only ${engines.join(', ')}`)
      return agreedValue(evaluation, `flag "${key}"`, person.distinctId, by)
    },
    get: path => send('GET', path),
    send,
    requests: () => sandbox.requests.counts().recent,
    resetRequests: () => sandbox.requests.reset(),
    fail(...rules) {
      sandbox.faults.clear()
      sandbox.faults.add(rules.map(parseFault))
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The value that all engines give, or that of one engine. */
function agreedValue(
  { value, undecided, differs = [] }: EvaluationByEngines,
  flag: string,
  person: string,
  by: string | undefined,
): boolean | string {
  if (undecided !== undefined) throw new Error(`${flag} is undecided for "${person}": ${undecided}`)
  const answers = differs.map(({ engine, value: theirs }) => `${engine} ${theirs}`)
  if (by === undefined && answers.length > 0)
    throw new Error(`${flag} differs for "${person}": ${serviceEngine} gives ${value}, ${answers.join(', ')}`)
  return differs.find(({ engine }) => engine === by)?.value ?? value
}

function sender(sandbox: Sandbox, { baseUrl, apiKey }: TestService): TestSandbox['send'] {
  return async (method, path, body) => {
    const response = await sandbox.fetch(
      new Request(new URL(path, baseUrl), {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: writeJson(body) }),
      }),
    )
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : readJson(text)
  }
}
