import type { Source } from '../../model/problem.ts'
import type { SourceOf } from '../evaluate/stack-problems.ts'

/**
 * Finds the constructs of a synthesized stack: in the code of the app, where the stack tells their lines, and otherwise in
 * its own file. The metadata of each names its path, and that line is where it stands. A text that merely looks so has its
 * quotes escaped, so it is never taken for one. What somebody declares is mostly one construct with the resource inside:
 * one that is none itself stands where the first one in it was made.
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
  // What a whole stack says of itself is about none of its constructs.
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
