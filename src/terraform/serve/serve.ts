import { rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RequestEvent, requestFields, requestText, Secrets } from '../../api/index.ts'
import { realRuntime } from '../../core/real-runtime.ts'
import type { Runtime } from '../../model/runtime.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { messageOf } from '../../model/text/message-of.ts'
import type { Provider } from '../provider.ts'
import { answerCalls } from './answer-calls.ts'
import { createCertificate, type MutualTls } from './certificate.ts'
import {
  addPluginServices,
  addProvider,
  type Connection,
  createGrpcServer,
  type GrpcServer,
} from './grpc-server.ts'
import { createCallScope, handlersFor, streamHandlersFor } from './handlers.ts'
import { createLogger, createOutlet, type Outlet } from './logger.ts'

export interface ProviderContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly runtime: Runtime
  /** Called for each request that is sent to the service. */
  readonly onRequest?: (event: RequestEvent) => void
}
export type DefineProvider = (context: ProviderContext) => Provider

interface StartedProvider {
  readonly address: Address
  readonly stdout: Outlet
  /** Stops the running calls, waits for their answers, and closes. A second call does nothing. */
  close(): Promise<void>
}

/**
 * Starts a provider's server. `onShutdown` is called when Terraform no longer needs the provider. Without
 * `tls` anybody may attach, and each connection gets a provider of its own: several runs, and the aliases of
 * one run, configure different projects.
 */
export async function startProvider(
  define: DefineProvider,
  host: ServerHost,
  onShutdown: () => void,
  tls?: MutualTls,
): Promise<StartedProvider> {
  const { runtime } = host
  const first = openProvider(define, host)
  let isFirst = true
  const opened = new Map<Connection, OpenProvider>()
  const openFor = (connection: Connection) => {
    const open = tls || isFirst ? first : openProvider(define, host)
    isFirst = false
    opened.set(connection, open)
    if (!tls)
      connection.once('close', async () => {
        await open.calls.settled()
        await open.provider.close?.()
        opened.delete(connection)
      })
    return open
  }
  const server = createGrpcServer(first.logger, tls)
  addProvider(server, first.calls, connection => (opened.get(connection) ?? openFor(connection)).calls)
  const stdout = createOutlet()
  const services = addPluginServices(server, stdout, onShutdown)
  const address = await listen(server, host)
  let closing: Promise<void> | undefined
  const close = async () => {
    const waited = new AbortController()
    const patience = runtime.sleep(patienceMs, waited.signal).catch(() => undefined)
    const atRest = (async () => {
      const all = [...new Set(opened.values())]
      await Promise.all(all.map(({ scope }) => scope.stop().catch(() => undefined)))
      await Promise.all(all.map(({ calls }) => calls.settled()))
      await Promise.all(all.map(({ provider }) => provider.close?.()))
      services.endStreams()
      await server.close()
    })()
    await Promise.race([atRest, patience])
    waited.abort()
    server.destroy()
    removeSocket(address)
  }
  return {
    address,
    stdout,
    close() {
      closing ??= close()
      return closing
    },
  }
}

type OpenProvider = ReturnType<typeof openProvider>

function openProvider(define: DefineProvider, host: ServerHost) {
  const { env, runtime } = host
  const provider = define({
    env,
    runtime,
    // No request is sent before this function has finished.
    onRequest: event => logger.debug(requestText(event), requestFields(event)),
  })
  const { secrets = new Secrets() } = provider
  const logger = createLogger({ env, runtime, write: line => host.writeError(secrets.hide(line)) })
  const scope = createCallScope(provider)
  const calls = answerCalls(
    handlersFor(provider, scope),
    { logger, runtime, secrets },
    streamHandlersFor(provider, scope),
  )
  return { provider, logger, scope, calls }
}

/** Terraform kills a process that has not ended two seconds after the request. */
const patienceMs = 1_500

