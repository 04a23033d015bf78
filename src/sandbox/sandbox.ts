import { createServer, type IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Profile } from '../model/connection.ts'
import { checkedKey } from '../model/limits.ts'
import type { Runtime } from '../model/runtime.ts'
import type { WorldFile, WorldProject } from '../schema/world-schema.ts'
import type { Subject } from '../targeting/index.ts'
import { Disk } from './disk.ts'
import { FaultPlan, type FaultRule } from './faults.ts'
import { RequestCounter, type Service, Throttle } from './http/admission.ts'
import { createApp, isAllowedHost } from './http/app.ts'
import { type Answer, type Connection, headersOf, inProcess } from './http/messages.ts'
import type { Surface } from './http/page-routes.ts'
import { type Quirks, quirksOf } from './quirks.ts'
import { type Explained, explainerFor } from './resource/evaluation.ts'
import type { EventRow } from './rows.ts'
import { replaceContent, seedStore } from './seed.ts'
import { Store, tokenOf } from './store.ts'
import { emptyWorld, sampleWorld } from './world.ts'

/** The default key of a sandbox. It is valid nowhere else. */
export const sandboxApiKey = 'phx_sandbox_local_only_000000000000000000000'

export interface SandboxOptions extends Surface {
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
  /** The answer to a request that came before with the same head, if it is still the same. */
  again(head: string): Answer | undefined
  readonly summary: SandboxSummary
  /** False if it found the content of an earlier one, so that `seed` and `empty` had no effect. */
  readonly isFresh: boolean
  /**
   * The value of a flag for a subject, evaluated like the routes, and the SDKs that would give another value;
   * undefined if there is no such flag or project.
   */
  evaluate(key: string, subject: Subject, projectId?: number): Explained | undefined
  /** Every event, in the order in which they came. */
  events(): readonly EventRow[]
  /** Replaces the flags, persons, groups and cohorts of the first project. Events stay. */
  replace(project: WorldProject): void
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
      profile,
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
    const { app, polls } = createApp(service, requests, closing.signal, options)
    return {
      fetch: async (request, connection = inProcess) => app.fetch(request, connection),
      again: head => polls.again(head),
      summary,
      isFresh,
      evaluate(key, subject, projectId = summary.project) {
        const project = store.projects.get(projectId)
        const flag = project && store.liveFlag(project.id, key)
        if (!flag) return undefined
        const surroundings = { store, project, quirks, now: options.runtime.now() }
        return explainerFor(surroundings, profile, subject)(flag)
      },
      events: () => [...store.events.all()],
      replace: project => store.transact(() => replaceContent(store, project, options.runtime)),
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
        throw new Error('the first organization of the world has no project; add one to the world file')
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

export interface ServeOptions {
  readonly host?: string
  /** 0 picks a free port. */
  readonly port?: number
  /** Whether the process may end while it listens, if it has nothing else to do. */
  readonly mayEnd?: boolean
  /** Names of this machine that are also allowed. */
  readonly allowedHosts?: readonly string[]
}

export interface ServedSandbox {
  readonly url: string
  readonly summary: SandboxSummary & { readonly base_url: string }
  /** Stops listening and breaks every connection. The sandbox itself stays open. */
  close(): Promise<void>
}

/** Idle connections survive pauses between commands, so a client never meets one that was just closed. */
const keepAliveMs = 60_000

/** Listens for callers in other processes. */
export async function serveSandbox(sandbox: Sandbox, options: ServeOptions = {}): Promise<ServedSandbox> {
  const { host = '127.0.0.1', port = 0, allowedHosts = [], mayEnd = false } = options
  const listener = getRequestListener(
    (request, { outgoing }) => {
      if (!(outgoing instanceof ServerResponse)) throw new TypeError('the sandbox only supports HTTP/1.1')
      return sandbox.fetch(request, overSocket(outgoing))
    },
    // The process may use its own fetch, so its globals must not change.
    { hostname: host, overrideGlobalObjects: false },
  )
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (incoming, outgoing) => {
    const known = sandbox.again(headOf(incoming))
    if (known) return void outgoing.writeHead(known.status, known.headers).end(known.text)
    if (isAllowedHost(incoming.headers.host, host, allowedHosts)) return void listener(incoming, outgoing)
    outgoing.writeHead(421, { 'Content-Type': 'application/json', Connection: 'close' })
    outgoing.end(
      JSON.stringify({ error: 'the sandbox does not accept this host name; allow it with --allow-host' }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(new Error(whyNotListening(host, port, error), { cause: error })))
    server.listen(port, host, resolve)
  })
  if (mayEnd) {
    server.unref()
    // An unused connection would keep the process alive until its timeout.
    server.on('connection', socket => socket.unref())
  }
  const address = server.address()
  const url = `http://${reachable(host)}:${typeof address === 'object' && address ? address.port : port}`
  return {
    url,
    summary: { base_url: url, ...sandbox.summary },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Writes directly to the socket, which can also be broken. */
function overSocket(outgoing: ServerResponse): Connection {
  const reset = (): Response => {
    outgoing.req.socket.resetAndDestroy()
    return RESPONSE_ALREADY_SENT
  }
  return {
    head: headOf(outgoing.req),
    send: answer => {
      outgoing.writeHead(answer.status, headersOf(answer)).end(answer.text)
      return RESPONSE_ALREADY_SENT
    },
    reset,
    truncate: answer => {
      const bytes = Buffer.from(answer.text ?? '')
      if (bytes.length === 0) return reset()
      outgoing.writeHead(answer.status, headersOf(answer))
      outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.req.socket.destroy())
      return RESPONSE_ALREADY_SENT
    },
  }
}

function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  return `${method} ${url}\n${rawHeaders.join('\n')}`
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function whyNotListening(host: string, port: number, error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} of "${host}" is in use; use another port, or 0 for any`
  if (error.code === 'EACCES') return `port ${port} of "${host}" is not allowed; use a port above 1023`
  return `cannot listen on port ${port} of "${host}": ${error.message}`
}
