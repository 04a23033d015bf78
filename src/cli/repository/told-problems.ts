import { join, relative } from 'node:path'
import { isOfTest } from '../../core/tests/failed-tests.ts'
import type { Problem, Source } from '../../model/problem.ts'
import type { Excerpt, ToldProblem } from '../../report/document.ts'
import { Lines } from '../../yaml/index.ts'
import type { Host } from '../host/host.ts'
import { mayHide, shownProblem, withoutQuotes } from './hidden-problems.ts'

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
  const hidden = hiding(host, texts)
  return problems.map(problem => {
    const { source } = problem
    const { told, hides } = hidden(problem)
    if (!source) return { problem: told }
    const path = relative(host.directory, join(directory, source.file))
    if (hides || isOfWhole(source, texts)) return { problem: told, path }
    const excerpt = excerptAt(source.line, lines.get(source.file))
    return { problem: told, path, ...(excerpt === undefined ? {} : { excerpt }) }
  })
}

/** Problems as they may be told, wherever they are told. */
export function hiddenProblems(
  host: Host,
  problems: readonly Problem[],
  texts: ProblemFiles['texts'],
): readonly Problem[] {
  const hidden = hiding(host, texts)
  return problems.map(problem => hidden(problem).told)
}

interface Hidden {
  readonly told: Problem
  /** Whether what it can quote may be hidden. */
  readonly hides: boolean
}

/** How a problem is told; each file is looked at once. */
function hiding(host: Host, texts: ProblemFiles['texts']): (problem: Problem) => Hidden {
  const hidesAll = mayHide(host, '')
  const known = new Map<string, boolean>()
  const hidesIn = (file: string) => {
    const found = known.get(file) ?? mayHide(host, texts.get(file) ?? '')
    known.set(file, found)
    return found
  }
  return problem => {
    const files = filesAbout(problem, texts)
    if (!hidesAll && !files.some(hidesIn)) return { told: shownProblem(problem), hides: false }
    return { told: withoutQuotes(problem, files.map(file => texts.get(file)).join('\n')), hides: true }
  }
}

/**
 * What a problem can quote: its file, or all that was read where it stands in none or, as those of a stack, in the app. A
 * test says what a flag gives that may stand in another file.
 */
function filesAbout({ source, code }: Problem, texts: ProblemFiles['texts']): readonly string[] {
  const own = source?.file
  return own === undefined || !texts.has(own) || isOfTest(code) ? [...texts.keys()] : [own]
}

/**
 * The first character of JSON stands for all of it. Its line may be the whole file, which holds what nobody asked for. Of
 * a file without a text there is no line.
 */
function isOfWhole({ file, line, column }: Source, texts: ProblemFiles['texts']): boolean {
  const text = texts.get(file)
  return line === 1 && column === 1 && (text === '' || (text?.startsWith('{') ?? false))
}

function excerptAt(number: number, lines: Lines | undefined): Excerpt | undefined {
  const line = lines?.at(number)
  if (line === undefined) return undefined
  const before = lines?.at(number - 1)
  return { line, ...(before === undefined ? {} : { before }) }
}
