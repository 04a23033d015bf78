import { providerSources } from '../../schema/terraform/terraform-names.ts'
import { messageOf } from '../diagnostic.ts'
import { createCertificate } from './certificate.ts'
import { handshakeLine, isStartedByTerraform, reattachSetting, startedByHand } from './handshake.ts'
import type { ProviderHost } from './provider-host.ts'
import { type DefineProvider, type StartedProvider, startProvider } from './start.ts'

/** What the shipped file does: serves Terraform, or, with `--debug`, whoever attaches to it. */
export async function serve(define: DefineProvider, host: ProviderHost): Promise<void> {
  const isDebugged = host.arguments.includes('--debug')
  if (!isDebugged && !isStartedByTerraform(host.env)) {
    host.writeError(startedByHand)
    return host.exit(1)
  }
  try {
    await (isDebugged ? serveForDebugging : serveTerraform)(define, host)
  } catch (error) {
    host.writeError(`the provider cannot start: ${messageOf(error)}\n`)
    host.exit(1)
  }
}

/** Serves the Terraform that started this process, until it says that this is enough, or is gone. */
async function serveTerraform(define: DefineProvider, host: ProviderHost): Promise<void> {
  // An interrupt reaches the whole group. Terraform asks for a stop itself, and wants an answer to what is under way.
  host.onSignal('SIGINT', () => undefined)
  const { PLUGIN_CLIENT_CERT: clientPem, PLUGIN_MULTIPLEX_GRPC: multiplex } = host.env
  const certificate = clientPem ? createCertificate(host.runtime.now()) : undefined
  const tls = certificate && clientPem ? { certificate, clientPem } : undefined
  const started = await startProvider(define, host, () => void end(started, host, 0), tls)
  host.onSignal('SIGTERM', () => void end(started, host, 143))
  // A terminal that is closed ends Terraform as well, which then tells nobody.
  host.onSignal('SIGHUP', () => void end(started, host, 129))
  host.writeOut(
    handshakeLine({
      address: started.address,
      certificate: certificate?.der,
      isMultiplexAsked: multiplex !== undefined && multiplex !== '',
    }),
  )
  host.divertStdout(bytes => started.stdout.write(bytes))
  // Nobody aborts the watch: it ends with the process.
  void watchParent(host, new AbortController().signal).then(async isGone => {
    if (isGone) await end(started, host, 1)
  })
}

/**
 * Serves any number of Terraform runs, without a certificate and without being started by one. Prints what they
 * have to know.
 */
async function serveForDebugging(define: DefineProvider, host: ProviderHost): Promise<void> {
  const started = await startProvider(define, host, () => void end(started, host, 0))
  host.onSignal('SIGINT', () => void end(started, host, 0))
  host.onSignal('SIGTERM', () => void end(started, host, 0))
  host.onSignal('SIGHUP', () => void end(started, host, 0))
  host.writeOut(
    `the provider runs until it is interrupted; in another terminal:\n\nexport ${reattachSetting(providerSources, started.address, host.processId)}\n`,
  )
}

async function end(started: StartedProvider, host: ProviderHost, code: number): Promise<void> {
  await started.close()
  host.exit(code)
}

/** How long an orphan lives on. */
const intervalMs = 2_000

/**
 * Resolves when the process that started this one has gone, true; or when the signal is aborted, false. A Terraform
 * that was killed tells nobody, and its providers would stay for ever.
 */
async function watchParent(host: ProviderHost, signal: AbortSignal): Promise<boolean> {
  const parent = host.parentId()
  while (!signal.aborted) {
    await host.runtime.sleep(intervalMs, signal).catch(() => undefined)
    // Where orphans are adopted the parent's id changes; elsewhere it stays and names nobody.
    if (!signal.aborted && (host.parentId() !== parent || !host.isRunning(parent))) return true
  }
  return false
}
