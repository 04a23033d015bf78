import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { unmarkedOf } from '../core/ownership.ts'
import type { Nameless, Standing } from '../core/read-all.ts'
import {
  type ExportedObject,
  exportYaml,
  fileName,
  type Ignored,
  type LeftOut,
  type TextFile,
} from '../declare/export.ts'
import { resolveRole } from '../declare/index.ts'
import { declarationSchemaPath } from '../declare/schema-path.ts'
import { declarableKind } from '../kinds/index.ts'
import { escapeText } from '../model/escape-text.ts'
import type { DeclarableKind } from '../model/kind.ts'
import { counted } from '../report/names.ts'
import type { Host } from './host.ts'
import { placeFiles } from './place-files.ts'
import type { WrittenRepository } from './repository.ts'

/** Where an export goes: to standard output, into a folder of its own, or into one that the repository reads. */
export type ExportDestination =
  | { readonly to: 'stream' }
  | { readonly to: 'folder' | 'repository'; readonly folder: string }

/**
 * Writes live objects as declarations, and says what that means for the next plan. `all` are those too that are kept
 * out of it: an object that shares its name with one of them is told apart by its id.
 */
export async function writeExport(
  host: Host,
  repository: WrittenRepository,
  destination: ExportDestination,
  live: readonly Standing[],
  all: readonly Standing[] = live,
): Promise<void> {
  if (destination.to === 'repository') {
    await writeIntoRepository(host, repository, destination.folder, { live, all })
    return
  }
  const objects = live.map(object => toExported(object, repository))
  const { files, leftOut, ignored } = exportYaml(objects, {
    isOneText: destination.to === 'stream',
    live: all,
  })
  if (destination.to === 'stream') writeStream(host, files)
  else {
    await writeAll(host, destination.folder, files)
    host.stderr.write(
      `${counted(files.length, 'file')} written; copy them into your repository and run vexil plan\n`,
    )
  }
  noteLeftOut(host, repository, leftOut)
  noteIgnored(host, ignored)
  noteAdoptions(host, repository, without(live, leftOut))
}

async function writeIntoRepository(
  host: Host,
  repository: WrittenRepository,
  folder: string,
  { live, all }: { readonly live: readonly Standing[]; readonly all: readonly Standing[] },
): Promise<void> {
  const { names } = repository
  const fresh = live.filter(object => !names.has(object))
  const { files, leftOut, ignored } = exportYaml(
    fresh.map(object => withoutDeclaredGrants(toExported(object, repository), repository)),
    {
      live: all,
      isTaken: names.isTaken,
      only: placesOfIds(repository),
      fileOf: await freeNames(folder),
      schema: relative(folder, join(repository.directory, declarationSchemaPath)).replaceAll(sep, '/'),
    },
  )
  const declared = live.length - fresh.length
  if (files.length === 0) {
    host.stderr.write(`nothing to write: ${nothingFresh(declared, all.length - declared)}\n`)
    noteLeftOut(host, repository, leftOut)
    return
  }
  await writeAll(host, folder, files)
  const rest =
    declared === 0
      ? ''
      : `${counted(declared, 'object')} ${declared === 1 ? 'is' : 'are'} declared already and ${declared === 1 ? 'was' : 'were'} left out; `
  host.stderr.write(`${counted(files.length, 'file')} written; ${rest}run vexil plan\n`)
  noteLeftOut(host, repository, leftOut)
  noteIgnored(host, ignored)
  noteEnvironments(host, repository)
  noteAdoptions(host, repository, without(fresh, leftOut))
}

/** What no declaration can be written of stays as it is in the service; who prunes has to know. */
function noteLeftOut(
  host: Host,
  { policy: { ownership } }: WrittenRepository,
  leftOut: readonly LeftOut[],
): void {
  for (const { object, reason } of leftOut) {
    const { title } = declarableKind(object.kind)
    const said = `left out: ${title} ${JSON.stringify(object.identity)} (id ${object.id}): ${reason}`
    host.stderr.write(`${escapeText(said)}\n`)
  }
  if (leftOut.length > 0 && ownership.prune === 'all')
    host.stderr.write('what was left out is declared nowhere, so `prune: all` would delete it\n')
}

