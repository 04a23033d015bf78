import type { Problem } from '../../model/problem.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { FailureDocument, Fault, LocatedProblem, ValidationDocument } from '../document.ts'
import { counted } from '../object-names.ts'
import { addressInText, problemCounts } from '../text/problem-text.ts'
import { aLine, type Item, type Report, type Section } from './report.ts'

/** The problems of files. */
export function validationReport({ files, problems }: ValidationDocument): Report {
  const found = problemCounts(problems.map(({ problem }) => problem))
  return {
    ...nothing,
    is: 'validation',
    place: {},
    headline: {
      verdict: problems.length === 0 ? 'No problems' : found,
      about: `${counted(files.length, 'file')} checked`,
    },
    sections: problemSection(problems.map(locatedItem)),
  }
}

/** Why a command failed. */
export function failureReport({ errors, problems, command, environment }: FailureDocument): Report {
  const items = problems.length > 0 ? problems.map(locatedItem) : errors.map(fault => problemItem(fault))
  return {
    ...nothing,
    is: 'failure',
    place: environment === undefined ? {} : { environment: escapeText(environment) },
    headline: {
      verdict: 'Failed',
      about: [
        ['vexil', ...(command === undefined ? [] : [escapeText(command)])].join(' '),
        ...(environment === undefined ? [] : [escapeText(environment)]),
      ].join(' for '),
    },
    sections: problemSection(items),
  }
}

/** A report with the errors above its other sections. */
export function withErrors(report: Report, errors: readonly Fault[] = []): Report {
  const sections = problemSection(errors.map(fault => problemItem(fault)))
  return { ...report, sections: [...sections, ...report.sections] }
}

/** The number of warnings in a report that groups objects. */
const mostWarnings = 10

/** A report with the warnings above its other sections. */
export function withWarnings(
  report: Report,
  warnings: readonly LocatedProblem[] = [],
  isVerbose = false,
): Report {
  const shown = isVerbose ? warnings : warnings.slice(0, mostWarnings)
  const items = [...shown.map(locatedItem), ...moreWarnings(warnings.length - shown.length)]
  if (items.length === 0) return report
  return { ...report, sections: [{ is: 'problems', title: 'WARNINGS', items }, ...report.sections] }
}

function moreWarnings(count: number): Item[] {
  if (count === 0) return []
  const name = `${count} more ${count === 1 ? 'warning' : 'warnings'}`
  return [{ sign: warningSign, name, remark: 'vexil validate lists all', result: 'skipped', lines: [] }]
}

const nothing = { alerts: [], notes: [], counts: [], closing: [] }

export function problemSection(items: readonly Item[]): Section[] {
  return items.length === 0 ? [] : [{ is: 'problems', title: 'PROBLEMS', items }]
}

export function locatedItem({ problem, path }: LocatedProblem): Item {
  const item = problemItem(problem, problem.severity)
  return path === undefined ? item : { ...item, path: escapeText(path) }
}

function problemItem(
  { code, address, message, hint, source }: Fault,
  severity: Problem['severity'] = 'error',
): Item {
  const about = address === undefined ? '' : `${escapeText(addressInText(address))}: `
  return {
    ...(address === undefined ? {} : { address }),
    sign: severity === 'error' ? { text: 'x', tone: 'bad' } : warningSign,
    name: `${about}${escapeText(message)}`,
    remark: severity === 'error' ? code : `warning, ${code}`,
    rule: code,
    result: severity === 'error' ? 'failed' : 'skipped',
    ...(source && { source }),
    lines: hint === undefined ? [] : [aLine('remedy', escapeText(hint))],
  }
}

const warningSign = { text: '!', tone: 'caution' } as const
