import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createSandbox, parseFault, parseQuirk, parseWorld, serveSandbox } from '../../sandbox/index.ts'
import { CommandError, type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'

export interface SandboxFlags {
  readonly host: string
  readonly port: string
  readonly data?: string
  readonly world?: string
  readonly empty?: boolean
  readonly profile: 'documented' | 'posthog'
  readonly quirk: readonly string[]
  readonly fault: readonly string[]
  readonly apiKey?: string
  readonly json?: boolean
}

/** `vexil sandbox`: serves the stand-in until SIGINT or SIGTERM. */
export async function runSandbox(host: Host, flags: SandboxFlags): Promise<ExitCode> {
  const port = Number(flags.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new CommandError(`a port is a whole number from 0 to 65535, not "${flags.port}"`, exitCode.usage)
  }
  const interrupted = new Promise<ExitCode>(settle => {
    host.onInterrupt(signal => settle(signal === 'SIGINT' ? exitCode.interrupted : exitCode.terminated))
  })
  const sandbox = await createSandbox({
    world: host.world,
    ...(flags.data === undefined ? {} : { data: resolve(host.directory, flags.data) }),
    ...(flags.world === undefined ? {} : { seed: await readWorld(host, flags.world) }),
    empty: flags.empty ?? false,
    profile: flags.profile,
    quirks: Object.assign({}, ...flags.quirk.map(parseQuirk)),
    faults: flags.fault.map(parseFault),
    ...(flags.apiKey === undefined ? {} : { apiKey: flags.apiKey }),
  })
  const served = await serveSandbox(sandbox, { host: flags.host, port })
  const { api_key, organization, project, projects, roles } = sandbox.summary
  if (flags.json) {
    host.stdout.write(`${JSON.stringify({ base_url: served.url, api_key, organization, project, roles })}\n`)
  } else {
    host.stdout.write(
      [
        `listening on ${served.url}`,
        '',
        `export VEXIL_BASE_URL=${served.url}`,
        `export VEXIL_API_KEY=${api_key}`,
        `export VEXIL_ORGANIZATION_ID=${organization}`,
        `export VEXIL_PROJECT_ID=${project}`,
        '',
        `projects: ${projects.join(', ')}`,
        ...roles.map(({ id, name }) => `role ${name}: ${id}`),
        '',
      ].join('\n'),
    )
  }
  await interrupted
  await served.close()
  await sandbox.close()
  // Being told to stop is how this command ends well.
  return exitCode.done
}

async function readWorld(host: Host, file: string) {
  const text = await readFile(resolve(host.directory, file), 'utf8').catch(() => {
    throw new CommandError(`the world file "${file}" cannot be read`)
  })
  return parseWorld(text)
}
