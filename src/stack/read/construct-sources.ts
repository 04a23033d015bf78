import type { Source } from '../../model/problem.ts'
import type { SourceOf } from '../evaluate/stack-problems.ts'

/**
 * Finds the constructs of a synthesized stack in its file: the metadata of each names its path, and that line is where
 * it stands. A text that merely looks so has its quotes escaped, so it is never taken for one.
 */
export function constructSources(file: string, text: string): SourceOf {
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
  return path => (path === undefined ? undefined : places.get(path))
}

function readText(json: string): string | undefined {
  try {
    return String(JSON.parse(json))
  } catch {
    return undefined
  }
}
