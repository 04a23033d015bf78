import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ExactJson, isExactObject } from '../../hcl/index.ts'
import type { Source } from '../../model/problem.ts'
import { originalPlaces } from './original-places.ts'
import { membersOf } from './stack-file.ts'

export interface NotedIn {
  /** The folder that the app synthesizes into, which the lines that it noted are relative to. */
  readonly output: string
  /** What they are relative to where they are shown. */
  readonly directory: string
}

/**
 * The lines of an app at which its constructs were made, by the paths of the constructs, as far as the stack tells them:
 * `"//": { "metadata": { "path": "flags/Nav/Resource", "stackTrace": ["../main.ts:8:15"] } }`. Paths are relative to the
 * folder that the app synthesizes into. A trace in the form of the engine's own, `new Flag (/app/main.ts:8:15)`, is read
 * as well: its first line that is no package's. Where that line was compiled and its source map lies beside it, it is the
 * line that was compiled.
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

/** Each block of a stack has its metadata in a member that Terraform takes for a comment. */
function tracesIn(json: ExactJson | undefined): Trace[] {
  if (Array.isArray(json)) return json.flatMap(tracesIn)
  if (!isExactObject(json)) return []
  return Object.entries(json).flatMap(([name, member]) =>
    name === '//' ? traceOf(member) : isExactObject(member) || Array.isArray(member) ? tracesIn(member) : [],
  )
}

function traceOf(comment: ExactJson): Trace[] {
  if (!isExactObject(comment) || !isExactObject(comment.metadata)) return []
  const { path, stackTrace } = comment.metadata
  if (typeof path !== 'string') return []
  const { tests } = membersOf(comment.vexil)
  const ofTests = (Array.isArray(tests) ? tests : []).map(
    (test, index) => [testPath(path, index), membersOf(test).trace] as const,
  )
  return [[path, stackTrace] as const, ...ofTests].flatMap(([each, trace]) =>
    Array.isArray(trace) ? [{ path: each, trace: trace.filter(line => typeof line === 'string') }] : [],
  )
}

/** By what a test of a flag is found that was added to it by itself. No construct is called so: an id has no brackets after it. */
export function testPath(path: string, index: number): string {
  return `${path}[test ${index}]`
}

/** `new Flag (/app/main.ts:8:15)`, and the place alone. */
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
