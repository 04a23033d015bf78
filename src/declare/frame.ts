import { columnsOf } from '../model/columns.ts'
import { blankText, escapeText } from '../model/escape-text.ts'
import type { Problem } from '../model/problem.ts'
import type { Lines } from './text-position.ts'

/** One problem on one line: where, what, and what to do. */
export function problemLine({ source, severity, address, message, hint }: Problem): string {
  const place = source ? `${source.file}:${source.line}:${source.column} ` : ''
  const about = address === undefined ? '' : `${addressInWords(address)}: `
  const lead = severity === 'warning' ? 'warning: ' : ''
  // Names of files may hold anything too.
  return escapeText(`${place}${lead}${about}${message}${hint ? `; ${hint}` : ''}`)
}

/**
 * A problem with the line it is about and a caret under the place:
 *
 *     flags/checkout.yaml:3:5 feature_flag "checkout": "actve" is not a field of a flag; did you mean "active"?
 *       2 |   checkout:
 *     > 3 |     actve: true
 *         |     ^
 */
export function codeFrame(problem: Problem, lines: Lines | undefined): string {
  const { source } = problem
  const line = source && lines?.at(source.line)
  if (!source || !lines || line === undefined) return problemLine(problem)
  const { shown, caret } = clip(line, source.column - 1)
  const width = String(source.line).length
  const before = lines.at(source.line - 1)
  return [
    problemLine(problem),
    ...(before === undefined || before.trim() === ''
      ? []
      : [`  ${String(source.line - 1).padStart(width)} | ${clip(before, 0).shown}`]),
    `> ${source.line} | ${shown}`,
    `  ${' '.repeat(width)} | ${' '.repeat(caret)}^`,
  ].join('\n')
}

const widest = 100

/** The part of a line around a column, without anything that would move the cursor. */
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

function addressInWords(address: string): string {
  const dot = address.indexOf('.')
  return dot === -1 ? address : `${address.slice(0, dot)} ${JSON.stringify(address.slice(dot + 1))}`
}
