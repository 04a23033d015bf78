import { expect } from 'vitest'
import {
  createSandbox,
  emptyWorld,
  type Sandbox,
  type SandboxOptions,
  type WorldFile,
} from '../../src/sandbox/index.ts'
import { testRuntime } from '../support/test-runtime.ts'

export const project = '/api/projects/1'
export const flags = `${project}/feature_flags`
export const organization = '/api/organizations/01900000-0000-0000-0000-000000000001'
export const plugins = `${organization}/plugins`
export const definitions = `${project}/event_definitions`
export const events = `${project}/events`

export const support = '01900000-0000-0000-0000-0000000000aa'
export const release = '01900000-0000-0000-0000-0000000000bb'

export interface Heard {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: assertions say what is expected of it
  readonly body: any
  readonly headers: Headers
}

export interface Door {
  readonly sandbox: Sandbox
  /** Sends a request with the right key; a body that is not a text travels as JSON. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Heard>
  get(path: string): Promise<Heard>
  post(path: string, body?: unknown): Promise<Heard>
  patch(path: string, body?: unknown): Promise<Heard>
  remove(path: string): Promise<Heard>
}

type Project = NonNullable<WorldFile['organizations'][number]['projects']>[number]

/** The empty world, with more in its one project. */
export function worldWith(more: Partial<Project>, organizationMore = {}): WorldFile {
  const [only] = emptyWorld.organizations
  return {
    ...emptyWorld,
    organizations: [{ ...only!, ...organizationMore, projects: [{ id: 1, name: 'Production', ...more }] }],
  }
}

/** A sandbox with next to nothing in it, unless told otherwise; an error of its own fails the test. */
export async function openDoor(options: Partial<SandboxOptions> = {}): Promise<Door> {
  const sandbox = await createSandbox({
    runtime: testRuntime(),
    empty: true,
    onError: error => {
      throw error
    },
    ...options,
  })
  return doorOf(sandbox)
}

export function doorOf(sandbox: Sandbox): Door {
  const ask: Door['ask'] = async (method, path, body, headers = {}) => {
    const response = await sandbox.fetch(
      new Request(`http://sandbox.test${path}`, {
        method,
        headers: {
          authorization: `Bearer ${sandbox.summary.api_key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    return heard(response)
  }
  return {
    sandbox,
    ask,
    get: path => ask('GET', path),
    post: (path, body = {}) => ask('POST', path, body),
    patch: (path, body = {}) => ask('PATCH', path, body),
    remove: path => ask('DELETE', path),
  }
}

async function heard(response: Response): Promise<Heard> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    body: isJson && text !== '' ? JSON.parse(text) : text,
    headers: response.headers,
  }
}

/** Asserts the whole of an error answer, but for the words, which are for people. */
export function expectError(
  answer: Heard,
  status: number,
  type: string,
  code: string,
  attr: string | null = null,
) {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { type, code, detail: expect.any(String), attr },
  })
}

/** A flag through the front door. */
export async function aFlag(door: Door, body: Record<string, unknown> = {}): Promise<Heard['body']> {
  const { status, body: flag } = await door.post(flags, { key: 'checkout', ...body })
  expect(status).toBe(201)
  return flag
}

/** A second organization, beside the one whose key it is. */
export const sampleOrganization = { id: '01900000-0000-0000-0000-000000000002', name: 'Other' } as const
