import type { Action, Risk } from '../../core/change.ts'
import type { SectionKind } from '../lines/report.ts'

/** What people choose from, in the order in which it is offered. */
export const actionWords: Readonly<Record<Action, string>> = {
  create: 'create',
  update: 'change',
  claim: 'claim',
  restore: 'restore',
  delete: 'delete',
}

export const riskWords: Readonly<Record<Risk, string>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
}

/** The headings of sections that speak for themselves elsewhere. */
export const sectionWords: Readonly<Record<SectionKind, string>> = {
  changes: 'Changes',
  lost: 'Changed in the product',
  blocked: 'Blocked',
  conflict: 'Conflict',
  held: 'Held',
  drift: 'Drift',
  not_compared: 'Not compared',
  unchanged: 'Unchanged',
  events: 'Changes',
  comparison: 'Objects',
  runs: 'Runs',
  outcomes: 'How each object came out',
  tests: 'Tests that did not pass',
  passed_tests: 'Tests that passed',
  coverage: 'Not reached by tests',
  problems: 'Problems',
}

/** `HELD (not sent)` as a heading and what it adds: `Held`, `not sent`. */
export function headingOf(
  title: string,
  kind: SectionKind,
): { readonly heading: string; readonly note?: string } {
  const [, name = title, note] = /^(.*?) \((.*)\)$/.exec(title) ?? []
  if (name === '') return { heading: sectionWords[kind] }
  const heading = name === name.toUpperCase() ? `${name.slice(0, 1)}${name.slice(1).toLowerCase()}` : name
  return note === undefined ? { heading } : { heading, note }
}
