import { type FSWatcher, watch } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { globSync } from 'tinyglobby'
import type { Desired } from '../../core/desired.ts'
import { renamedFields } from '../../core/flag-links.ts'
import { featureFlag } from '../../kinds/index.ts'
import { type Profile, profileNamed } from '../../model/connection.ts'
import { isJsonObject, type JsonObject } from '../../model/text/json.ts'
import { meantHint } from '../../model/text/names.ts'
import { createSandbox, serveSandbox, type WorldFile } from '../../sandbox/index.ts'
import { variantKeys } from '../../targeting/release.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { note, print } from '../host/output.ts'
import { failureOf } from '../plan/failure.ts'
import { openRepository } from '../repository/repository.ts'
import type { Repository } from '../repository/repository-settings.ts'
import { portIn } from './sandbox.ts'

type DevFlags = Flags & Required<Pick<Flags, 'port'>> & { readonly set?: readonly string[] }

/**
 * `vexil dev`: serves the declared flags of one environment to SDKs, and follows the files until a signal. Files
 * with mistakes change nothing: the last good flags stay.
 */
export async function runDev(host: Host, flags: DevFlags): Promise<ExitCode> {
  const first = await openRepository(host, flags)
  const profile = profileOf(first)
  const values = valuesIn(flags.set ?? [])
  const ids = new Map<string, number>()
  const worldFor = (repository: Repository) => worldOf(repository, values, ids)
  const sandboxWith = (seed: WorldFile) => createSandbox({ runtime: host.runtime, profile, seed })
  let world = worldFor(first)
  let sandbox = await sandboxWith(world)
  const served = await serveSandbox(
    { ...sandbox, fetch: (request, connection) => sandbox.fetch(request, connection) },
    { port: portIn(flags.port) },
  )
  const changes = new Changes(first.directory)
  const stopListening = host.onInterrupt(() => changes.stop())
  try {
    await print(host, flags, { is: 'sandbox', base_url: served.url, profile, ...sandbox.summary })
    while (await changes.next(host)) {
      const next = await orLastGood(host, async () => worldFor(await openRepository(host, flags)))
      if (next === undefined || isDeepStrictEqual(next, world)) continue
      world = next
      sandbox = await sandboxWith(world)
      host.log.info('the flags have changed')
    }
  } finally {
    stopListening()
    changes.stop()
    await served.close()
  }
  return exitCode.done
}

/** Undefined after a mistake in a file, which is shown. */
async function orLastGood(host: Host, make: () => Promise<WorldFile>): Promise<WorldFile | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const failure = await failureOf(error)
    if (failure.problems.length > 0) await note(host, { ...failure, line: undefined })
    host.log.error(`${failure.line ?? error.message}; the last good flags are still served`)
    return undefined
  }
}

/** SDKs ask the newest service, unless the environment has another one. */
function profileOf({ connection }: Repository): Profile {
  return profileNamed(connection.profile) ?? 'posthog-2026'
}

/** The values of `--set`, by key. */
function valuesIn(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    texts.map(text => {
      const [, key, value] = /^([^=]+)=(.+)$/s.exec(text) ?? []
      if (key === undefined || value === undefined)
        throw new CommandError(`--set takes FLAG=VALUE, not "${text}"`, exitCode.usage)
      return [key, value] as const
    }),
  )
}

/** One project with the declared flags. A flag keeps its id while this command runs: SDKs know flags by it. */
function worldOf(
  { declarations, groupTypes, environment = 'dev' }: Repository,
  values: ReadonlyMap<string, string>,
  ids: Map<string, number>,
): WorldFile {
  const flags = declarations.desired.filter(
    ({ kind, ensure }) => kind === featureFlag.name && ensure === 'present',
  )
  const keys = flags.map(keyOf)
  for (const key of keys) if (!ids.has(key)) ids.set(key, ids.size + 1)
  for (const key of values.keys()) {
    if (!keys.includes(key)) {
      const hint = meantHint(key, keys, 'declare it first')
      throw new CommandError(`--set names "${key}", which is not a declared flag; ${hint}`)
    }
  }
  return {
    organizations: [
      {
        name: 'dev',
        projects: [
          {
            name: environment,
            group_types: groupTypeNames(groupTypes),
            // The declared fields of a flag are those of a world.
            feature_flags: flags.map(flag => ({
              ...withValue(fieldsOf(flag, ids), keyOf(flag), values.get(keyOf(flag))),
              key: keyOf(flag),
              id: ids.get(keyOf(flag)) ?? 0,
            })),
          },
        ],
      },
    ],
  }
}

