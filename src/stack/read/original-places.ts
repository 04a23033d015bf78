import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { readRegularFile } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import type { Source } from '../../model/problem.ts'

/**
 * Finds what a place in compiled JavaScript was compiled from, by the source map in or beside its file. Only files in a
 * directory are looked at. A place stays as it is where there is no map, or none that can be read.
 */
export async function originalPlaces(
  places: readonly Source[],
  directory: string,
): Promise<(place: Source) => Source> {
  const compiled = new Set(places.map(({ file }) => file).filter(file => /\.[cm]?js$/.test(file)))
  const maps = new Map<string, CompiledFile>()
  for (const file of compiled) {
    const map = isInside(directory, file) ? await sourceMapOf(file, directory) : undefined
    if (map) maps.set(file, map)
  }
  return place => originalOf(place, maps.get(place.file))
}

interface CompiledFile {
  readonly map: SourceMap
  /** What the paths of its sources are relative to. */
  readonly folder: string
}

function originalOf(place: Source, compiled: CompiledFile | undefined): Source {
  // Maps count from 0, and so does what finds entries in them.
  const entry = compiled?.map.findEntry(place.line - 1, place.column - 1)
  if (!compiled || !entry || !('originalSource' in entry)) return place
  const { originalSource, originalLine, originalColumn } = entry
  return {
    file: resolve(compiled.folder, originalSource.replace(/^file:\/\//, '')),
    line: originalLine + 1,
    column: originalColumn + 1,
  }
}

async function sourceMapOf(file: string, directory: string): Promise<CompiledFile | undefined> {
  try {
    const text = String(await readRegularFile(file, largestFile))
    const url = [...text.matchAll(/^\/\/[#@] sourceMappingURL=(\S+)\s*$/gm)].at(-1)?.[1]
    if (url === undefined) return undefined
    const path = resolve(dirname(file), decodeURI(url))
    const inline = /^data:application\/json[^,]*;base64,(.*)$/.exec(url)?.[1]
    if (inline === undefined && !isInside(directory, path)) return undefined
    const json =
      inline === undefined
        ? String(await readRegularFile(path, largestFile))
        : Buffer.from(inline, 'base64').toString()
    // What is no map is found out by whoever reads it, and then there is none.
    const payload = JSON.parse(json) as SourceMapPayload
    const folder = resolve(dirname(inline === undefined ? path : file), payload.sourceRoot ?? '')
    return { map: new SourceMap({ ...payload, sourceRoot: '' }), folder }
  } catch {
    return undefined
  }
}

function isInside(directory: string, file: string): boolean {
  const path = relative(directory, file)
  return path !== '' && !/^\.\.(?:[\\/]|$)/.test(path) && resolve(path) !== path
}
