import {
  type Client,
  type ClientOptions,
  changedTarget,
  createClient,
  openPool,
  type Pace,
  type RequestEvent,
  requestFields,
  requestText,
} from '../../api/index.ts'
import { sandboxUrl, type Target } from '../../core/target.ts'
import { version } from '../../model/version.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import {
  type Connection,
  type Disagreement,
  disagreementsIn,
  flagOf,
  type ResolvedSettings,
  requireFixedPlace,
  resolveConnection,
  resolveSettings,
  type SettingsOrigin,
} from './connection.ts'
import type { EmbeddedSandbox } from './embedded-sandbox.ts'
import type { RepositorySettings } from './repository-settings.ts'
import { sharedPace } from './shared-store.ts'

/** An open connection to one service. */
export interface Session {
  readonly client: Client
  readonly connection: Connection
  readonly target: Target
  /** The flags to add, if environment variables override the selected environment. */
  readonly placeFlags: Pick<Flags, PlaceSetting>
  /** Throws if a variable overrides the place of the selected environment, for commands that write. */
  requireNamedPlace(): void
  /** A note about the place; one line. */
  readonly note?: string
  close(): Promise<void>
}

const placeSettings = ['baseUrl', 'project', 'organization'] as const
type PlaceSetting = (typeof placeSettings)[number]

export type SessionOrigin = Pick<
  RepositorySettings,
  'directory' | 'connection' | 'environments' | 'settingsFile' | 'environment' | 'store' | 'pace'
> & {
  /** The sources of settings that are not from the settings file. */
  readonly otherSources?: SettingsOrigin['others']
}

export interface SessionOptions {
  /** Whether to refuse all requests that may write. */
  readonly readOnly: boolean
  /** Whether the input names its place, like a saved plan. The caller must compare this place. */
  readonly namesPlace?: boolean
  /** Whether to print no notes, since the place was opened before. */
  readonly isQuiet?: boolean
  readonly onRequest?: ClientOptions['onRequest']
}

/**
 * Opens a connection for the selected environment. Warns if environment variables override the settings.
 * Throws if they lead a command that writes away from the selected environment.
 */
export async function openSession(
  host: Host,
  flags: Flags,
  repository: SessionOrigin,
  options: SessionOptions,
): Promise<Session> {
  if (flags.sandbox) return openOnSandbox(host, flags, repository, options)
  const { readOnly, namesPlace = false, isQuiet = false } = options
  const place = settingsPlace(repository)
  const disagreements = disagreementsIn(resolvedFor(host, flags, repository), place)
  for (const { variable, written } of isQuiet ? [] : disagreements)
    host.log.warn(`${variable} wins over ${written}`)
  const misplaced = flags.env === undefined ? [] : disagreements.filter(isAboutPlace)
  const placeFlags = Object.fromEntries(misplaced.map(({ setting, value }) => [setting, value]))
  if (host.several) requireSettingsPlace({ placeFlags }, 'use several environments')
  const requirePlace = () => requireNamedPlace(flags.env, misplaced)
  if (!readOnly && !namesPlace) requirePlace()
  const { connection: settings, directory } = repository
  const connection = await resolveConnection(flags, host, settings, directory, place)
  host.secrets.add(connection.apiKey)
  requireFixedPlace(connection)
  const pace = await sharedPace(host, repository, connection)
  const client = openClient(host, connection, options, pace)
  return {
    client,
    connection,
    target: client.target,
    placeFlags,
    requireNamedPlace: requirePlace,
    close: () => client.close(),
  }
}

/** Opens a session, and closes it after use. */
export async function usingSession<T>(
  host: Host,
  flags: Flags,
  repository: SessionOrigin,
  options: SessionOptions,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession(host, flags, repository, options)
  try {
    return await use(session)
  } finally {
    await session.close()
  }
}

/**
 * The settings from flags, variables and the settings file. For the sandbox, variables and the address do not
 * count.
 */
export function resolvedFor(host: Host, flags: Flags, repository: SessionOrigin): ResolvedSettings {
  const { baseUrl: _, ...withoutAddress } = repository.connection
  return flags.sandbox
    ? resolveSettings(flags, {}, withoutAddress, settingsPlace(repository))
    : resolveSettings(flags, host.env, repository.connection, settingsPlace(repository))
}

/** The target for display, with the sources of its ids. */
export function shownTarget({ target, connection: { sources } }: Session): Target {
  const from = (id: string | undefined, source: string | undefined) =>
    id === undefined || source === undefined ? id : `${id} from ${source}`
  return {
    ...target,
    projectId: from(target.projectId, sources.project),
    organizationId: from(target.organizationId, sources.organization),
  }
}