/** The released file's main function. */
export async function serve(define: DefineProvider, host: ProviderHost): Promise<void> {
  if (!isStartedByTerraform(host.env)) {
    host.writeError(startedByHand)
    return host.exit(1)
  }
  try {
    await serveTerraform(define, host)
  } catch (error) {
    host.writeError(`the provider cannot start: ${messageOf(error)}\n`)
    host.exit(1)
  }
}

/** Serves the Terraform that started this process, until Terraform asks for the end or is gone. */
async function serveTerraform(define: DefineProvider, host: ProviderHost): Promise<void> {
  // An interrupt reaches the whole process group. Terraform asks for a stop, and waits for running calls.
  host.onSignal('SIGINT', () => undefined)
  const { PLUGIN_CLIENT_CERT: clientPem, PLUGIN_MULTIPLEX_GRPC: multiplex } = host.env
  const certificate = clientPem ? createCertificate(host.runtime.now()) : undefined
  const tls = certificate && clientPem ? { certificate, clientPem } : undefined
  const started = await startProvider(define, host, () => void end(started, host, 0), tls)
  host.onExit(() => removeSocket(started.address))
  host.onSignal('SIGTERM', () => void end(started, host, 143))
  // Closing a terminal ends Terraform too, and then Terraform does not ask for the end.
  host.onSignal('SIGHUP', () => void end(started, host, 129))
  host.writeOut(
    handshakeLine({
      address: started.address,
      certificate: certificate?.der,
      isMultiplexAsked: multiplex !== undefined && multiplex !== '',
    }),
  )
  host.divertStdout(bytes => started.stdout.write(bytes))
  // Nothing aborts this watch: it ends with the process.
  void watchParent(host, new AbortController().signal).then(async isGone => {
    if (isGone) await end(started, host, 1)
  })
}

async function end(started: StartedProvider, host: ProviderHost, code: number): Promise<void> {
  await started.close()
  host.exit(code)
}

/** The longest life of the process after Terraform is gone. */
const intervalMs = 2_000

/**
 * Resolves with true when the parent process is gone, or with false when the signal is aborted. A killed
 * Terraform notifies nobody, and its providers would run forever.
 */
async function watchParent(host: ProviderHost, signal: AbortSignal): Promise<boolean> {
  const parent = host.parentId()
  while (!signal.aborted) {
    await host.runtime.sleep(intervalMs, signal).catch(() => undefined)
    // On some systems the parent's id changes when the parent ends. On others it stays, but belongs to no
    // process.
    if (!signal.aborted && (host.parentId() !== parent || !host.isRunning(parent))) return true
  }
  return false
}

/** What a server uses of its process. */
interface ServerHost {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly temporaryDirectory: string
  readonly runtime: Runtime
  readonly writeError: (text: string) => void
}

/** Everything that a provider may use of its process. */
export interface ProviderHost extends ServerHost {
  /** Writes to file descriptor 1 synchronously, because Terraform waits for the line. */
  readonly writeOut: (text: string) => void
  /** Sends everything that is written to stdout to the listener. */
  readonly divertStdout: (listener: (bytes: Uint8Array) => void) => void
  readonly parentId: () => number
  readonly isRunning: (processId: number) => boolean
  /** Replaces the default effect of a signal, which ends the process. */
  readonly onSignal: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void) => void
  /** Runs last at every end of the process except a kill. It cannot wait for anything. */
  readonly onExit: (listener: () => void) => void
  readonly exit: (code: number) => void
}

/** Terraform sets this variable for its plugins; no other program does. */
export const cookie = {
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
} as const

const protocolVersion = 6

function isStartedByTerraform(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.TF_PLUGIN_MAGIC_COOKIE === cookie.TF_PLUGIN_MAGIC_COOKIE
}

/** The message for a person who starts the file directly. */
const startedByHand = [
  'this program is a Terraform provider, which Terraform starts itself.',
  'add it to the "required_providers" of a configuration and run "terraform init" there.',
  '',
].join('\n')

