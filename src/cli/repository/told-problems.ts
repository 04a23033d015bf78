import { join, relative } from 'node:path'
import type { Problem } from '../../model/problem.ts'
import type { Excerpt, ToldProblem } from '../../report/document.ts'
import { Lines } from '../../yaml/index.ts'
import type { Host } from '../host/host.ts'

/** The files that problems are about. */
export interface ProblemFiles {
  readonly directory: string
  readonly texts: ReadonlyMap<string, string>
}

/** Adds to problems where their files are and the lines that they are about. */
export function toldProblems(
  host: Host,
  problems: readonly Problem[],
  { directory, texts }: ProblemFiles,
): readonly ToldProblem[] {
  const lines = new Map(Array.from(texts, ([file, text]) => [file, new Lines(text)]))
  return problems.map(problem => {
    const { source } = problem
    if (!source) return { problem }
    const path = relative(host.directory, join(directory, source.file))
    const excerpt = excerptAt(source.line, lines.get(source.file))
    return { problem, path, ...(excerpt === undefined ? {} : { excerpt }) }
  })
}

function excerptAt(number: number, lines: Lines | undefined): Excerpt | undefined {
  const line = lines?.at(number)
  if (line === undefined) return undefined
  const before = lines?.at(number - 1)
  return { line, ...(before === undefined ? {} : { before }) }
}
