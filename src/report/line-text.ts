import picocolors from 'picocolors'
import type { Action } from '../core/change.ts'
import { kinds } from '../kinds/index.ts'
import type { Problem, Source } from '../model/problem.ts'
import { blankText, escapeLines, escapeText } from '../model/text/printable.ts'
import { columnsOf } from '../model/text/text-layout.ts'
import type { Excerpt, Fault, LocatedProblem } from './document.ts'

export const signs: Readonly<Record<Action, string>> = {
  create: '+',
  update: '~',
  claim: '@',
  restore: '^',
  delete: '-',
}

export interface Named {
  readonly address: string
  readonly kind: string
}

/** The name of an object in texts: `flag checkout_v2`, `grant beta_search:support`. */
export function nameOf({ address, kind }: Named): string {
  return `${titleOf(kind)} ${escapeText(address.slice(kind.length + 1))}`
}

function titleOf(kind: string): string {
  return Object.values(kinds).find(({ name }) => name === kind)?.title ?? kind
}

/** `58 flags, 3 events`. */
export function countedByKind(objects: readonly Named[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of objects) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => counted(count, titleOf(kind))).join(', ')
}

/** `flags/checkout.yaml:12`. */
export function placeOf(source: Source | undefined): string {
  return source ? `${escapeText(source.file)}:${source.line}` : ''
}

/** `1 flag`, `2 flags`: the plural of a regular noun. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

const mostNames = 8

/** The first of many names, in order, and how many more there are. */
export function listed(names: readonly string[]): string {
  const { shown, more } = someOf([...names].sort())
  return `${shown.join(', ')}${more}`
}

/** As many names as fit into a sentence, and words for the rest. */
export function someOf<Name>(names: readonly Name[]): {
  readonly shown: readonly Name[]
  readonly more: string
} {
  const left = names.length - mostNames
  return { shown: names.slice(0, mostNames), more: left > 0 ? ` and ${left} more` : '' }
}

/** People do not read more, and a terminal drops the start. Programs get all problems with `--json`. */
const mostShown = 1000

/** The problems to show, in their order. Errors come first, because they stop the command. */
export function worstOf(problems: readonly LocatedProblem[]): readonly LocatedProblem[] {
  if (problems.length <= mostShown) return problems
  const isError = ({ problem }: LocatedProblem) => problem.severity === 'error'
  const chosen = new Set(
    [...problems.filter(isError), ...problems.filter(located => !isError(located))].slice(0, mostShown),
  )
  return problems.filter(located => chosen.has(located))
}

/** Problems for people, each with its source line. */
export function problemsText(problems: readonly LocatedProblem[]): string {
  const shown = new Set(worstOf(problems))
  const rest = problems.filter(located => !shown.has(located)).map(({ problem }) => problem)
  return [
    ...[...shown].map(({ problem, excerpt }) => `${escapeLines(codeFrame(problem, excerpt))}\n\n`),
    ...(rest.length === 0
      ? []
      : [`and ${problemCounts(rest)} more; with --json a command lists all of them\n\n`]),
  ].join('')
}

/** A problem as an entry in `problems`. */
export function problemIn({ isOfWholeFile: _isOfWholeFile, ...problem }: Problem): Problem {
  return problem
}

/** A problem as an entry in `errors`. */
export function faultIn(problem: Problem): Fault {
  const { severity: _severity, ...fault } = problemIn(problem)
  return fault
}

/** `2 errors, 1 warning`. */
export function problemCounts(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  const parts = [errors > 0 ? counted(errors, 'error') : '', warnings > 0 ? counted(warnings, 'warning') : '']
  return parts.filter(part => part !== '').join(', ')
}

/** One problem on one line: position, message and hint. */
export function problemLine({ source, severity, address, message, hint }: Problem): string {
  const place = source ? `${source.file}:${source.line}:${source.column} ` : ''
  const about = address === undefined ? '' : `${addressInText(address)}: `
  const lead = severity === 'warning' ? 'warning: ' : ''
  // File names may contain any characters, so they are escaped too.
  return escapeText(`${place}${lead}${about}${message}${hint ? `; ${hint}` : ''}`)
}

/**
 * A problem with its source line and a caret under the position:
 *
 *     flags/checkout.yaml:3:5 feature_flag "checkout": "actve" is not a field of a flag; did you mean "active"?
 *       2 |   checkout:
 *     > 3 |     actve: true
 *         |     ^
 */
export function codeFrame(problem: Problem, excerpt: Excerpt | undefined): string {
  const { source, isOfWholeFile } = problem
  if (!source || isOfWholeFile || !excerpt) return problemLine(problem)
  const { line, before = '' } = excerpt
  const { shown, caret } = clip(line, source.column - 1)
  const width = String(source.line).length
  return [
    problemLine(problem),
    ...(before.trim() === ''
      ? []
      : [`  ${String(source.line - 1).padStart(width)} | ${clip(before, 0).shown}`]),
    `> ${source.line} | ${shown}`,
    `  ${' '.repeat(width)} | ${' '.repeat(caret)}^`,
  ].join('\n')
}

const widest = 100

/** The part of a line around a column, without characters that move the cursor. */
function clip(line: string, column: number): { readonly shown: string; readonly caret: number } {
  const start = column < widest - 20 ? 0 : column - 40
  const part = line.slice(start, start + widest)
  const lead = start === 0 ? '' : '...'
  const tail = start + widest < line.length ? '...' : ''
  return {
    shown: `${lead}${blankText(part)}${tail}`,
    caret: lead.length + columnsOf(blankText(line.slice(start, column))),
  }
}

/** `feature_flag "checkout"`. */
export function addressInText(address: string): string {
  const dot = address.indexOf('.')
  return dot === -1 ? address : `${address.slice(0, dot)} ${JSON.stringify(address.slice(dot + 1))}`
}

/** The colours, each with one meaning. Colour alone never carries a meaning. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly caution: (text: string) => string
  readonly bad: (text: string) => string
}

/** Whether this code turns one of these colours on or off. */
export function isOwnColour(code: string): boolean {
  return ownColours.has(code)
}

export function createStyle(isColourful: boolean): Style {
  const { bold, dim, green, yellow, red } = picocolors.createColors(isColourful)
  return { bold, dim, good: green, caution: yellow, bad: red }
}

// The codes that turn the styles above on and off.
const ownColours = new Set([1, 2, 22, 31, 32, 33, 39].map(code => `\u001b[${code}m`))

/** Groups equal values, each with the names that have it, in the order of the first ones. */
export function groupEqual<One>(
  all: readonly (readonly [name: string, one: One])[],
): { readonly one: One; readonly names: readonly string[] }[] {
  const groups = new Map<string, { readonly one: One; readonly names: Set<string> }>()
  for (const [name, one] of all) {
    const key = JSON.stringify(one)
    const group = groups.get(key) ?? { one, names: new Set() }
    groups.set(key, group)
    group.names.add(name)
  }
  return [...groups.values()].map(({ one, names }) => ({ one, names: [...names] }))
}