export interface Handshake {
  readonly address: Address
  /** The provider's certificate, if the connection is encrypted. */
  readonly certificate: Uint8Array | undefined
  /** Whether Terraform asked to share one connection, which is not supported. */
  readonly isMultiplexAsked: boolean
}

/** The line that Terraform reads to connect to the provider it started. */
export function handshakeLine({ address, certificate, isMultiplexAsked }: Handshake): string {
  const fields = [
    '1',
    String(protocolVersion),
    address.network,
    address.at,
    'grpc',
    // Go's decoder refuses padding.
    Buffer.from(certificate ?? [])
      .toString('base64')
      .replace(/=+$/, ''),
    ...(isMultiplexAsked ? ['false'] : []),
  ]
  return `${fields.join('|')}\n`
}

/**
 * The value of TF_REATTACH_PROVIDERS with which Terraform and OpenTofu use a running provider, under each of
 * its addresses, beside the providers of others in it.
 */
export function reattachSetting(
  sources: readonly string[],
  address: Address,
  processId: number,
  others: JsonObject = {},
): string {
  const running = {
    Protocol: 'grpc',
    ProtocolVersion: protocolVersion,
    Pid: processId,
    // Terraform does not stop a provider under test, and does not end its process.
    Test: true,
    Addr: { Network: address.network, String: address.at },
  }
  const attached = Object.fromEntries(sources.map(source => [source, running]))
  return JSON.stringify({ ...others, ...attached })
}

interface Address {
  readonly network: 'unix' | 'tcp'
  readonly at: string
}

/** Binds the server to a socket file or, if impossible, to a local port. */
export async function listen(server: GrpcServer, host: ServerHost): Promise<Address> {
  const folder = host.env.PLUGIN_UNIX_SOCKET_DIR || host.temporaryDirectory
  const path = join(folder, `plugin${host.runtime.uniqueId()}`)
  if (host.platform !== 'win32' && Buffer.byteLength(path) <= longestSocketPath) {
    await server.listen({ path })
    return { network: 'unix', at: path }
  }
  return { network: 'tcp', at: `127.0.0.1:${await bindPort(server, host.env)}` }
}

/** Removes the socket file. Closing the server removes it too, but an end of the process does not. */
export function removeSocket({ network, at }: Address): void {
  if (network === 'unix') rmSync(at, { force: true })
}

/** macOS allows 103 bytes; Linux allows a few more. */
const longestSocketPath = 103

/** A port in the range that Terraform allows; any port if there is no range. */
async function bindPort(server: GrpcServer, env: ProviderHost['env']): Promise<number> {
  const host = '127.0.0.1'
  const [first, last] = [Number(env.PLUGIN_MIN_PORT), Number(env.PLUGIN_MAX_PORT)]
  if (!(first > 0 && last >= first)) return server.listen({ host, port: 0 })
  for (let port = first; port <= last; port++) {
    const bound = await server.listen({ host, port }).catch(() => undefined)
    if (bound !== undefined) return bound
  }
  throw new Error(`no port from ${first} to ${last} is free for the provider`)
}

export function processHost(running: NodeJS.Process): ProviderHost {
  return {
    env: running.env,
    platform: running.platform,
    temporaryDirectory: tmpdir(),
    runtime: realRuntime,
    writeOut: text => void writeSync(1, text),
    writeError: text => void running.stderr.write(text),
    divertStdout: listener => divert(running.stdout, listener),
    parentId: () => running.ppid,
    isRunning: processId => isRunning(running, processId),
    onSignal: (signal, listener) => void running.on(signal, listener),
    onExit: listener => void running.on('exit', listener),
    exit: code => running.exit(code),
  }
}

function divert(stdout: NodeJS.WriteStream, listener: (bytes: Uint8Array) => void): void {
  stdout.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    listener(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    const done = rest.find(each => typeof each === 'function')
    done?.()
    return true
  }
}

function isRunning(running: NodeJS.Process, processId: number): boolean {
  try {
    return running.kill(processId, 0)
  } catch (error) {
    // Signalling another user's process is refused, but the process exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
