import { afterEach, beforeEach } from 'vitest'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { readJson, writeJson } from '../../src/model/text/json-text.ts'
import {
  createSandbox,
  parseFault,
  type Sandbox,
  type SandboxOptions,
  serveSandbox,
} from '../../src/sandbox/index.ts'
import { onEachService, serviceVariable } from '../suites.ts'

/** A sandbox that listens on loopback, with what a command needs to talk to it. */
export interface Service {
  readonly url: string
  readonly sandbox: Sandbox
  readonly env: Readonly<Record<string, string>>
  /** Runs something and tells which requests it made, as `METHOD path` lines in order. */
  watch<T>(run: () => Promise<T>): Promise<{ result: T; requests: readonly string[] }>
  /** Reads anything from the service, past the client. */
  get(path: string): Promise<unknown>
  /** Writes something past the client, as the user whose key it is or as the one with this id. */
  send(method: string, path: string, body?: unknown, user?: number): Promise<unknown>
  /** Scripts faults as `vexil sandbox --fault` takes them; none clears them. */
  faults(...rules: readonly string[]): void
  close(): Promise<void>
}

/** Something that stands before a service, such as a network that delivers in an order of its own. */
export type Through = (handle: Sandbox['fetch']) => Sandbox['fetch']

export async function startService(
  options: Partial<SandboxOptions> = {},
  through: Through = handle => handle,
): Promise<Service> {
  const own = suiteService(options)
  const sandbox = await createSandbox({
    runtime: realRuntime,
    empty: options.seed === undefined,
    ...options,
    ...own,
  })
  const { url, close } = await serveSandbox(
    { ...sandbox, fetch: through(sandbox.fetch) },
    { host: '127.0.0.1', port: 0 },
  )
  const { api_key, organization, project } = sandbox.summary
  const send = async (method: string, path: string, body?: unknown, user?: number) => {
    const key = user === undefined ? api_key : `${api_key}_user_${user}`
    const response = await sandbox.fetch(
      new Request(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: body === undefined ? undefined : writeJson(body),
      }),
    )
    const text = await response.text()
    if (!response.ok && response.status !== 405)
      throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : readJson(text)
  }
  return {
    url,
    sandbox,
    env: {
      VEXIL_BASE_URL: url,
      VEXIL_API_KEY: api_key,
      VEXIL_PROJECT_ID: String(project),
      VEXIL_ORGANIZATION_ID: organization,
      ...(own ? { VEXIL_PROFILE: 'auto' } : {}),
    },
    async watch(run) {
      sandbox.requests.reset()
      const result = await run()
      return { result, requests: sandbox.requests.counts().recent }
    },
    get: path => send('GET', path),
    send,
    faults(...rules) {
      sandbox.faults.clear()
      sandbox.faults.add(rules.map(parseFault))
    },
    async close() {
      await close()
      await sandbox.close()
    },
  }
}

/** A service of its own for each test of a file. */
export function useService(...options: Parameters<typeof startService>): Service {
  let service: Service | undefined
  beforeEach(async () => {
    service = await startService(...options)
  })
  afterEach(() => service?.close())
  return eachTime(() => service)
}

/** Stands for what is made anew for each test. */
export function eachTime<Made extends object>(made: () => Made | undefined): Made {
  // It has no members of its own: all are those of what was made last.
  return new Proxy({} as Made, { get: (_, name) => Reflect.get(made() ?? {}, name) })
}

/** The service that this suite talks to, where the test names none. */
export function suiteService({
  profile,
  quirks,
}: Partial<SandboxOptions> = {}): Partial<SandboxOptions> | undefined {
  const name = onEachService.services.find(service => service === process.env[serviceVariable])
  if (name === undefined || profile !== undefined) return undefined
  return { profile: name, ...(quirks ? { quirks } : {}) }
}
