import { join, relative } from 'node:path'
import { isOfTest } from '../../core/tests/failed-tests.ts'
import type { Problem } from '../../model/problem.ts'
import type { Excerpt, ToldProblem } from '../../report/document.ts'
import { Lines } from '../../yaml/index.ts'
import type { Host } from '../host/host.ts'
import { mayHide, withoutQuotes } from './hidden-problems.ts'

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
    if (!source) return { problem: hiddenProblem(host, problem, texts) }
    const path = relative(host.directory, join(directory, source.file))
    if (isHidden(host, problem, texts)) return { problem: hiddenProblem(host, problem, texts), path }
    const excerpt = excerptAt(source.line, lines.get(source.file))
    return { problem, path, ...(excerpt === undefined ? {} : { excerpt }) }
  })
}

/** A problem as it may be told, wherever it is told. */
export function hiddenProblem(host: Host, problem: Problem, texts: ProblemFiles['texts']): Problem {
  return isHidden(host, problem, texts) ? withoutQuotes(problem, textAbout(problem, texts)) : problem
}

function isHidden(host: Host, problem: Problem, texts: ProblemFiles['texts']): boolean {
  return mayHide(host, textAbout(problem, texts))
}

/**
 * What a problem can quote: its file, or all that was read where it stands in none or, as those of a stack, in the app. A
 * test says what a flag gives that may stand in another file.
 */
function textAbout({ source, code }: Problem, texts: ProblemFiles['texts']): string {
  const own = isOfTest(code) ? undefined : texts.get(source?.file ?? '')
  return own ?? [...texts.values()].join('\n')
}

function excerptAt(number: number, lines: Lines | undefined): Excerpt | undefined {
  const line = lines?.at(number)
  if (line === undefined) return undefined
  const before = lines?.at(number - 1)
  return { line, ...(before === undefined ? {} : { before }) }
}
