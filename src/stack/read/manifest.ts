import { basename, dirname, join, resolve } from 'node:path'
import { FileError, readTextFile } from '../../model/files.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { list, map, maybe, members, text } from '../../model/json/json-shape.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import { largestFile } from '../../model/limits.ts'

/** One stack of an app in the app's manifest. */
export interface ManifestStack {
  readonly name: string
  readonly folder: string
  readonly annotations: readonly Annotation[]
  /** The names of the stacks that it needs. */
  readonly dependencies: readonly string[]
}

export interface Annotation {
  readonly level: 'error' | 'warning' | 'info'
  readonly message: string
  readonly constructPath: string
}

/** The contents of an app's output folder. */
export interface Manifest {
  readonly stacks: readonly ManifestStack[]
}

export const manifestName = 'manifest.json'

/** An existing manifest that cannot be read: the app must not look as if it had no stacks. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}

/** The manifest in an output folder; undefined if there is none of an app. Throws a `ManifestError`. */
export async function readManifest(output: string): Promise<Manifest | undefined> {
  const path = join(output, manifestName)
  const written = await readTextFile(path, largestFile).catch(error => {
    if (!(error instanceof FileError)) throw error
    if (missing.has(error.code)) return undefined
    throw new ManifestError(`"${path}" ${error.message}`)
  })
  if (written === undefined) return undefined
  const json = readJsonIfAny(written)
  if (json === undefined) throw new ManifestError(`"${path}" is not JSON; ${again}`)
  // Browser extensions and installable pages have a file of this name too.
  if (isJsonObject(json) && json.stacks === undefined) return undefined
  return manifestFrom(json, output)
}

/** Parses the manifest of an output folder. Throws a `ManifestError`. */
export function manifestFrom(json: Json, output: string): Manifest {
  const wrong = manifestShape(json, '')
  if (wrong !== undefined)
    throw new ManifestError(`"${join(output, manifestName)}" is no manifest of an app: ${wrong}; ${again}`)
  const stacks = isJsonObject(json) ? (json.stacks ?? null) : null
  return { stacks: isJsonObject(stacks) ? Object.values(stacks).flatMap(each => stackIn(each, output)) : [] }
}

/**
 * The manifest of the app that a stack's folder belongs to. A file of this name above any other folder
 * belongs to another program, and may contain anything.
 */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  if (basename(dirname(folder)) !== 'stacks') return undefined
  const manifest = await readManifest(dirname(dirname(folder)))
  return manifest?.stacks.some(stack => stack.folder === resolve(folder)) ? manifest : undefined
}

const missing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])
const again = 'synthesize the app again'

/** The parts of a manifest that are read. Other shapes are refused: skipping them would reorder stacks. */
const manifestShape = members({
  stacks: map(
    members({
      name: text,
      workingDirectory: text,
      annotations: maybe(list(members({ level: text, message: text, constructPath: text }))),
      dependencies: maybe(list(text)),
    }),
  ),
})

function stackIn(json: Json, output: string): ManifestStack[] {
  if (!isJsonObject(json)) return []
  const { name, workingDirectory, annotations, dependencies: needed } = json
  if (typeof name !== 'string' || typeof workingDirectory !== 'string') return []
  const all = annotations !== undefined && isJsonArray(annotations) ? annotations.flatMap(annotationIn) : []
  const dependencies =
    needed !== undefined && isJsonArray(needed) ? needed.filter(each => typeof each === 'string') : []
  return [{ name, folder: resolve(output, workingDirectory), annotations: all, dependencies }]
}

function annotationIn(json: Json): Annotation[] {
  if (!isJsonObject(json) || typeof json.message !== 'string') return []
  const { level, message, constructPath } = json
  const known = typeof level === 'string' ? levels.get(level) : undefined
  return known === undefined ? [] : [{ level: known, message, constructPath: String(constructPath) }]
}

const levels: ReadonlyMap<string, Annotation['level']> = new Map([
  ['@cdktf/error', 'error'],
  ['@cdktf/warn', 'warning'],
  ['@cdktf/info', 'info'],
])
