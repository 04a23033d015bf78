import { isServiceError } from '../../api/index.ts'
import type { Exportable } from '../../core/live.ts'
import { ownersInTags } from '../../core/ownership.ts'
import { type Nameless, readAll } from '../../core/read/snapshot.ts'
import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, objectAddress } from '../../model/kind.ts'
import { isUuid } from '../../model/text/json-shape.ts'
import { compareTexts } from '../../model/text/names.ts'
import { escapeText } from '../../model/text/printable.ts'
import { namingIn, Readings, resolveRole } from '../../yaml/index.ts'
import type { ExportedObject } from '../../yaml/write/declaration-of.ts'
import type { Exported, Ignored, LeftOut, LiveIn } from '../../yaml/write/export.ts'
import type { ExportFlags } from '../command-options.ts'
import { CommandError, EnvironmentError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { withProgress } from '../host/output.ts'
import { addressesFitting, isNamed, requireOwners, resolveAddresses } from '../plan/target-filter.ts'
import { type Connection, flagOf } from '../repository/connection.ts'
import { openWritten, type WrittenRepository } from '../repository/repository.ts'
import { openSession, requireSettingsPlace, type Session } from '../repository/session.ts'

/** A place to export: the repository as read for this place, and its name if there are several. */
export interface Source {
  readonly repository: WrittenRepository
  readonly environment?: string
  /** A project other than that of the connection. */
  readonly project?: string
}

export interface ReadPlace extends Source {
  readonly connection: Connection
  readonly objects: readonly Exportable[]
  readonly nameless: readonly Nameless[]
}

/** Opens the places to export. If there are several, the settings must contain each of them. */
export async function openSources(host: Host, flags: ExportFlags): Promise<readonly [Source, ...Source[]]> {
  const { env = [], ...others } = flags
  const [first, ...rest] = [...new Set(env)]
  if (first === undefined || rest.length === 0)
    return [{ repository: await openWritten(host, { ...others, env: first }) }]
  if (flags.language !== undefined && flags.language !== 'yaml') {
    const message = `--format ${flags.language} writes one environment; run it once for each of them`
    throw new CommandError(message, exitCode.usage)
  }
  requireOwnPlaces(flags)
  // One after the other, so that errors of the repository are reported once.
  const readings = new Readings()
  const open = async (environment: string): Promise<Source> => ({
    environment,
    repository: await openWritten(host, { ...others, env: environment }, undefined, readings),
  })
  const sources: [Source, ...Source[]] = [await open(first)]
  for (const environment of rest) sources.push(await open(environment))
  return sources
}

export interface Reading {
  readonly flags: ExportFlags
  readonly kinds: readonly DeclarableKind[]
  readonly withGrants: boolean
}

/** Reads all places, and closes their connections when `use` is done with them. */
export async function readingPlaces<T>(
  host: Host,
  sources: readonly [Source, ...Source[]],
  reading: Reading,
  use: (places: readonly [ReadPlace, ...ReadPlace[]]) => Promise<T>,
): Promise<T> {
  const opened: (Source & { readonly session: Session })[] = []
  try {
    // Learns all keys before any output: one place may contain the key of another.
    for (const source of sources)
      if (source.project === undefined || source.project !== opened[0]?.session.connection.projectId)
        opened.push({ ...source, session: await naming(source, () => openPlace(host, source, reading)) })
    const places: ReadPlace[] = []
    for (const { session, ...source } of opened)
      places.push(...(await ifThere(source, () => readPlace(host, source, session, reading))))
    const [first, ...others] = places
    if (!first) throw new Error('there is no place to read')
    return await use([first, ...others])
  } finally {
    for (const { session } of opened) await session.close()
  }
}

/** Adds the environment or project to an error, if there are several. */
async function naming<T>({ environment, project }: Source, run: () => Promise<T>): Promise<T> {
  const place = environment ?? (project === undefined ? undefined : `project ${project}`)
  try {
    return await run()
  } catch (error) {
    throw place === undefined ? error : new EnvironmentError(place, error)
  }
}

/** An empty list if the project of a state does not exist for this key. */
async function ifThere<T>(source: Source, read: () => Promise<T>): Promise<readonly T[]> {
  const all = naming(source, read).then(place => [place])
  if (source.project === undefined) return all
  return all.catch(error => {
    const cause = error instanceof EnvironmentError && error.cause
    if (isServiceError(cause) && [403, 404].includes(cause.status)) return []
    throw error
  })
}

async function openPlace(
  host: Host,
  { repository, environment, project }: Source,
  { flags }: Reading,
): Promise<Session> {
  const { env: [only] = [], ...given } = flags
  const others = project === undefined ? given : { ...given, project }
  const session = await openSession(host, { ...others, env: environment ?? only }, repository, {
    readOnly: true,
  })
  try {
    if (environment !== undefined) requireSettingsPlace(session, 'export several environments')
    return session
  } catch (error) {
    await session.close()
    throw error
  }
}

async function readPlace(
  host: Host,
  source: Source,
  session: Session,
  { kinds, withGrants, flags }: Reading,
): Promise<ReadPlace> {
  const what = source.environment ?? 'the live service'
  const isWanted = mayBeChosen(flags)
  const { objects, nameless } = await readObjects(host, session, what, { kinds, withGrants, isWanted })
  return { ...source, connection: session.connection, objects, nameless }
}

/** Reads all live objects of some kinds. Throws if a list changes while it is read. */
export async function readObjects(
  host: Host,
  { client, connection: { parallelism } }: Session,
  what: string,
  reading: Pick<Parameters<typeof readAll>[0], 'kinds' | 'withGrants' | 'isWanted'>,
): Promise<Pick<ReadPlace, 'objects' | 'nameless'>> {
  const { objects, nameless, inventory } = await withProgress(host, `reading ${what}`, () =>
    readAll({ client, parallelism, signal: host.stop, ...reading }),
  )
  const partly = Object.entries(inventory).find(([, { complete }]) => !complete)
  if (partly) throw new CommandError(`the list of ${partly[0]} changed while it was read; try again`)
  return { objects, nameless }
}

/** Refuses options for a place, because they would apply to all environments. */
function requireOwnPlaces(flags: ExportFlags): void {
  const named = (['baseUrl', 'project', 'organization'] as const).flatMap(name =>
    flags[name] === undefined ? [] : [flagOf(name)],
  )
  const [first] = [...named, ...(flags.sandbox ? ['--sandbox'] : [])]
  if (first === undefined) return
  throw new CommandError(
    `${first} sets one place; for several environments, set the place of each in vexil.yaml`,
    exitCode.usage,
  )
}

type ChosenObjects = Pick<ExportFlags, 'addresses' | 'owner'>

/**
 * Selects the live objects to export: the named ones, limited by `--owner`. Throws if a name or an owner
 * matches nothing, or if both together match nothing.
 */
export function chooseObjects(
  live: readonly Exportable[],
  { addresses, owner }: ChosenObjects,
): (object: Exportable) => boolean {
  const known = [...new Set(live.map(addressIn))]
  const named = addresses && new Set(addresses.flatMap(each => resolveAddresses(each, known, notLive)))
  if (owner) requireOwners(owner, live.flatMap(ownersIn), 'owns nothing that is live')
  const isChosen = (object: Exportable) => (named?.has(addressIn(object)) ?? true) && isOwned(object, owner)
  if (named && owner && !live.some(isChosen))
    throw new CommandError(
      `none of the named objects belongs to ${owner.map(each => JSON.stringify(each)).join(' or ')}`,
      exitCode.usage,
    )
  return isChosen
}

/** Whether an object may be selected, as far as known before all objects are read. */
function mayBeChosen({ addresses, owner }: ChosenObjects): (object: Exportable) => boolean {
  return object => {
    const address = addressIn(object)
    const isMeant = (each: string) => isNamed(address, each) || addressesFitting(each, [address]).length > 0
    return (addresses?.some(isMeant) ?? true) && isOwned(object, owner)
  }
}

const notLive = { name: 'is not live', glob: 'matches nothing that is live' }

function addressIn({ kind, identity }: Exportable): string {
  return objectAddress(kind, identity)
}

/** Whether the tags of a live object name one of the owners. */
function isOwned(object: Exportable, owners: ChosenObjects['owner']): boolean {
  return owners === undefined || ownersIn(object).some(owner => owners.includes(owner))
}

function ownersIn({ kind, fields }: Exportable): readonly string[] {
  return ownersInTags(declarableKind(kind), fields)
}

export interface ExportedPlace {
  readonly repository: WrittenRepository
  /** Its name, if several are exported. */
  readonly environment?: string
  readonly live: readonly Exportable[]
  /** The selected objects, including those with a key, which are not exported. */
  readonly chosen: readonly Exportable[]
  /** All objects that were read: objects with the same name are written with ids. */
  readonly all: readonly Exportable[]
}

/** The live objects of a place, in the form for a combined export. */
export function liveIn(
  { repository, environment, live, all }: ExportedPlace,
  places: readonly ExportedPlace[],
): LiveIn {
  const isAlone = places.length === 1
  // Objects of a single place are declared for all environments; otherwise only for the places that have
  // them.
  const others = isAlone ? repository.environments : places.map(place => place.repository)
  const naming = namingIn(repository, { others, isForAll: isAlone })
  return {
    ...(naming ? { naming } : {}),
    ...(environment === undefined ? {} : { environment }),
    objects: live.map(object => toExported(object, repository)),
    live: all,
  }
}

/** The live objects of a place that are not declared yet. */
export function freshIn(place: ExportedPlace, places: readonly ExportedPlace[]): LiveIn {
  const { repository, environment } = place
  const { objects, ...whole } = liveIn(place, places)
  const fresh = objects.filter(object => !repository.names.has(object, environment))
  return { ...whole, objects: fresh.map(object => withoutDeclaredGrants(object, repository)) }
}

/** Uses the role names of the settings, or else UUIDs. */
function toExported({ grants, ...object }: Exportable, { roles }: WrittenRepository): ExportedObject {
  const names = new Map(Object.entries(roles).map(([name, id]) => [id.toLowerCase(), name]))
  const named = grants?.map(({ id, level }) => ({
    role: names.get(id.toLowerCase()) ?? id,
    ...(level === undefined ? {} : { level }),
  }))
  return { ...object, ...(named ? { grants: named } : {}) }
}

/** Removes grants that have their own declaration. */
function withoutDeclaredGrants(object: ExportedObject, { names, roles }: WrittenRepository): ExportedObject {
  if (!object.grants) return object
  const idOf = (role: string) => resolveRole(role, { roles })?.id ?? role
  const declared = new Set(names.rolesOf(object.identity).map(idOf))
  return { ...object, grants: object.grants.filter(({ role }) => !declared.has(idOf(role))) }
}

/** Notes about the written objects, for each environment. */
export function exportNotes(
  places: readonly ExportedPlace[],
  { leftOut, ignored }: Pick<Exported, 'leftOut' | 'ignored'>,
): readonly string[] {
  return ofEach(places, ({ repository, live }, isHere) => {
    const left = leftOut.filter(isHere)
    return [
      ...leftOutNotes(repository, left),
      ...ignored.filter(isHere).map(ignoredNote),
      ...roleNotes(repository, without(live, left)),
    ]
  })
}

/** Notes if nothing was written. */
export function refusalNotes(
  places: readonly ExportedPlace[],
  leftOut: readonly LeftOut[],
): readonly string[] {
  return ofEach(places, ({ repository }, isHere) => leftOutNotes(repository, leftOut.filter(isHere)))
}

/** The notes of each place, with its name in front if there are several. */
function ofEach(
  places: readonly ExportedPlace[],
  notesOf: (
    place: ExportedPlace,
    isHere: (one: { readonly environment?: string }) => boolean,
  ) => readonly string[],
): string[] {
  return places.flatMap(place => {
    const { environment } = place
    const notes = notesOf(place, one => one.environment === environment)
    return notes.map(note => (environment === undefined ? note : `${environment}: ${note}`))
  })
}

/** A note about roles without a name in the settings, which are written as UUIDs. */
function roleNotes({ roles }: WrittenRepository, exported: readonly Exportable[]): readonly string[] {
  const known = new Set(Object.values(roles).map(id => id.toLowerCase()))
  const names = new Map(
    exported.flatMap(({ grants = [] }) =>
      grants.flatMap(({ id, name }) =>
        name === undefined || known.has(id.toLowerCase()) ? [] : [[id, name] as const],
      ),
    ),
  )
  const given = [...names.values()]
  const isFree = (name: string) =>
    !Object.hasOwn(roles, name) && !isUuid(name) && given.filter(one => one === name).length === 1
  const lines = [...names]
    .filter(([, name]) => isFree(name))
    .sort(([, left], [, right]) => compareTexts(left, right))
    .map(([id, name]) => `${JSON.stringify(name)}: ${id}`)
  return lines.length === 0
    ? []
    : [
        `roles without a name in vexil.yaml are written as UUIDs; to get names, add roles: { ${lines.join(', ')} } there before the export`,
      ]
}

/** Notes about objects that cannot be declared. Pruning would delete them. */
function leftOutNotes(
  { policy: { ownership } }: WrittenRepository,
  leftOut: readonly LeftOut[],
): readonly string[] {
  const notes = leftOut.map(({ object, reason }) => `not exported: ${namedWithId(object)}: ${reason}`)
  return leftOut.length > 0 && ownership.prune === 'all'
    ? [...notes, 'these objects are not declared, so `prune: all` would delete them']
    : notes
}

/** A note about live values that cannot be declared. A misspelt filter limits nobody. */
function ignoredNote({ object, places }: Ignored): string {
  const doubt = places.some(place => place.startsWith('/filters/'))
    ? '; check whether this was intended to limit who gets the flag'
    : ''
  return `written under ignore, since it cannot be declared: ${namedWithId(object)}: ${places.join(', ')}${doubt}`
}

export function namedWithId({ kind, identity, id }: Pick<Exportable, 'kind' | 'identity' | 'id'>): string {
  return `${declarableKind(kind).title} ${JSON.stringify(identity)} (id ${id})`
}

/** Warns about objects without a name, which are never planned or deleted. */
export function noteNameless(
  host: Host,
  { environment, nameless }: Pick<ExportedPlace, 'environment'> & { readonly nameless: readonly Nameless[] },
): void {
  const where = environment === undefined ? '' : `${environment}: `
  for (const { kind, id } of nameless)
    host.log.warn(
      escapeText(`${where}not exported: ${declarableKind(kind).title} with id ${id}: it has no name`),
    )
}

function without(objects: readonly Exportable[], leftOut: readonly LeftOut[]): Exportable[] {
  const names = new Set(leftOut.map(({ object }) => `${object.kind}#${object.id}`))
  return objects.filter(({ kind, id }) => !names.has(`${kind}#${id}`))
}

/** The reason why nothing is written. */
export function nothingFresh(declared: number, leftOut: number): string {
  const live = declared + leftOut
  if (live === 0) return 'there are no live objects'
  const all = live === 1 ? 'the one live object is' : `all ${live} live objects are`
  if (leftOut === 0) return `${all} declared already`
  if (declared === 0)
    return live === 1
      ? 'the one live object cannot be exported'
      : `none of the ${live} live objects can be exported`
  return `of ${live} live objects, ${isOrAre(declared)} declared already and ${leftOut} cannot be exported`
}

function isOrAre(count: number): string {
  return `${count} ${count === 1 ? 'is' : 'are'}`
}

/** A note that the written declarations apply to all environments. */
export function environmentNotes({ environment, environments }: WrittenRepository): readonly string[] {
  if (environment === undefined || environments.length < 2) return []
  const all = environments.map(({ name = '' }) => name).join(', ')
  return [
    `these objects are declared for every environment (${all}); \`only: [${environment}]\` limits an object to one`,
  ]
}