/** A slip in live filters limits nobody: where the flag is made again, it is released as widely. */
function noteIgnored(host: Host, ignored: readonly Ignored[]): void {
  for (const { object, places } of ignored) {
    const { title } = declarableKind(object.kind)
    const doubt = places.some(place => place.startsWith('/filters/'))
      ? '; look whether it was meant to limit who gets the flag'
      : ''
    const said = `written under ignore, since no declaration takes it: ${title} ${JSON.stringify(object.identity)} (id ${object.id}): ${places.join(', ')}${doubt}`
    host.stderr.write(`${escapeText(said)}\n`)
  }
}

/** Nothing plans what has no name, and nothing deletes it either. */
export function noteNameless(host: Host, nameless: readonly Nameless[]): void {
  for (const { kind, id } of nameless)
    host.stderr.write(
      `${escapeText(`left out: ${declarableKind(kind).title} with id ${id}: it has no name`)}\n`,
    )
}

function without(objects: readonly Standing[], leftOut: readonly LeftOut[]): Standing[] {
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

/** With a marker in the settings, declaring an object means to mark it: no declaration could plan nothing here. */
function noteAdoptions(host: Host, { policy }: WrittenRepository, exported: readonly Standing[]): void {
  const { tag } = policy.ownership
  const unmarked = tag === undefined ? 0 : unmarkedOf(exported, tag).length
  if (tag === undefined || unmarked === 0) return
  const [objects, they] = [counted(unmarked, 'object'), unmarked === 1 ? ['does', 'it'] : ['do', 'them']]
  host.stderr.write(
    `${objects} ${they[0]} not carry the label "${escapeText(tag)}" yet: the next plan adopts ${they[1]}, which adds it and changes nothing else\n`,
  )
}

function noteEnvironments(host: Host, { environment, environments }: WrittenRepository): void {
  if (environment === undefined || environments.length < 2) return
  const all = environments.map(({ name = '' }) => name).join(', ')
  host.stderr.write(
    `${escapeText(
      `it is declared for every environment (${all}); \`only: [${environment}]\` limits an object to one`,
    )}\n`,
  )
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
function toExported({ grants, ...object }: Standing, { roles }: WrittenRepository): ExportedObject {
  const names = new Map(Object.entries(roles).map(([name, id]) => [id.toLowerCase(), name]))
  return {
    ...object,
    ...(grants ? { grants: grants.map(({ id }) => names.get(id.toLowerCase()) ?? id) } : {}),
  }
}

/** A grant that is declared on its own stays there: the list of a flag is not declared to be without it. */
function withoutDeclaredGrants(object: ExportedObject, { names, roles }: WrittenRepository): ExportedObject {
  if (!object.grants) return object
  const idOf = (role: string) => resolveRole(role, { roles })?.id ?? role
  const declared = new Set(names.rolesOf(object.identity).map(idOf))
  return { ...object, grants: object.grants.filter(role => !declared.has(idOf(role))) }
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
function writeStream(host: Host, files: readonly TextFile[]): void {
  const [first, ...rest] = files
  const text = [first?.text ?? '', ...rest.map(file => withoutComment(file.text))].join('')
  host.stdout.write(text, 'data')
}

function withoutComment(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n/, '')
}

/** Source files go first: declarations that name what is not there would be a mistake. */
async function writeAll(host: Host, folder: string, files: readonly TextFile[]): Promise<void> {
  const placed = files
    .map(({ path, text, isSource = false }) => ({ path: join(folder, path), text, isShared: isSource }))
    .sort((left, right) => Number(right.isShared) - Number(left.isShared))
  await placeFiles(placed, host.world.uniqueId())
  for (const { path } of files) host.stdout.write(`wrote ${escapeText(join(folder, path))}\n`)
}
