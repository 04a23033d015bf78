import type { Target } from '../../../core/target.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import type { Environment } from '../../../yaml/settings.ts'
import type { RepositoryFlags } from '../../connection/repository-settings.ts'
import type { SessionFlags } from '../../connection/session.ts'
import { EnvironmentError } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import type { OutputFlags } from '../../host/output/output.ts'
import { unreadNote } from '../../past/unread-note.ts'
import { fetchRuns } from '../../runs/shared-runs.ts'
import type { Opened } from './commits-of.ts'
import type { KnownEnvironment } from './find-stale.ts'
import type { FlagState } from './flag-states.ts'
import { type LiveFlags, readLiveFlags } from './live-flags.ts'
import { readRecords, targetOf } from './record-since.ts'

export interface StaleFlags
  extends Pick<RepositoryFlags, 'chdir' | 'env' | 'profile'>,
    SessionFlags,
    OutputFlags {
  /** From how many days on a flag that gives everybody the same is stale. */
  readonly days?: string
  /** Files and folders of code to search. */
  readonly in?: readonly string[]
  /** Whether the service is asked; the embedded sandbox is where it is named. */
  readonly activity?: boolean
  readonly owner?: readonly string[]
}

export interface AskedEnvironments {
  readonly environments: readonly Environment[]
  readonly states: readonly FlagState[]
  /** What was so before, in milliseconds since 1970, is old enough. */
  readonly cutoff: number
}

/** What records and, where it is asked, the service tell of each environment, one after the other. */
export async function knownEnvironments(
  host: Host,
  flags: StaleFlags,
  opened: Opened,
  { environments, states, cutoff }: AskedEnvironments,
): Promise<readonly KnownEnvironment[]> {
  const { directory } = opened.options
  await fetchRuns(host, { directory, runs: opened.settings.runs })
  const places: { readonly name: string; readonly target: Target }[] = []
  const known: KnownEnvironment[] = []
  const told = new Set<string>()
  for (const environment of environments) {
    const { name } = environment
    const own = states.filter(state => state.environment === name)
    const live =
      flags.activity || flags.sandbox
        ? await readLive(host, flags, opened, {
            environment,
            cutoff,
            places: environments.length > 1 ? places : undefined,
          })
        : undefined
    if (live) places.push({ name: name ?? '', target: live.target })
    const target = live?.target ?? targetOf(host, flags, directory, environment)
    const records = await readRecords(directory, target, own)
    const unreadLine = unreadNote(directory, records.unread)
    if (unreadLine !== undefined) told.add(unreadLine)
    known.push({ name, states: own, records, ...(live ? { live } : {}) })
  }
  for (const line of told) host.log.warn(escapeText(line))
  return known
}

interface AskedPlace {
  readonly environment: Environment
  readonly cutoff: number
  /** Those that were read before; undefined where it is the only one. */
  readonly places: readonly { readonly name: string; readonly target: Target }[] | undefined
}

/** What goes wrong with one environment of several names it. */
async function readLive(
  host: Host,
  flags: StaleFlags,
  { options: { directory }, settings, settingsFile }: Opened,
  { environment: { name, connection }, cutoff, places }: AskedPlace,
): Promise<LiveFlags> {
  const named = name === undefined ? {} : { environment: name }
  const file = settingsFile === undefined ? {} : { settingsFile }
  const origin = { directory, connection, environments: settings.environments, ...named, ...file }
  const ofEnvironment = name === undefined ? flags : { ...flags, env: name }
  try {
    return await readLiveFlags(host, ofEnvironment, origin, { cutoff, places })
  } catch (error) {
    throw name === undefined ? error : new EnvironmentError(name, error)
  }
}
