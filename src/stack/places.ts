import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ExactJson, isExactObject } from '../hcl/index.ts'
import { readRegularFile } from '../model/files.ts'
import { largestFile } from '../model/limits.ts'
import type { Source } from '../model/problem.ts'
import { blockMembers } from './stack-file.ts'
import type { SourceOf } from './stack-problems.ts'

export interface NotedIn {
  /** The folder that the app synthesizes into; the app's lines are relative to it. */
  readonly output: string
  /** The base of the displayed paths. */
  readonly directory: string
}

/**
 * The lines of an app that created its constructs, by the paths of the constructs, if the stack contains
 * them: `"//": { "metadata": { "path": "flags/Nav/Resource", "stackTrace": ["../main.ts:8:15"] } }`. Paths
 * are relative to the folder that the app synthesizes into. A trace in the engine's own form, `new Flag
 * (/app/main.ts:8:15)`, is accepted too: its first line outside packages. If a compiled file has a source map
 * next to it, the line is that of the original source.
 */
export async function notedPlaces(
  json: ExactJson | undefined,
  { output, directory }: NotedIn,
): Promise<ReadonlyMap<string, Source>> {
  const noted = new Map<string, Source>()
  for (const { path, trace } of tracesIn(json)) {
    const place = trace.flatMap(line => placeIn(line, output))[0]
    if (place && !noted.has(path)) noted.set(path, place)
  }
  const original = await originalPlaces([...noted.values()], directory)
  return new Map(
    [...noted].map(([path, place]) => {
      const { file, ...position } = original(place)
      return [path, { file: relative(directory, file), ...position }]
    }),
  )
}

interface Trace {
  readonly path: string
  readonly trace: readonly string[]
}

/** Each block of a stack has its metadata in a member that Terraform treats as a comment. */
function tracesIn(json: ExactJson | undefined, found: Trace[] = []): Trace[] {
  if (Array.isArray(json)) for (const element of json) tracesIn(element, found)
  else if (isExactObject(json))
    for (const name of Object.keys(json)) {
      if (name === '//') found.push(...traceOf(json[name] ?? null))
      else tracesIn(json[name], found)
    }
  return found
}

function traceOf(comment: ExactJson): Trace[] {
  if (!isExactObject(comment) || !isExactObject(comment.metadata)) return []
  const { path, stackTrace } = comment.metadata
  if (typeof path !== 'string') return []
  const { tests } = blockMembers(comment.vexil)
  const ofTests = (Array.isArray(tests) ? tests : []).map(
    (test, index) => [testPath(path, index), blockMembers(test).trace] as const,
  )
  return [[path, stackTrace] as const, ...ofTests].flatMap(([each, trace]) =>
    Array.isArray(trace) ? [{ path: each, trace: trace.filter(line => typeof line === 'string') }] : [],
  )
}

/** The path of a test that was added to a flag separately. Constructs never have such a path. */
export function testPath(path: string, index: number): string {
  return `${path}[test ${index}]`
}

/** `new Flag (/app/main.ts:8:15)`, or only the position. */
const framed = /^.*? \((.+):(\d{1,9}):(\d{1,9})\)$/
const plain = /^(.+):(\d{1,9}):(\d{1,9})$/

function placeIn(line: string, output: string): Source[] {
  const [, file = '', row, column] = framed.exec(line) ?? plain.exec(line) ?? []
  if (row === undefined || /(?:^|[\\/])node_modules[\\/]|^node:/.test(file)) return []
  const path = file.startsWith('file:') ? pathOf(file) : file
  if (path === undefined) return []
  return [{ file: resolve(output, path), line: Number(row), column: Number(column) }]
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}

/**
 * Finds the original position of a position in compiled JavaScript, by the source map in or next to its file.
 * Only files in a directory are read. Without a readable map, the position stays unchanged.
 */
async function originalPlaces(
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
  /** The base of the paths of its sources. */
  readonly folder: string
}

function originalOf(place: Source, compiled: CompiledFile | undefined): Source {
  // Maps count from 0, and so does `findEntry`.
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
    // The constructor throws for an invalid map; then there is no map.
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

/**
 * Finds the positions of constructs of a synthesized stack: in the app's code, if the stack contains the
 * lines, and otherwise in its own file, at the construct's path in its metadata. A text that only looks like
 * metadata has escaped quotes, so it does not match. A declaration is usually a construct with the resource
 * inside; without its own position, it gets that of the first construct in it.
 */
export function constructSources(
  file: string,
  text: string,
  noted: ReadonlyMap<string, Source> = new Map(),
): SourceOf {
  const places = new Map<string, Source>()
  let [line, lineStart, counted] = [1, 0, 0]
  for (const match of text.matchAll(/"path"\s*:\s*("(?:[^"\\]|\\.)*")/g)) {
    for (
      let end = text.indexOf('\n', counted);
      end >= 0 && end < match.index;
      end = text.indexOf('\n', counted)
    ) {
      line += 1
      lineStart = end + 1
      counted = end + 1
    }
    const path = readText(match[1] ?? '')
    const column = match.index - lineStart + 1
    if (path !== undefined && !places.has(path)) places.set(path, { file, line, column })
  }
  return path => {
    if (path === undefined) return undefined
    return noted.get(path) ?? places.get(path) ?? insideOf(path, noted) ?? insideOf(path, places)
  }
}

function insideOf(path: string, places: ReadonlyMap<string, Source>): Source | undefined {
  // An annotation of a whole stack does not belong to one of its constructs.
  if (!path.includes('/')) return undefined
  for (const [each, place] of places) if (each.startsWith(`${path}/`)) return place
  return undefined
}

function readText(json: string): string | undefined {
  try {
    return String(JSON.parse(json))
  } catch {
    return undefined
  }
}
