import { dirname, join, resolve } from 'node:path'
import { FileError } from '../../model/files/read-regular-file.ts'
import { readTextFile } from '../../model/files/read-text-file.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { largestFile } from '../../model/limits.ts'

/** One stack of an app, as the app's manifest names it. */
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

/** What an app wrote into its output folder. */
export interface Manifest {
  readonly stacks: readonly ManifestStack[]
}

export const manifestName = 'manifest.json'

/** A manifest that is there and cannot be read: which stacks there are would be read as none. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}

/** The manifest in an output folder; undefined where there is none, or one of something else. Throws a `ManifestError`. */
export async function readManifest(output: string): Promise<Manifest | undefined> {
  try {
    // JSON text holds nothing but JSON.
    const json = JSON.parse(await readTextFile(join(output, manifestName), largestFile)) as Json
    return isJsonObject(json) && isJsonObject(json.stacks ?? null) ? manifestFrom(json, output) : undefined
  } catch (error) {
    if (error instanceof FileError && error.code === 'not_utf8')
      throw new ManifestError(`"${join(output, manifestName)}" ${error.message}`)
    return undefined
  }
}

/** What the manifest of an output folder says. */
export function manifestFrom(json: Json, output: string): Manifest {
  const stacks = isJsonObject(json) ? json.stacks : undefined
  return {
    stacks:
      stacks !== undefined && isJsonObject(stacks)
        ? Object.values(stacks).flatMap(stack => stackIn(stack, output))
        : [],
  }
}

/** The manifest of the app that a stack's folder belongs to. */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  const manifest = await readManifest(dirname(dirname(folder)))
  return manifest?.stacks.some(stack => stack.folder === resolve(folder)) ? manifest : undefined
}

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
