import { resolve } from 'node:path'
import { compareEnvironments, declaredObjects, liveObjects } from '../../core/compare-environments.ts'
import type { ComparedEnvironment, ComparedObject, Comparison } from '../../core/comparison.ts'
import { isSameTarget, type Target, targetText } from '../../core/target.ts'
import { declarableKind, declarableKinds } from '../../kinds/index.ts'
import { meantHint } from '../../model/text/names.ts'
import { escapeText } from '../../model/text/printable.ts'
import { Readings } from '../../yaml/index.ts'
import type { Flags, SeveralFlags } from '../command-options.ts'
import { noteNameless, readObjects } from '../edit/read-places.ts'
import { CommandError, EnvironmentError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { requireOwners, resolveAddresses } from '../plan/target-filter.ts'
import { namesFor } from '../repository/choose-environments.ts'
import { noteDeclarations, openRepository, openSettings, openSettingsAt } from '../repository/repository.ts'
import { requireSettingsPlace, type Session, usingSession } from '../repository/session.ts'

/** `vexil compare`: shows environments side by side, as declared or as live. It only reads. */
export async function runCompare(
  host: Host,
  from: string | undefined,
  to: string | undefined,
  more: readonly string[],
  { env, shard, ...flags }: SeveralFlags,
): Promise<ExitCode> {
  const words = [from, to, ...more].filter(word => word !== undefined)
  const settings = await openSettingsAt(host, resolve(host.directory, flags.chdir ?? '.'))
  const known = settings.environments.map(({ name }) => name)
  const added = await namesFor(host, { ...flags, env, shard })
  const { environments: names, objects } = chosenIn(withNames(words, added, known), known)
  const read = flags.live
    ? await readLiveEnvironments(host, names, flags)
    : await readDeclared(host, names, flags)
  const comparison = compareEnvironments(onlyOwned(onlyNamed(read, objects), flags.owner), host.redaction)
  const code = flags.detailedExitcode && hasDifference(comparison) ? exitCode.changes : exitCode.done
  await print(host, flags, {
    is: 'comparison',
    exitCode: code,
    comparison,
    isLive: flags.live === true,
    places: Object.fromEntries(
      read.flatMap(({ name, place }) => (place === undefined ? [] : [[name, place]])),
    ),
    showsEqual: flags.showEqual === true,
  })
  return code
}

/** The named environments, then those of `--env`, then the objects. */
function withNames(
  words: readonly string[],
  added: readonly string[],
  known: readonly string[],
): readonly string[] {
  if (added.length === 0) return words
  const end = words.findIndex(word => !known.includes(word))
  const [named, objects] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)]
  return [...named, ...added.filter(name => !named.includes(name)), ...objects]
}

function hasDifference({ rows }: Comparison): boolean {
  return rows.some(({ verdict }) => verdict !== 'equal')
}

/** Keeps the objects that some owners have in any environment. */
function onlyOwned(
  environments: readonly ComparedEnvironment[],
  owners: readonly string[] | undefined,
): readonly ComparedEnvironment[] {
  if (owners === undefined) return environments
  const all = environments.flatMap(({ objects }) => objects)
  requireOwners(
    owners,
    all.flatMap(each => each.owners ?? []),
    nowhere.owner,
  )
  const owned = all.filter(each => each.owners?.some(owner => owners.includes(owner)))
  return onlyAt(environments, new Set(owned.map(({ address }) => address)))
}

/** Keeps the named objects, and the grants of named flags. */
function onlyNamed(
  environments: readonly ComparedEnvironment[],
  named: readonly string[] | undefined,
): readonly ComparedEnvironment[] {
  if (named === undefined) return environments
  const addresses = environments.flatMap(({ objects }) => objects.map(({ address }) => address))
  const unique = [...new Set(addresses)]
  const wanted = new Set(named.flatMap(name => resolveAddresses(name, unique, nowhere)))
  return onlyAt(environments, wanted)
}

/** Keeps the objects with these addresses, and the grants of such flags. */
function onlyAt(
  environments: readonly ComparedEnvironment[],
  wanted: ReadonlySet<string>,
): readonly ComparedEnvironment[] {
  return environments.map(({ objects, ...environment }) => ({
    ...environment,
    objects: objects.filter(
      ({ address, parent }) => wanted.has(address) || (parent !== undefined && wanted.has(parent)),
    ),
  }))
}

const nowhere = {
  name: 'is neither an environment nor an object in one of them',
  glob: 'matches nothing in any of these environments',
  owner: 'owns nothing in any of these environments',
}