/** Throws if a variable overrides the place: several environments would be the same place. */
export function requireSettingsPlace({ placeFlags }: Pick<Session, 'placeFlags'>, purpose: string): void {
  const misled = placeSettings.filter(each => each in placeFlags).map(each => flagOf(each).slice(2))
  if (misled.length === 0) return
  throw new CommandError(
    `an environment variable gives another ${misled.join(' and ')} than vexil.yaml; unset it to ${purpose}`,
    exitCode.refused,
  )
}

function settingsPlace({ settingsFile, environment, otherSources }: SessionOrigin): SettingsOrigin {
  return {
    file: settingsFile ?? 'vexil.yaml',
    environment,
    others: otherSources,
  }
}

function isAboutPlace({ setting }: Disagreement): boolean {
  return placeSettings.some(each => each === setting)
}

/** Throws if the place differs from the selected environment. */
function requireNamedPlace(environment = '', misplaced: readonly Disagreement[]): void {
  if (misplaced.length === 0) return
  const named = misplaced.map(({ source }) => source).join(', ')
  const flags = misplaced.map(({ setting }) => flagOf(setting)).join(', ')
  throw new CommandError(
    `refusing to write: --env ${environment} means another place than ${named}; unset ${misplaced.length === 1 ? 'it' : 'them'}, or choose the place with ${flags}`,
    exitCode.refused,
  )
}

/** Variables and the address in the settings are for the real service, so they are ignored. */
async function openOnSandbox(
  host: Host,
  flags: Flags,
  repository: SessionOrigin,
  options: SessionOptions,
): Promise<Session> {
  const { apiKeyEnv: _variable, apiKeyCommand: _command, ...settings } = repository.connection
  const settled = await resolveConnection(
    { ...flags, baseUrl: 'http://localhost' },
    {
      ...host,
      env: { VEXIL_API_KEY: 'the-key-of-the-sandbox', VEXIL_PARALLELISM: host.env.VEXIL_PARALLELISM },
    },
    settings,
    repository.directory,
    settingsPlace(repository),
  )
  const sandbox = await openSandbox(host, repository, settled)
  const seeded = 'the sandbox'
  const sources = { project: seeded, organization: seeded, ...settled.sources, baseUrl: seeded }
  const connection = { ...settled, ...sandbox.connection, sources }
  const client = openClient(host, connection, options)
  return {
    client,
    connection,
    note: sandbox.note,
    // The sandbox has another address at each start, but plans must stay valid.
    target: changedTarget(client.target, { baseUrl: sandboxUrl }),
    placeFlags: {},
    requireNamedPlace: () => undefined,
    async close() {
      await client.close()
      if (!host.several) await sandbox.close()
    },
  }
}

/** Several environments use one sandbox, since it can be open only once. */
async function openSandbox(
  host: Host,
  repository: SessionOrigin,
  settled: Connection,
): Promise<EmbeddedSandbox> {
  const { several } = host
  const { openEmbeddedSandbox } = await import('./embedded-sandbox.ts')
  if (!several) return openEmbeddedSandbox(host, repository, settled)
  const opened = await several.once('sandbox', async () => {
    const { projectId: _, organizationId: __, ...placeless } = settled
    const sandbox = await openEmbeddedSandbox(host, repository, placeless)
    several.atEnd('sandbox', () => sandbox.close())
    return { sandbox, profile: settled.profile }
  })
  if (opened.profile !== settled.profile)
    throw new CommandError(
      `the sandbox imitates the API profile ${opened.profile} now, and this environment needs ${settled.profile}; run it by itself`,
      exitCode.refused,
    )
  const { sandbox } = opened
  const { projectId, organizationId } = sandbox.connection
  return {
    ...sandbox,
    connection: {
      ...sandbox.connection,
      projectId: settled.projectId ?? projectId,
      organizationId: settled.organizationId ?? organizationId,
    },
  }
}

function openClient(
  { runtime, env, log, redaction, several }: Host,
  connection: Connection,
  { readOnly, onRequest }: SessionOptions,
  pace?: Pace,
): Client {
  const name = `pool ${connection.baseUrl} ${connection.apiKey}`
  const pool = several?.once(name, () => {
    const opened = openPool({ ...connection, runtime, proxyEnvironment: env, pace })
    several.atEnd(name, () => opened.dispatcher.close())
    return opened
  })
  const onEach = (event: RequestEvent) => {
    if (log.isDebugging) log.debug(requestText(event), requestFields(event))
    several?.onRequest?.()
    onRequest?.(event)
  }
  return createClient({
    ...connection,
    ...(pool ? { pool } : { pace }),
    runtime,
    readOnly,
    onRequest: onEach,
    userAgent: `vexil/${version}`,
    proxyEnvironment: env,
    redactAnswer: (text, is) => (is === 'body' ? redaction.foreign(text) : redaction.text(text)),
  })
}
