import { join, relative } from 'node:path'
import { codeFrame, Lines, problemLine } from '../declare/index.ts'
import { escapeLines, escapeText } from '../model/escape-text.ts'
import type { Problem } from '../model/problem.ts'
import { counted } from '../report/names.ts'
import type { Host } from './host.ts'

/** The files that problems are about. */
export interface ProblemFiles {
  readonly directory: string
  readonly texts: ReadonlyMap<string, string>
}

/** Nobody reads on past this many, and a terminal forgets the first of them. Programs get all, with `--json`. */
export const mostShown = 1000

/** Writes problems to standard error, each with the line it is about; in a pipeline, as annotations too. */
export function showProblems(host: Host, problems: readonly Problem[], files: ProblemFiles): void {
  const shown = worstOf(problems)
  const lines = new Map<string, Lines>()
  for (const problem of shown) {
    host.stderr.write(`${escapeLines(codeFrame(problem, linesAbout(problem, files.texts, lines)))}\n\n`)
  }
  if (shown.length < problems.length) {
    const rest = problems.filter(without(shown))
    host.stderr.write(`and ${mistakes(rest)} more; with --json a command lists all of them\n\n`)
  }
  annotate(host, shown, files)
}

/** Tells GitHub Actions where to show problems in a pull request; nothing anywhere else. */
export function annotate(
  host: Host,
  problems: readonly Problem[],
  { directory }: Pick<ProblemFiles, 'directory'>,
): void {
  if (host.env.GITHUB_ACTIONS !== 'true') return
  for (const { severity, source, ...problem } of worstOf(problems)) {
    const file = source && relative(host.directory, join(directory, source.file))
    const place = source
      ? ` file=${annotationProperty(file ?? '')},line=${source.line},col=${source.column}`
      : ''
    const words = annotationText(escapeText(problemLine({ severity: 'error', ...problem })))
    host.stderr.write(`::${severity}${place}::${words}\n`)
  }
}

/** `2 errors, 1 warning`. */
export function mistakes(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  const parts = [errors > 0 ? counted(errors, 'error') : '', warnings > 0 ? counted(warnings, 'warning') : '']
  return parts.filter(part => part !== '').join(', ')
}

/** As many as are shown, in their order. Warnings never push out an error: it is what stops the command. */
function worstOf(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= mostShown) return problems
  const isError = ({ severity }: Problem) => severity === 'error'
  const chosen = new Set(
    [...problems.filter(isError), ...problems.filter(problem => !isError(problem))].slice(0, mostShown),
  )
  return problems.filter(problem => chosen.has(problem))
}

function without(some: readonly Problem[]): (problem: Problem) => boolean {
  const taken = new Set(some)
  return problem => !taken.has(problem)
}

function linesAbout(
  { source }: Problem,
  texts: ProblemFiles['texts'],
  lines: Map<string, Lines>,
): Lines | undefined {
  const text = source && texts.get(source.file)
  if (!source || text === undefined) return undefined
  const known = lines.get(source.file) ?? new Lines(text)
  lines.set(source.file, known)
  return known
}

// A line end inside of an annotation would start another one.
function annotationText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function annotationProperty(text: string): string {
  return annotationText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
