import { resolve } from 'node:path'
import { knownScopes } from '../../kinds/key-scopes.ts'
import type { Profile } from '../../model/connection.ts'
import { checkedKey, largestSaved } from '../../model/limits.ts'
import { meantHint } from '../../model/text/names.ts'
import { escapeText } from '../../model/text/printable.ts'
import type { SandboxDocument, ShownQuirk } from '../../report/document.ts'
import {
  createSandbox,
  isLoopback,
  parseFault,
  parseQuirk,
  parseWorld,
  type Quirk,
  quirkTable,
  type Sandbox,
  type SandboxOptions,
  type SandboxPage,
  serveSandbox,
  type WorldFile,
  WorldFileError,
} from '../../sandbox/index.ts'
import { valuesIn } from '../../services/differences.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import { type Host, readNamedFile } from '../host/host.ts'
import { print } from '../host/output.ts'

type SandboxFlags = Flags & Required<Pick<Flags, 'host' | 'port'>> & { readonly profile: Profile }

/** `vexil sandbox`: runs the sandbox until SIGINT or SIGTERM. */
export async function runSandbox(host: Host, flags: SandboxFlags): Promise<ExitCode> {
  const port = portIn(flags.port)
  const canEdit = isLoopback(flags.host)
  // The page needs no key, so it is not for a sandbox that other machines reach and that a key of its own protects.
  const isOpen = canEdit || flags.apiKey === undefined
  const page = isOpen ? await pageFor(flags, 'vexil sandbox', { canEdit }) : undefined
  const options = { ...(await sandboxOptions(host, flags)), ...(page && { page }) }
  let stopListening = () => {}
  const interrupted = new Promise<void>(settle => {
    stopListening = host.onInterrupt(() => settle())
  })
  const sandbox = await createSandbox(options)
  try {
    noteSeed(host, flags, sandbox)
    const served = await serveSandbox(sandbox, { host: flags.host, port, allowedHosts: flags.allowHost })
    const where = page ? { page: `${served.url}/` } : {}
    await print(host, flags, { ...listening(served.url, sandbox, flags), ...where })
    await interrupted
    await served.close()
  } finally {
    stopListening()
    await sandbox.close()
  }
  // A signal is the normal end of this command.
  return exitCode.done
}

/** The page at `/`, unless `--no-page` turns it off. */
export async function pageFor(
  { page }: Flags,
  title: string,
  facts: Omit<SandboxPage, 'html' | 'policy'>,
): Promise<SandboxPage | undefined> {
  if (page === false) return undefined
  const { livePage } = await import('../../report/html/live-page.ts')
  return { ...livePage(title), ...facts }
}

export function portIn(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new CommandError(`a port is a whole number from 0 to 65535, not "${text}"`, exitCode.usage)
}

/** Warns if an option for the world is ignored. */
function noteSeed(host: Host, { data, world, empty }: SandboxFlags, { isFresh }: Sandbox): void {
  if (isFresh || (world === undefined && !empty)) return
  const flag = world === undefined ? '--empty' : '--world'
  host.log.warn(
    `"${escapeText(data ?? '')}" already contains a world, so ${flag} is ignored; delete that folder to start afresh`,
  )
}

async function sandboxOptions(host: Host, flags: SandboxFlags): Promise<SandboxOptions> {
  return {
    runtime: host.runtime,
    ...(flags.data === undefined ? {} : { data: resolve(host.directory, flags.data) }),
    ...(flags.world === undefined ? {} : { seed: await readWorld(host, flags.world) }),
    empty: flags.empty ?? false,
    profile: flags.profile,
    quirks: Object.assign({}, ...(flags.quirk ?? []).map(text => usage(() => parseQuirk(text)))),
    faults: (flags.fault ?? []).map(text => usage(() => parseFault(text))),
    ...(flags.scope === undefined ? {} : { scopes: flags.scope.map(checkedScope) }),
    ...(flags.apiKey === undefined ? {} : { apiKey: checkedApiKey(flags.apiKey) }),
  }
}

function checkedScope(given: string): string {
  const known = knownScopes()
  if (given === '*' || known.includes(given)) return given
  const hint = meantHint(given, known, undefined)
  throw new CommandError(`"${given}" is not a scope of a key${hint ? `; ${hint}` : ''}`, exitCode.usage)
}

function checkedApiKey(given: string): string {
  const checked = checkedKey(given)
  if ('key' in checked) return checked.key
  throw new CommandError(`the key from --api-key ${checked.fault}`)
}

/** Turns errors of a parser into usage errors. */
function usage<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(error.message, exitCode.usage) : error
  }
}

/** The key of the sandbox is not secret, and the user needs it. */
function listening(url: string, { summary }: Sandbox, { profile }: SandboxFlags): SandboxDocument {
  return { is: 'sandbox', base_url: url, profile, ...summary }
}

async function readWorld(host: Host, file: string): Promise<WorldFile> {
  const text = await readNamedFile(host, `the world file "${file}"`, file, largestSaved)
  try {
    return parseWorld(text, file)
  } catch (error) {
    throw error instanceof WorldFileError
      ? new CommandError(`the world file cannot be used\n${error.message}`)
      : error
  }
}

/** `vexil sandbox quirks`: lists the adjustable behaviours, with their values in each profile. */
export async function runQuirks(host: Host, flags: Flags): Promise<ExitCode> {
  const quirks = Object.entries<Quirk>(quirkTable).map(([name, quirk]) => shownQuirk(name, quirk))
  await print(host, flags, { is: 'quirks', quirks })
  return exitCode.done
}

function shownQuirk(name: string, quirk: Quirk): ShownQuirk {
  const { doc, sources, certainty = 'high' } = quirk
  return { name, doc, takes: takenBy(quirk), profiles: valuesIn(quirk), sources, certainty }
}

function takenBy(quirk: Quirk): ShownQuirk['takes'] {
  switch (quirk.type) {
    case 'switch':
      return [true, false]
    case 'number':
      return 'number'
    case 'choice':
      return quirk.of
  }
}
