import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Exportable } from '../../../core/exportable.ts'
import { untaggedOf } from '../../../core/plan/ownership-tag.ts'
import type { Nameless } from '../../../core/read/read-all.ts'
import { declarableKind } from '../../../kinds/index.ts'
import type { DeclarableKind } from '../../../model/kind.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import type { ExportDocument } from '../../../report/document.ts'
import { counted } from '../../../report/object-names.ts'
import { resolveRole } from '../../../yaml/index.ts'
import {
  type Exported,
  exportYaml,
  fileName,
  type Ignored,
  type LeftOut,
} from '../../../yaml/write/export.ts'
import type { ExportedGrant, ExportedObject, TextFile } from '../../../yaml/write/exported-object.ts'
import { declarationSchemaPath } from '../../../yaml/write/init.ts'
import type { Host } from '../../host/host.ts'
import type { WrittenRepository } from '../../repository/repository.ts'
import { placeFiles } from './place-files.ts'

/** Where an export goes when it does not go to standard output: into a folder that the repository reads, or another. */
export interface ExportFolder {
  readonly isRead: boolean
  readonly folder: string
}

/** Live objects as declarations, and what is to be known of them: a line each. */
type WrittenExport = ExportDocument['declarations']

/**
 * What is exported. `all` are those too that are kept out of it: an object that shares its name with one of them is told
 * apart by its id.
 */
interface Exporting {
  readonly live: readonly Exportable[]
  readonly all: readonly Exportable[]
  /** As the service has it, in place of the short form. */
  readonly isRaw: boolean
}

/** Live objects as one text. */
export function exportText(repository: WrittenRepository, { live, all, isRaw }: Exporting): WrittenExport {
  const objects = live.map(object => toExported(object, repository))
  const { files, leftOut, ignored } = exportYaml(objects, {
    isOneText: true,
    live: all,
    isRaw,
    hasPlainTags: !repository.liveTags,
  })
  return { yaml: oneText(files), written: [], notes: exportNotes(repository, live, { leftOut, ignored }) }
}

/** Writes live objects as declarations into a folder, and says what that means for the next plan. */
export async function writeExport(
  host: Host,
  repository: WrittenRepository,
  { folder, isRead }: ExportFolder,
  exporting: Exporting,
): Promise<WrittenExport> {
  if (isRead) return writeIntoRepository(host, repository, folder, exporting)
  const { live, all, isRaw } = exporting
  const objects = live.map(object => toExported(object, repository))
  const { files, ...kept } = exportYaml(objects, { live: all, isRaw, hasPlainTags: !repository.liveTags })
  const count = `${counted(files.length, 'file')} written; copy them into your repository and run vexil plan`
  const notes = [count, ...exportNotes(repository, live, kept)]
  return { written: await writeAll(host, folder, files), notes }
}

function exportNotes(
  repository: WrittenRepository,
  live: readonly Exportable[],
  { leftOut, ignored }: Pick<Exported, 'leftOut' | 'ignored'>,
): readonly string[] {
  return [
    ...leftOutNotes(repository, leftOut),
    ...ignored.map(ignoredNote),
    ...claimNotes(repository, without(live, leftOut)),
  ]
}

async function writeIntoRepository(
  host: Host,
  repository: WrittenRepository,
  folder: string,
  { live, all, isRaw }: Exporting,
): Promise<WrittenExport> {
  const { names } = repository
  const fresh = live.filter(object => !names.has(object))
  const { files, leftOut, ignored } = exportYaml(
    fresh.map(object => withoutDeclaredGrants(toExported(object, repository), repository)),
    {
      live: all,
      isRaw,
      hasPlainTags: !repository.liveTags,
      isTaken: names.isTaken,
      only: placesOfIds(repository),
      fileOf: await freeNames(folder),
      schema: relative(folder, join(repository.directory, declarationSchemaPath)).replaceAll(sep, '/'),
    },
  )
  const declared = live.length - fresh.length
  const refused = leftOutNotes(repository, leftOut)
  if (files.length === 0) {
    const nothing = `nothing to write: ${nothingFresh(declared, all.length - declared)}`
    return { written: [], notes: [nothing, ...refused] }
  }
  const rest =
    declared === 0
      ? ''
      : `${counted(declared, 'object')} ${declared === 1 ? 'is' : 'are'} declared already and ${declared === 1 ? 'was' : 'were'} left out; `
  const notes = [
    `${counted(files.length, 'file')} written; ${rest}run vexil plan`,
    ...refused,
    ...ignored.map(ignoredNote),
    ...environmentNotes(repository),
    ...claimNotes(repository, without(fresh, leftOut)),
  ]
  return { written: await writeAll(host, folder, files), notes }
}

/** What no declaration can be written of stays as it is in the service; who prunes has to know. */
function leftOutNotes(
  { policy: { ownership } }: WrittenRepository,
  leftOut: readonly LeftOut[],
): readonly string[] {
  const notes = leftOut.map(({ object, reason }) => `left out: ${namedWithId(object)}: ${reason}`)
  return leftOut.length > 0 && ownership.prune === 'all'
    ? [...notes, 'what was left out is declared nowhere, so `prune: all` would delete it']
    : notes
}

