import { resolve } from 'node:path'
import { LocalFlags, localProfile } from '../core/local-flags.ts'
import { realRuntime } from '../core/real-runtime.ts'
import type { JsonObject } from '../model/text/json.ts'
import { problemLine } from '../report/line-text.ts'
import { createSandbox, parseAdditions, serveSandbox } from '../sandbox/index.ts'
import type { OwnAdditions } from '../schema/world-schema.ts'
import { loadRepository } from '../yaml/index.ts'

/** Values, persons, groups and cohorts are those of `.vexil/dev.yaml`, which is not read here. */
export interface FlagServerOptions extends OwnAdditions {
  /** The folder with vexil.yaml; the current one by default. */
  readonly directory?: string
  readonly environment?: string
  /** The variables for `${env:NAME}` in the files. */
  readonly variables?: Readonly<Record<string, string>>
}

export interface CapturedEvent {
  readonly event: string
  readonly distinctId: string
  readonly properties: JsonObject
}

/** The declared flags of one environment, served to SDKs on a port of loopback. */
export interface FlagServer {
  /** The host for SDKs. */
  readonly url: string
  readonly projectToken: string
  /** The key for local evaluation. */
  readonly apiKey: string
  /**
   * Gives everybody this value of a flag: true, false or a variant. SDKs see it with their next request. Throws a
   * `RangeError` for an unknown flag, or a value that it cannot have.
   */
  set(key: string, value: boolean | string): void
  /** Takes back what `set` changed. Captured events are forgotten. */
  reset(): void
  /** What SDKs have captured since the start or the last reset, oldest first. */
  events(): readonly CapturedEvent[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Serves the declared flags of a repository as `vexil dev` does, for end-to-end tests. Each server is alone: one for
 * each worker keeps tests apart. Rejects with every error of the files.
 */
export async function serveFlags(options: FlagServerOptions = {}): Promise<FlagServer> {
  const { directory = '.', environment: asked, variables = {}, set: given, ...audience } = options
  const loaded = await loadRepository({ directory: resolve(directory), env: variables, environment: asked })
  const errors = loaded.problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(problemLine).join('\n'))
  const { environment, declarations } = loaded
  const { name = 'test', groupTypes = {}, connection } = environment ?? {}
  const own = parseAdditions(JSON.stringify(audience), 'the options', Object.keys(groupTypes))
  const local = new LocalFlags()
  const projectWith = (set: OwnAdditions['set']) =>
    local.project({ name, declarations, groupTypes }, { ...own, set })
  const sandbox = await createSandbox({
    runtime: realRuntime,
    profile: localProfile(connection?.profile),
    seed: { organizations: [{ name: 'test', projects: [projectWith(given)] }] },
    onlySdks: true,
  })
  // A test that fails before it closes its server must not keep the process from ending.
  const served = await serveSandbox(sandbox, { mayEnd: true })
  let [values, seen] = [{ ...given }, 0]
  const close = async () => {
    await served.close()
    await sandbox.close()
  }
  return {
    url: served.url,
    projectToken: sandbox.summary.project_token,
    apiKey: sandbox.summary.api_key,
    set(key, value) {
      const next = { ...values, [key]: value }
      sandbox.replace(projectWith(next))
      values = next
    },
    reset() {
      values = { ...given }
      sandbox.replace(projectWith(values))
      seen = sandbox.events().length
    },
    events: () =>
      sandbox
        .events()
        .slice(seen)
        .map(({ event, distinct_id: distinctId, properties }) => ({ event, distinctId, properties })),
    close,
    [Symbol.asyncDispose]: close,
  }
}
