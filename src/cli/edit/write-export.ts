import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { DeclarableKind } from '../../model/kind.ts'
import type { ExportDocument } from '../../report/document.ts'
import { counted } from '../../report/line-text.ts'
import type { TextFile } from '../../yaml/write/declaration-of.ts'
import { type EnvironmentOptions, exportEnvironments, type LiveIn } from '../../yaml/write/export.ts'
import { declarationSchemaPath } from '../../yaml/write/init.ts'
import { type Split, withoutComment } from '../../yaml/write/split-files.ts'
import { CommandError } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import type { WrittenRepository } from '../repository/repository.ts'
import {
  type ExportedPlace,
  environmentNotes,
  exportNotes,
  freshIn,
  liveIn,
  nothingFresh,
  refusalNotes,
} from './read-places.ts'
import { placeFiles } from './write-edit.ts'

/** The folder of an export, and whether the repository reads it. */
export interface ExportFolder {
  readonly isRead: boolean
  readonly folder: string
}

/** Live objects as declarations, with notes, one line each. */
type WrittenExport = ExportDocument['declarations']

export interface Exporting {
  /** At least one; several have names. */
  readonly places: readonly [ExportedPlace, ...ExportedPlace[]]
  /** The form of the service instead of the short form. */
  readonly isRaw: boolean
  readonly split: Split
}

/** Live objects as one text. */
export function exportText(exporting: Exporting): WrittenExport {
  const { places } = exporting
  const { files, ...kept } = exportEnvironments(livePlaces(places), { ...wayOf(exporting), isOneText: true })
  return { yaml: oneText(files), written: [], notes: exportNotes(places, kept) }
}

/** Writes live objects as declarations into a folder, with notes. */
export async function writeExport(
  host: Host,
  { folder, isRead }: ExportFolder,
  exporting: Exporting,
): Promise<WrittenExport> {
  if (isRead) return writeIntoRepository(host, folder, exporting)
  const { places } = exporting
  const { files, ...kept } = exportEnvironments(livePlaces(places), wayOf(exporting))
  await requireAll(places[0].repository, folder, { files, isRead })
  const count = `${counted(files.length, 'file')} written; copy them into your repository and run vexil plan`
  return { written: await writeAll(host, folder, files), notes: [count, ...exportNotes(places, kept)] }
}

async function writeIntoRepository(host: Host, folder: string, exporting: Exporting): Promise<WrittenExport> {
  const { places } = exporting
  const [{ repository }] = places
  const isOne = places.length === 1
  const fresh = places.map(place => freshIn(place, places))
  const { files, ...kept } = exportEnvironments(fresh, {
    ...wayOf(exporting),
    isTaken: repository.names.isTaken,
    ...(isOne ? { only: placesOfIds(repository) } : {}),
    taken: await readdir(folder).catch(() => []),
    schema: relative(folder, join(repository.directory, declarationSchemaPath)).replaceAll(sep, '/'),
  })
  await requireAll(repository, folder, { files, isRead: true })
  const count = (lists: readonly (readonly unknown[])[]) => lists.reduce((sum, { length }) => sum + length, 0)
  const declared = count(places.map(({ live }) => live)) - count(fresh.map(({ objects }) => objects))
  if (files.length === 0) {
    const leftOut = count(places.map(({ chosen }) => chosen)) - declared
    const nothing = `nothing to write: ${nothingFresh(declared, leftOut)}`
    return { written: [], notes: [nothing, ...refusalNotes(places, kept.leftOut)] }
  }
  const rest =
    declared === 0
      ? ''
      : `${counted(declared, 'object')} ${declared === 1 ? 'is' : 'are'} declared already and ${declared === 1 ? 'was' : 'were'} not written; `
  const written = places.map(place => ({
    ...place,
    live: place.live.filter(object => !repository.names.has(object, place.environment)),
  }))
  const notes = [
    `${counted(files.length, 'file')} written; ${rest}run vexil plan`,
    ...exportNotes(written, kept),
    ...(isOne ? environmentNotes(repository) : []),
  ]
  return { written: await writeAll(host, folder, files), notes }
}

function livePlaces(places: readonly ExportedPlace[]): LiveIn[] {
  return places.map(place => liveIn(place, places))
}

/** Throws if the repository would read only some of the files. */
async function requireAll(
  repository: WrittenRepository,
  folder: string,
  { files, isRead }: { readonly files: readonly TextFile[]; readonly isRead: boolean },
): Promise<void> {
  for (const { path, isSource = false } of files) {
    if (isSource || (await repository.reads(join(folder, path))) === isRead) continue
    throw new CommandError(
      `"${join(folder, path)}" would ${isRead ? 'not ' : ''}be read by this repository, but other files of the export would${isRead ? '' : ' not'}; choose another folder, or name the whole folder with "files" in vexil.yaml`,
    )
  }
}

/** The options for writing declarations. */
function wayOf({ places, isRaw, split }: Exporting): EnvironmentOptions {
  const [{ repository }, ...others] = places
  const names = repository.environments.flatMap(({ name }) => (name === undefined ? [] : [name]))
  return {
    isRaw,
    split,
    plainTags: places.flatMap(place => place.repository.policy.ownership.tag ?? []),
    hasPlainTags: places.some(place => !place.repository.liveTags),
    ...(others.length > 0 ? { environments: names } : {}),
  }
}

/**
 * The environments of the same project (or organization), in which an id means the same object. Undefined if
 * these are all environments.
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

/** The declarations as one YAML document, which contains source files of plugins. */
function oneText([first, ...rest]: readonly TextFile[]): string {
  return [first?.text ?? '', ...rest.map(file => withoutComment(file.text))].join('')
}

/** Writes source files first: a declaration with a missing file would be an error. */
async function writeAll(host: Host, folder: string, files: readonly TextFile[]): Promise<readonly string[]> {
  const placed = files
    .map(({ path, text, isSource = false }) => ({
      file: join(folder, path),
      after: text,
      isShared: isSource,
    }))
    .sort((left, right) => Number(right.isShared) - Number(left.isShared))
  await placeFiles(folder, placed, host.runtime.uniqueId())
  return files.map(({ path }) => join(folder, path))
}
