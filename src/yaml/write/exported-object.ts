import { nameWithId } from '../../core/live.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import { largestFile } from '../../model/limits.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { specialNames } from '../parse/read-scalar.ts'
import { escapeReferences } from '../resolve/interpolate.ts'

/** An object of the service, as it was read. */
export interface ExportedObject {
  readonly kind: string
  readonly identity: string
  readonly id: string
  /** The managed fields. */
  readonly fields: JsonObject
  /** The roles that hold a grant, by name or UUID, with their levels if any; undefined if they were not read. */
  readonly grants?: readonly ExportedGrant[]
  /** Source files, by name. */
  readonly files?: Readonly<Record<string, string>>
}

export interface ExportedGrant {
  readonly role: string
  readonly level?: string
}

/** A file to be written, relative to the repository. */
export interface TextFile {
  readonly path: string
  readonly text: string
  /** Set for a source file that declarations name. */
  readonly isSource?: true
}

/** An object, and the name of its declaration. */
export interface Named {
  readonly object: ExportedObject
  readonly name: string
  /** Whether the name alone is not enough to find it. */
  readonly isAmbiguous: boolean
}

export interface NamesAround {
  /** All live objects of the kind in the same place. */
  readonly live: readonly Pick<ExportedObject, 'identity'>[]
  /** The names of all live objects in any place. */
  readonly anywhere: Iterable<string>
  /** Whether a declaration has this name already. */
  readonly isTaken: (name: string) => boolean
}

/** The name of each object of a kind: its identity. If several share it, an id distinguishes them. */
export function nameObjects(
  objects: readonly ExportedObject[],
  { live, anywhere, isTaken }: NamesAround,
): Named[] {
  const count = new Map<string, number>()
  for (const { identity } of live) count.set(identity, (count.get(identity) ?? 0) + 1)
  const taken = new Set([...count.keys(), ...anywhere])
  const first = new Set<string>()
  return [...objects].sort(byIdentity).map(object => {
    const { identity, id } = object
    const isAmbiguous = (count.get(identity) ?? 0) > 1 || isTaken(identity)
    if (!first.has(identity) && !isTaken(identity)) {
      first.add(identity)
      return { object, name: identity, isAmbiguous }
    }
    let name = nameWithId(identity, id)
    while (taken.has(name) || isTaken(name)) name += '+'
    taken.add(name)
    return { object, name, isAmbiguous }
  })
}

function byIdentity(left: ExportedObject, right: ExportedObject): number {
  return (
    compareTexts(left.identity, right.identity) ||
    left.id.length - right.id.length ||
    compareTexts(left.id, right.id)
  )
}

export interface ExportedFiles {
  readonly files: readonly TextFile[]
  /** The `source` member of the declaration. */
  readonly source?: JsonObject
}

/**
 * Source files as separate files, in a folder named after the object. The names come from the service, so a
 * name that could lead out of that folder is never used as a path: its text stays inside the declaration.
 * Without a folder all texts do.
 */
export function exportFiles(object: ExportedObject, name: string, folder: string | undefined): ExportedFiles {
  const entries = Object.entries(object.files ?? {})
    .filter(([file, text]) => isNameable(file, text))
    .sort(([left], [right]) => compareTexts(left, right))
  if (entries.length === 0) return { files: [] }
  const own = `sources/${folderName(name, object.id)}`
  const files: TextFile[] = []
  const source: Record<string, Json> = {}
  for (const [file, text] of entries) {
    if (folder !== undefined && isPlainFileName(file) && isPlainText(text)) {
      files.push({ path: `${folder === '' ? '' : `${folder}/`}${own}/${file}`, text, isSource: true })
      source[file] = { file: `${own}/${file}` }
    } else source[file] = escapeReferences(text)
  }
  return { files, source }
}

/** Adds the source files of an object in an environment. */
export type Sources = (object: ExportedObject, name: string, environment: string | undefined) => ExportedFiles

/** Adds the source files of objects: equal files of two environments for one path are one, others are two. */
export function sourcesIn(folder: string | undefined): Sources {
  const written = new Map<string, string>()
  const isOther = ({ path, text }: TextFile) => (written.get(path) ?? text) !== text
  return (object, name, environment) => {
    const own = exportFiles(object, name, folder)
    const found = own.files.some(isOther) ? exportFiles(object, `${name} ${environment ?? ''}`, folder) : own
    // Two places can be so similar that no name distinguishes them; then the declaration holds the text.
    if (found.files.some(isOther)) return exportFiles(object, name, undefined)
    const fresh = found.files.filter(({ path }) => !written.has(path))
    for (const { path, text } of fresh) written.set(path, text)
    return { ...found, files: fresh }
  }
}

/** A file without a name in the declaration stays as it is: its name is no possible key, or it is too large. */
function isNameable(name: string, text: string): boolean {
  return !specialNames.has(name) && text.length <= largestFile && Buffer.byteLength(text) <= largestFile
}

/** The id separates names that only differ in characters that paths cannot have. */
function folderName(name: string, id: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return `${slug === '' ? 'plugin' : slug}-${id.replace(/[^A-Za-z0-9]+/g, '-')}`
}

function isPlainFileName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}$/.test(name)
}

/** Text that stays equal after it was written to a file and read: a byte order mark would be lost. */
function isPlainText(text: string): boolean {
  return !text.startsWith('\ufeff') && !/\p{Surrogate}/u.test(text)
}
