import { liveObjects } from '../../../core/compare/live-objects.ts'
import { readAll } from '../../../core/read/read-all.ts'
import { isSameTarget, type Target, targetText } from '../../../core/target.ts'
import { declarableKinds } from '../../../kinds/index.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import type { RepositoryFlags, RepositorySettings } from '../../connection/repository-settings.ts'
import { flagNames } from '../../connection/resolve-setting.ts'
import { openSession, type Session, type SessionFlags } from '../../connection/session.ts'
import { CommandError, EnvironmentError, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { withProgress } from '../../host/output/progress.ts'
import { openSettings } from '../../repository/repository.ts'
import { noteNameless } from '../export/export-notes.ts'
import { isWanted, type ReadEnvironment, type ReadOptions } from './read-environment.ts'

type Flags = RepositoryFlags & SessionFlags & ReadOptions

interface ReadPlace {
  readonly environment: ReadEnvironment
  readonly target: Target
}

/**
 * Reads the live service of each environment with the key of that environment, one after the other: the embedded sandbox
 * is open once at a time. What goes wrong with one of them names it.
 */
export async function readLiveEnvironments(
  host: Host,
  names: readonly string[],
  flags: Flags,
): Promise<readonly ReadEnvironment[]> {
  const read: ReadPlace[] = []
  for (const name of names) {
    try {
      read.push(await readEnvironment(host, name, flags, read))
    } catch (error) {
      throw new EnvironmentError(name, error)
    }
  }
  return read.map(({ environment }) => environment)
}

async function readEnvironment(
  host: Host,
  name: string,
  flags: Flags,
  before: readonly ReadPlace[],
): Promise<ReadPlace> {
  const ofEnvironment = { ...flags, env: name }
  const settings = await openSettings(host, ofEnvironment)
  const session = await openSession(host, ofEnvironment, settings, { readOnly: true })
  try {
    const { target, note } = session
    requireOwnPlace(
      session,
      before.map(({ environment, target }) => ({ name: environment.name, target })),
    )
    if (note !== undefined && before.length === 0) host.log.info(escapeText(note))
    const objects = await readObjects(host, session, settings, { name, flags })
    const wanted = objects.filter(object => isWanted(object, flags))
    const { cohorts, groupTypes } = settings
    const environment = { name, objects: wanted, numbers: { cohorts, groupTypes }, place: targetText(target) }
    return { target, environment }
  } finally {
    await session.close()
  }
}

async function readObjects(
  host: Host,
  { client, connection: { parallelism } }: Session,
  { roles }: RepositorySettings,
  { name, flags }: { readonly name: string; readonly flags: Flags },
) {
  const { objects, nameless, inventory } = await withProgress(host, `reading ${name}`, () =>
    readAll({
      client,
      kinds: declarableKinds.filter(({ lifecycle }) => !lifecycle.parent),
      withGrants: flags.grants,
      parallelism,
      signal: host.stop,
    }),
  )
  const partly = Object.entries(inventory).find(([, { complete }]) => !complete)
  if (partly)
    throw new CommandError(`the list of ${partly[0]} was not read whole; it changed meanwhile; try again`)
  noteNameless(host, { environment: name, nameless })
  const roleNames = new Map(Object.entries(roles).map(([role, id]) => [id.toLowerCase(), role] as const))
  return liveObjects(objects, roleNames)
}

/** A variable that leads two environments to one place would make them equal, whatever is in them. */
export function requireOwnPlace(
  { target, placeFlags }: Pick<Session, 'target' | 'placeFlags'>,
  before: readonly { readonly name: string; readonly target: Target }[],
): void {
  const misled = Object.entries(flagNames).flatMap(([setting, flag]) =>
    setting in placeFlags ? [flag.slice('--'.length)] : [],
  )
  if (misled.length > 0)
    throw new CommandError(
      `an environment variable gives another ${misled.join(' and ')} than vexil.yaml; unset it to tell environments apart`,
      exitCode.refused,
    )
  const same = before.find(place => isSameTarget(place.target, target))
  if (same)
    throw new CommandError(
      `it is the same place as "${same.name}": ${targetText(target)}; give each a project of its own in vexil.yaml`,
      exitCode.refused,
    )
}
