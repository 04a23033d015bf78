import type { Exportable } from '../../core/live.ts'
import type { Nameless } from '../../core/read/read-all.ts'
import { declarableKind } from '../../kinds/index.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { isUuid } from '../../model/text/uuid.ts'
import { namingIn, resolveRole } from '../../yaml/index.ts'
import type { Exported, Ignored, LeftOut, LiveIn } from '../../yaml/write/export.ts'
import type { ExportedObject } from '../../yaml/write/exported-object.ts'
import type { Host } from '../host/host.ts'
import type { WrittenRepository } from '../repository/repository.ts'

/** The exported objects of one place. */
export interface ExportedPlace {
  /** The repository as it is read for this place. */
  readonly repository: WrittenRepository
  /** Its name, if several are exported. */
  readonly environment?: string
  readonly live: readonly Exportable[]
  /** Includes objects that are not exported, since they hold a key. */
  readonly chosen: readonly Exportable[]
  /** Everything that was read. Objects with the same name are written with their ids. */
  readonly all: readonly Exportable[]
}

/** A place as it is written together with others. */
export function liveIn(
  { repository, environment, live, all }: ExportedPlace,
  places: readonly ExportedPlace[],
): LiveIn {
  const isAlone = places.length === 1
  // One place: declared for all environments. Several: an object is limited to the places that have it.
  const others = isAlone ? repository.environments : places.map(place => place.repository)
  const naming = namingIn(repository, { others, isForAll: isAlone })
  return {
    ...(naming ? { naming } : {}),
    ...(environment === undefined ? {} : { environment }),
    objects: live.map(object => toExported(object, repository)),
    live: all,
  }
}

/** A place as it is written into its repository, without objects that are declared there already. */
export function freshIn(place: ExportedPlace, places: readonly ExportedPlace[]): LiveIn {
  const { repository, environment } = place
  const { objects, ...whole } = liveIn(place, places)
  const fresh = objects.filter(object => !repository.names.has(object, environment))
  return { ...whole, objects: fresh.map(object => withoutDeclaredGrants(object, repository)) }
}

/** Roles get their name from the settings; other roles get their UUID, which is always right. */
function toExported({ grants, ...object }: Exportable, { roles }: WrittenRepository): ExportedObject {
  const names = new Map(Object.entries(roles).map(([name, id]) => [id.toLowerCase(), name]))
  const named = grants?.map(({ id, level }) => ({
    role: names.get(id.toLowerCase()) ?? id,
    ...(level === undefined ? {} : { level }),
  }))
  return { ...object, ...(named ? { grants: named } : {}) }
}

/** A grant with a declaration of its own is not added to the list of its flag. */
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

/** Notes for the case that nothing was written. */
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

/** Roles without a name in the settings, and the setting that names them. They are written as UUIDs. */
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
        `roles without a name in vexil.yaml are written as UUIDs; to have names, write roles: { ${lines.join(', ')} } there before the export`,
      ]
}

/** Objects that cannot be declared are not changed in the service. With pruning they would be deleted. */
function leftOutNotes(
  { policy: { ownership } }: WrittenRepository,
  leftOut: readonly LeftOut[],
): readonly string[] {
  const notes = leftOut.map(({ object, reason }) => `left out: ${namedWithId(object)}: ${reason}`)
  return leftOut.length > 0 && ownership.prune === 'all'
    ? [...notes, 'what was left out is declared nowhere, so `prune: all` would delete it']
    : notes
}

/** A mistake in live filters limits no one: if the flag is created again, as many people get it. */
function ignoredNote({ object, places }: Ignored): string {
  const doubt = places.some(place => place.startsWith('/filters/'))
    ? '; look whether it was meant to limit who gets the flag'
    : ''
  return `written under ignore, since no declaration takes it: ${namedWithId(object)}: ${places.join(', ')}${doubt}`
}

export function namedWithId({ kind, identity, id }: Pick<Exportable, 'kind' | 'identity' | 'id'>): string {
  return `${declarableKind(kind).title} ${JSON.stringify(identity)} (id ${id})`
}

/** An object without a name is never planned, and never deleted. */
export function noteNameless(
  host: Host,
  { environment, nameless }: Pick<ExportedPlace, 'environment'> & { readonly nameless: readonly Nameless[] },
): void {
  const where = environment === undefined ? '' : `${environment}: `
  for (const { kind, id } of nameless)
    host.log.warn(escapeText(`${where}left out: ${declarableKind(kind).title} with id ${id}: it has no name`))
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
  if (declared === 0) return `${all} left out`
  return `of ${live} live objects, ${isOrAre(declared)} declared already and ${isOrAre(leftOut)} left out`
}

function isOrAre(count: number): string {
  return `${count} ${count === 1 ? 'is' : 'are'}`
}

/** A note that a declaration without an environment applies to all of them. */
export function environmentNotes({ environment, environments }: WrittenRepository): readonly string[] {
  if (environment === undefined || environments.length < 2) return []
  const all = environments.map(({ name = '' }) => name).join(', ')
  return [
    `what was written is declared for every environment (${all}); \`only: [${environment}]\` limits an object to one`,
  ]
}