/** The environments and then the objects that a command line names. */
export interface Chosen {
  readonly environments: readonly [string, string, ...string[]]
  /** Addresses, keys and globs; undefined means all. */
  readonly objects: readonly string[] | undefined
}

/** Separates environments from objects: the first two words, and further words that name environments. */
export function chosenIn(words: readonly string[], known: readonly string[]): Chosen {
  const there = known.length === 0 ? 'vexil.yaml has none' : `there are: ${known.join(', ')}`
  if (known.length < 2)
    throw usage(
      known.length === 0
        ? 'vexil.yaml has no environments, but a comparison needs two; add them under `environments`'
        : `vexil.yaml has one environment, "${known[0]}", but a comparison needs two`,
    )
  const [first, second, ...rest] = words
  if (first === undefined || second === undefined) {
    const named = first === undefined ? 'no environment is named' : `only "${first}" is named`
    throw usage(`${named}, but a comparison needs two: vexil compare ${exampleOf(known, first)}`)
  }
  for (const name of [first, second])
    if (!known.includes(name))
      throw usage(`"${name}" is not an environment; ${meantHint(name, known, there)}`)
  const end = rest.findIndex(word => !known.includes(word))
  const further = end < 0 ? rest : rest.slice(0, end)
  const objects = end < 0 ? [] : rest.slice(end)
  const all = [first, second, ...further]
  const twice = all.find((name, index) => all.indexOf(name) !== index)
  if (twice !== undefined) throw usage(`"${twice}" is named twice; compare it with another environment`)
  return {
    environments: [first, second, ...further],
    objects: objects.length === 0 ? undefined : objects,
  }
}

function exampleOf(known: readonly string[], first: string | undefined): string {
  const one = first !== undefined && known.includes(first) ? first : known[0]
  return [one, known.find(name => name !== one)].join(' ')
}

function usage(message: string): CommandError {
  return new CommandError(message, exitCode.usage)
}

/** What the files declare for each environment. */
export async function readDeclared(
  host: Host,
  names: readonly string[],
  flags: Flags,
): Promise<readonly ReadEnvironment[]> {
  const read: ReadEnvironment[] = []
  const readings = new Readings()
  for (const [index, name] of names.entries()) {
    const repository = await openRepository(host, { ...flags, env: name }, { readings })
    // All environments have the same files.
    if (index === 0) noteDeclarations(host, repository, flags)
    const objects = declaredObjects(repository.declarations)
    const { cohorts, groupTypes } = repository
    read.push({
      name,
      objects: objects.filter(object => isWanted(object, flags)),
      numbers: { cohorts, groupTypes },
    })
  }
  return read
}

interface ReadPlace {
  readonly environment: ReadEnvironment
  readonly target: Target
}

/**
 * Reads the live service of each environment with its own key. One after the other, since the embedded
 * sandbox can be open only once. An error names its environment.
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
  return usingSession(host, ofEnvironment, settings, { readOnly: true }, async session => {
    const { target, note } = session
    requireOwnPlace(
      session,
      before.map(({ environment: { name }, target }) => ({ name, target })),
    )
    if (note !== undefined && before.length === 0) host.log.info(escapeText(note))
    const { objects, nameless } = await readObjects(host, session, name, {
      kinds: declarableKinds.filter(({ lifecycle }) => !lifecycle.parent),
      withGrants: flags.grants === true,
    })
    noteNameless(host, { environment: name, nameless })
    const { cohorts, groupTypes, roles } = settings
    const roleNames = new Map(Object.entries(roles).map(([role, id]) => [id.toLowerCase(), role] as const))
    const wanted = liveObjects(objects, roleNames).filter(object => isWanted(object, flags))
    const environment = { name, objects: wanted, numbers: { cohorts, groupTypes }, place: targetText(target) }
    return { target, environment }
  })
}

/** Refuses an environment with the same place as another one. */
export function requireOwnPlace(
  session: Pick<Session, 'target' | 'placeFlags'>,
  before: readonly { readonly name: string; readonly target: Target }[],
): void {
  requireSettingsPlace(session, 'distinguish environments')
  const same = before.find(place => isSameTarget(place.target, session.target))
  if (same)
    throw new CommandError(
      `it is the same place as "${same.name}": ${targetText(session.target)}; give each its own project in vexil.yaml`,
      exitCode.refused,
    )
}

export interface ReadEnvironment extends ComparedEnvironment {
  readonly place?: string
}

export function isWanted({ kind }: ComparedObject, { grants }: Flags): boolean {
  return grants || declarableKind(kind).lifecycle.parent === undefined
}
