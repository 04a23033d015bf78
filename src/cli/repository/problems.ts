import { join, relative } from 'node:path'
import { isOfTest } from '../../core/declared-tests.ts'
import { standIn } from '../../model/field.ts'
import type { Problem, Source } from '../../model/problem.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/text/json.ts'
import { readJsonIfAny } from '../../model/text/json-text.ts'
import type { Excerpt, LocatedProblem } from '../../report/document.ts'
import { problemCounts } from '../../report/line-text.ts'
import { Lines } from '../../yaml/index.ts'
import { ProblemsError } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import type { Repository } from './repository-settings.ts'

export interface ProblemFiles {
  readonly directory: string
  readonly texts: ReadonlyMap<string, string>
}

/** Adds file paths and lines to problems. */
export function locateProblems(
  host: Host,
  problems: readonly Problem[],
  { directory, texts }: ProblemFiles,
): readonly LocatedProblem[] {
  const lines = new Map(Array.from(texts, ([file, text]) => [file, new Lines(text)]))
  const hidden = hiding(host, texts)
  return problems.map(problem => {
    const { source } = problem
    const { shown, hides } = hidden(problem)
    if (!source) return { problem: shown }
    const path = relative(host.directory, join(directory, source.file))
    if (hides || isOfWhole(source, texts)) return { problem: shown, path }
    const excerpt = excerptAt(source.line, lines.get(source.file))
    return { problem: shown, path, excerpt }
  })
}

interface Hidden {
  readonly shown: Problem
  /** Whether the files that it may quote can contain hidden values. */
  readonly hides: boolean
}

/** Removes hidden values from problems. Each file is checked once. */
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
    if (!hidesAll && !files.some(hidesIn)) return { shown: shownProblem(problem), hides: false }
    return { shown: withoutQuotes(problem, files.map(file => texts.get(file)).join('\n')), hides: true }
  }
}

/**
 * The files that a problem can quote: its own file. All files if it has none, if it is in the app of a stack,
 * or for a test, whose expected values may be in another file.
 */
function filesAbout({ source, code }: Problem, texts: ProblemFiles['texts']): readonly string[] {
  const own = source?.file
  return own === undefined || !texts.has(own) || isOfTest(code) ? [...texts.keys()] : [own]
}

/** Whether the place is the whole file: in JSON the first character, since a file may be one line. */
function isOfWhole({ file, line, column }: Source, texts: ProblemFiles['texts']): boolean {
  const text = texts.get(file)
  return line === 1 && column === 1 && (text === '' || (text?.startsWith('{') ?? false))
}

function excerptAt(number: number, lines: Lines | undefined): Excerpt | undefined {
  const line = lines?.at(number)
  return line === undefined ? undefined : { line, before: lines?.at(number - 1) }
}

/** Throws if there are errors among the problems. */
export function refuseProblems(host: Host, problems: readonly Problem[], files: ProblemFiles): void {
  // `validate` shows warnings. Here they would hide the plan.
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  // Missing settings may cause all other errors, so related warnings are shown too.
  const shown = problems.filter(
    ({ severity, code, conditional }) => severity === 'error' || conditional || code === 'no-settings',
  )
  throw problemsError(host, errors, shown, files)
}

/** The error for some problems, without hidden values. `shown`: the problems for display. */
function problemsError(
  host: Host,
  problems: readonly Problem[],
  shown: readonly Problem[],
  files: ProblemFiles,
): ProblemsError {
  const hidden = problems.map(hiding(host, files.texts)).map(each => each.shown)
  return new ProblemsError(problemCounts(problems), hidden, locateProblems(host, shown, files))
}

/** Throws for problems that are found later. */
export function refusing(host: Host, files: ProblemFiles): Repository['refuse'] {
  return problems => {
    throw problemsError(host, problems, problems, files)
  }
}