function keyOf({ identity, renamedTo = identity }: Desired): string {
  return renamedTo
}

/** The service knows flags in conditions by their ids. */
function fieldsOf({ fields }: Desired, ids: ReadonlyMap<string, number>): JsonObject {
  return renamedFields(featureFlag, fields, (_, name) => String(ids.get(name) ?? name))
}

function groupTypeNames(numbers: Readonly<Record<string, number>>): string[] {
  const names = Object.entries(numbers)
  const count = Math.max(0, ...names.map(([, number]) => number + 1))
  return Array.from(
    { length: count },
    (_, at) => names.find(([, number]) => number === at)?.[0] ?? `type ${at}`,
  )
}

/** Gives everybody one value: off, on, or a variant. */
function withValue(flag: JsonObject, key: string, value: string | undefined): JsonObject {
  if (value === undefined) return flag
  if (value === 'false') return { ...flag, active: false }
  const filters = isJsonObject(flag.filters) ? flag.filters : {}
  const condition: JsonObject = {
    properties: [],
    rollout_percentage: 100,
    ...(value === 'true' ? {} : { variant: variantNamed(value, key, filters) }),
  }
  return { ...flag, active: true, filters: { ...filters, groups: [condition] } }
}

function variantNamed(value: string, key: string, filters: JsonObject): string {
  const names = variantKeys(filters)
  if (names.includes(value)) return value
  const hint = meantHint(value, names, `there are: ${['true', 'false', ...names].join(', ')}`)
  throw new CommandError(`--set gives "${key}" the value "${value}", which it does not have; ${hint}`)
}

/** Changes of YAML files below a folder. Each folder is watched alone, since packages have very many. */
class Changes {
  readonly #root: string
  readonly #watchers = new Map<string, FSWatcher>()
  #isChanged = false
  #isStopped = false
  #wake = () => {}

  constructor(root: string) {
    this.#root = root
    this.#watchFolders()
  }

  #watchFolders(): void {
    const all = new Set([
      this.#root,
      ...globSync('**', {
        cwd: this.#root,
        onlyDirectories: true,
        absolute: true,
        ignore: ['**/node_modules/**', '**/.*/**'],
      }),
    ])
    for (const [folder, watcher] of this.#watchers) {
      if (all.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    const added = [...all].filter(folder => !this.#watchers.has(folder))
    for (const folder of added) this.#watchers.set(folder, this.#watcherOf(folder))
    // A folder may have got another one before it was watched.
    if (added.length > 0) this.#watchFolders()
  }

  #watcherOf(folder: string): FSWatcher {
    const watcher = watch(folder, (_, file) => {
      // A name without an ending may be a new folder.
      if (!/\.ya?ml$|^[^.]+$/i.test(file ?? '')) return
      this.#isChanged = true
      this.#wake()
    })
    // The folder is gone, which its parent reports.
    return watcher.on('error', () => watcher.close())
  }

  /** Waits for the next change, and for those that come with it. False at the end. */
  async next({ runtime }: Host): Promise<boolean> {
    if (!this.#isChanged && !this.#isStopped) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    // Editors write a file in several steps.
    if (!this.#isStopped) await runtime.sleep(20)
    this.#isChanged = false
    if (!this.#isStopped) this.#watchFolders()
    return !this.#isStopped
  }

  stop(): void {
    this.#isStopped = true
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#wake()
  }
}
