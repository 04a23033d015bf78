import { checkedKey } from '../model/api-key.ts'
import type { Profile } from '../model/connection.ts'
import type { Runtime } from '../model/runtime.ts'
import type { WorldFile } from '../schema/input/world-schema.ts'
import type { EvaluationByEngines, Subject } from '../targeting/index.ts'
import { FaultPlan, type FaultRule } from './behaviour/faults.ts'
import { type Quirks, quirksOf } from './behaviour/quirks.ts'
import { evaluationByEngines } from './flags/evaluation.ts'
import type { Service } from './http/admission.ts'
import { type Connection, inProcess } from './http/answer.ts'
import { createApp } from './http/app.ts'
import { RequestCounter, Throttle } from './http/request-counter.ts'
import { tokenOf } from './seed/project.ts'
import { emptyWorld, sampleWorld } from './seed/sample-world.ts'
import { seedStore } from './seed/seed.ts'
import { Disk } from './store/disk.ts'
import { Store } from './store/store.ts'

/** The default key of a sandbox. It is valid nowhere else. */
export const sandboxApiKey = 'phx_sandbox_local_only_000000000000000000000'

export interface SandboxOptions {
  readonly runtime: Runtime
  /** A folder that keeps everything over restarts. Its content wins over `seed` and `empty`. */
  readonly data?: string
  readonly seed?: WorldFile
  /** One organization, one project with id 1 and two roles; nothing else. */
  readonly empty?: boolean
  readonly profile?: Profile
  readonly quirks?: Partial<Quirks>
  readonly faults?: readonly FaultRule[]
  readonly apiKey?: string
  /** The permissions of that key, such as `feature_flag:read`; everything without it. */
  readonly scopes?: readonly string[]
  /** Called with errors of the sandbox itself, which are answered with 500. */
  readonly onError?: (error: unknown) => void
}

/** The facts that a person or a program needs to use a sandbox. */
export interface SandboxSummary {
  readonly api_key: string
  readonly organization: string
  readonly project: number
  /** The token of that project in product code. */
  readonly project_token: string
  readonly projects: readonly number[]
  readonly roles: readonly { readonly id: string; readonly name: string }[]
}

export interface Sandbox {
  /** Access for callers in the same process. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  readonly summary: SandboxSummary
  /** False if it found the content of an earlier one, so that `seed` and `empty` had no effect. */
  readonly isFresh: boolean
  /**
   * The value of a flag for a subject, evaluated like the routes, and the SDKs that would give another value;
   * undefined if there is no such flag or project.
   */
  evaluate(key: string, subject: Subject, projectId?: number): EvaluationByEngines | undefined
  /** Its whole content, as one text: the same as long as nothing is written. */
  content(): string
  readonly requests: RequestCounter
  readonly faults: FaultPlan
  close(): Promise<void>
}

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const apiKey = keyOf(options)
  const disk = options.data === undefined ? undefined : await Disk.open(options.data)
  try {
    const { store, isFresh } = openStore(disk, options)
    const { profile = 'documented' } = options
    const quirks = quirksOf(profile, options.quirks)
    const faults = new FaultPlan(options.faults)
    const service: Service = {
      store,
      faults,
      quirks,
      apiKey,
      ...(options.scopes === undefined ? {} : { scopes: options.scopes }),
      runtime: options.runtime,
      throttle: new Throttle(quirks),
      onError: options.onError ?? (() => undefined),
    }
    const requests = new RequestCounter()
    const summary = summaryOf(store, apiKey)
    const closing = new AbortController()
    const app = createApp(service, requests, faults, closing.signal)
    return {
      fetch: async (request, connection = inProcess) => app.fetch(request, connection),
      summary,
      isFresh,
      evaluate(key, subject, projectId = summary.project) {
        const project = store.projects.get(projectId)
        const flag = project && store.liveFlag(project.id, key)
        if (!flag) return undefined
        const surroundings = { store, project, quirks, now: options.runtime.now() }
        return evaluationByEngines(surroundings, profile, subject, flag)
      },
      content: () => JSON.stringify([...store.rows()]),
      requests,
      faults,
      async close() {
        closing.abort()
        await disk?.close()
      },
    }
  } catch (error) {
    await disk?.close()
    throw error
  }
}

/** Throws a `RangeError` that does not show the key. */
function keyOf({ apiKey = sandboxApiKey }: SandboxOptions): string {
  const checked = checkedKey(apiKey)
  if ('key' in checked) return checked.key
  throw new RangeError(`the key of the sandbox ${checked.fault}`)
}

function openStore(
  disk: Disk | undefined,
  { seed, empty, runtime }: SandboxOptions,
): { readonly store: Store; readonly isFresh: boolean } {
  const store = new Store()
  const held = disk?.read()
  if (held) store.load(held)
  else
    store.transact(() => {
      seedStore(store, seed ?? (empty ? emptyWorld : sampleWorld), runtime)
      if (store.projectsOfOrganization.count(store.firstOrganization?.id ?? '') === 0)
        throw new Error('the world has no project in its first organization; add one to the world file')
    })
  if (disk && !held) disk.write(store.rows())
  if (disk) store.keepOn(disk)
  return { store, isFresh: held === undefined }
}

function summaryOf(store: Store, apiKey: string): SandboxSummary {
  const id = store.firstOrganization?.id ?? ''
  const projects = store.projectsOfOrganization.all(id).map(project => project.id)
  const roles = store.rolesOfOrganization.all(id).map(role => ({ id: role.id, name: role.name }))
  const first = store.firstProject
  const project = first?.id ?? 0
  return {
    api_key: apiKey,
    organization: id,
    project,
    project_token: first ? tokenOf(first) : '',
    projects,
    roles,
  }
}