/** A problem without its line and without quoted values of its file, which may contain hidden values. */
function withoutQuotes(problem: Problem, text: string): Problem {
  const { code, message, hint, hidden } = problem
  if (hidden !== undefined) return shownProblem({ ...problem, message: hidden })
  if (quotesNames.has(code) || isOfTest(code)) return problem
  const shown = (words: string) =>
    words.replace(quotes, quoted => (mayBeValue(quoted, text) ? standIn() : quoted))
  const { hint: _, ...others } = problem
  // A hint may contain a value without quotes.
  const isSafe = hint !== undefined && (hint.startsWith('did you mean') || !namesValue(hint, text))
  return { ...others, message: shown(message), ...(isSafe ? { hint: shown(hint) } : {}) }
}

/** A problem with only the message for display. */
function shownProblem({ hidden: _, ...problem }: Problem): Problem {
  return problem
}

/** Whether a file may contain hidden values. Any file may, if settings or the command line hide something. */
export function mayHide({ redaction }: Host, text: string): boolean {
  if (redaction.parts.length > 0) return true
  if (!mayDeclareSensitive.test(text)) return false
  // Messages of Terraform are one line of JSON each.
  const json = text.startsWith('{') ? (readJsonIfAny(text) ?? readJsonIfAny(lineOf(text))) : undefined
  return !isJsonObject(json ?? null) || !isOfTerraform(json) || hidesInComment(json)
}

/** Matches blanks only within a line, so that empty lines do not slow it down. */
const mayDeclareSensitive = /(?:^|[{,])[^\S\r\n\u2028\u2029]*["']?sensitive["']?\s*:/m

/** A diff with placeholders instead of the contents of lines. */
export function diffWithoutLines(diff: string): string {
  const [from, to, ...lines] = diff.split(/(?<=\n)/)
  // Lines of contents begin with a sign, unlike the heads of hunks.
  const shown = lines.map(line => (/^[ +-]/.test(line) ? `${line[0]}${standIn()}\n` : line))
  return [from, to, ...shown].join('')
}

/**
 * Codes of problems that quote names of members, operators, variants or files, which are never hidden, or
 * that are already without hidden values.
 */
const quotesNames: ReadonlySet<string> = new Set([
  ...['missing-key', 'missing-value', 'missing-variants', 'no-such-file'],
  ...['duplicate-variant', 'payload-without-variant', 'unknown-payload'],
])

const quotes = /"(?:[^"\\]|\\.)*"/g

function namesValue(hint: string, text: string): boolean {
  const words = hint.match(/[^\s"'`[\]{}(),;:]{4,}/g) ?? []
  return words.some(word => mayBeValue(`"${word}"`, text))
}

/**
 * Whether a quoted text may be a value of the file. A quote that is cut off or escaped counts as a value; a
 * name before `:` does not.
 */
function mayBeValue(quoted: string, text: string): boolean {
  const inside = quoted.slice(1, -1)
  if (/[…\\]/.test(inside)) return true
  const escaped = inside.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return text.includes(inside) && !new RegExp(`(?:^|[\\s{,])["']?${escaped}["']?\\s*:`, 'm').test(text)
}

function lineOf(text: string): string {
  return text.slice(0, Math.max(0, text.indexOf('\n')))
}

/**
 * Whether it is a stack, a plan, or a message of Terraform. There, `sensitive` is about Terraform's own
 * variables and outputs.
 */
function isOfTerraform(json: Json | undefined): boolean {
  const members = ['@level', 'format_version', 'module', 'provider', 'resource', 'terraform', 'variable']
  return isJsonObject(json) && members.some(member => Object.hasOwn(json, member))
}

/** Whether a construct hides some of its values, according to its comment in the stack. */
function hidesInComment(json: Json | undefined): boolean {
  if (isJsonArray(json)) return json.some(hidesInComment)
  if (!isJsonObject(json)) return false
  const comment = json['//']
  const ours = isJsonObject(comment) ? comment.vexil : undefined
  if (isJsonObject(ours) && (ours.sensitive ?? false) !== false) return true
  return Object.values(json).some(hidesInComment)
}