/** A slip in live filters limits nobody: where the flag is made again, it is released as widely. */
function ignoredNote({ object, places }: Ignored): string {
  const doubt = places.some(place => place.startsWith('/filters/'))
    ? '; look whether it was meant to limit who gets the flag'
    : ''
  return `written under ignore, since no declaration takes it: ${namedWithId(object)}: ${places.join(', ')}${doubt}`
}

function namedWithId({ kind, identity, id }: ExportedObject): string {
  return `${declarableKind(kind).title} ${JSON.stringify(identity)} (id ${id})`
}

/** Nothing plans what has no name, and nothing deletes it either. */
export function noteNameless(host: Host, nameless: readonly Nameless[]): void {
  for (const { kind, id } of nameless)
    host.stderr.write(
      `${escapeText(`left out: ${declarableKind(kind).title} with id ${id}: it has no name`)}\n`,
    )
}

function without(objects: readonly Exportable[], leftOut: readonly LeftOut[]): Exportable[] {
  const names = new Set(leftOut.map(({ object }) => `${object.kind}#${object.id}`))
  return objects.filter(({ kind, id }) => !names.has(`${kind}#${id}`))
}

function nothingFresh(declared: number, leftOut: number): string {
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

/** With an ownership tag in the settings, declaring an object means to claim it: no declaration could plan nothing here. */
function claimNotes({ policy }: WrittenRepository, exported: readonly Exportable[]): readonly string[] {
  const { tag } = policy.ownership
  const unmarked = tag === undefined ? 0 : untaggedOf(exported, tag).length
  if (tag === undefined || unmarked === 0) return []
  const [objects, they] = [counted(unmarked, 'object'), unmarked === 1 ? ['does', 'it'] : ['do', 'them']]
  return [
    `${objects} ${they[0]} not carry the tag "${tag}" yet: the next plan claims ${they[1]}, which adds it and changes nothing else`,
  ]
}

function environmentNotes({ environment, environments }: WrittenRepository): readonly string[] {
  if (environment === undefined || environments.length < 2) return []
  const all = environments.map(({ name = '' }) => name).join(', ')
  return [
    `what was written is declared for every environment (${all}); \`only: [${environment}]\` limits an object to one`,
  ]
}

/**
 * The environments in which an id of a kind means the same object: those of the same project, or organization. Nothing
 * has to be said where that is all of them.
 */
function placesOfIds({ environment, environments }: WrittenRepository) {
  return ({ scope }: DeclarableKind): readonly string[] | undefined => {
    const ours = environments.find(({ name }) => name === environment)?.connection
    const there = environments.filter(
      ({ name, connection }) =>
        name === environment ||
        (ours?.[scope] !== undefined &&
          connection.baseUrl === ours.baseUrl &&
          connection[scope] === ours[scope]),
    )
    if (environment === undefined || there.length === environments.length) return undefined
    return there.flatMap(({ name }) => (name === undefined ? [] : [name]))
  }
}

/** Roles are written by the name that the settings give them; the others by their UUID, which is always right. */
function toExported({ grants, ...object }: Exportable, { roles }: WrittenRepository): ExportedObject {
  const names = new Map(Object.entries(roles).map(([name, id]) => [id.toLowerCase(), name]))
  return {
    ...object,
    ...(grants ? { grants: grants.map(grant => exportedGrant(grant, names)) } : {}),
  }
}

function exportedGrant(
  { id, level }: NonNullable<Exportable['grants']>[number],
  names: ReadonlyMap<string, string>,
): ExportedGrant {
  return { role: names.get(id.toLowerCase()) ?? id, ...(level === undefined ? {} : { level }) }
}

/** A grant that is declared on its own stays there: the list of a flag is not declared to be without it. */
function withoutDeclaredGrants(object: ExportedObject, { names, roles }: WrittenRepository): ExportedObject {
  if (!object.grants) return object
  const idOf = (role: string) => resolveRole(role, { roles })?.id ?? role
  const declared = new Set(names.rolesOf(object.identity).map(idOf))
  return { ...object, grants: object.grants.filter(({ role }) => !declared.has(idOf(role))) }
}

/** The first names for each section that are not there yet: what an earlier export wrote is never touched. */
async function freeNames(folder: string): Promise<(section: string, part: number) => string> {
  const there = new Set(await readdir(folder).catch(() => []))
  return (section, part) => {
    let free = 0
    for (let number = 0; ; number++) {
      const name = fileName(section, number)
      if (!there.has(name) && free++ === part) return name
    }
  }
}

/** Everything as one document. Source files of plugins have no place in it; the YAML holds them. */
function oneText([first, ...rest]: readonly TextFile[]): string {
  return [first?.text ?? '', ...rest.map(file => withoutComment(file.text))].join('')
}

function withoutComment(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n/, '')
}

/** Source files go first: declarations that name what is not there would be an error. */
async function writeAll(host: Host, folder: string, files: readonly TextFile[]): Promise<readonly string[]> {
  const placed = files
    .map(({ path, text, isSource = false }) => ({ path: join(folder, path), text, isShared: isSource }))
    .sort((left, right) => Number(right.isShared) - Number(left.isShared))
  await placeFiles(placed, host.runtime.uniqueId())
  return files.map(({ path }) => join(folder, path))
}
