import type { ComparedRow, ComparedState, EnvironmentDifference } from '../../core/compare/comparison.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { comparisonCounts } from '../comparison-members.ts'
import type { ComparisonDocument } from '../document.ts'
import { counted, nameOf } from '../object-names.ts'
import { aLine, type Item, type Line, type Report } from './report.ts'

/** Environments as columns, objects as rows, and below each row in what it differs. */
export function comparisonReport(document: ComparisonDocument): Report {
  const { comparison, isLive, places, showsEqual } = document
  const { environments, rows } = comparison
  const shown = rows.filter(({ verdict }) => showsEqual || verdict !== 'equal')
  const where = environments.map(name => {
    const place = places[name]
    return place === undefined ? escapeText(name) : `${escapeText(name)} (${escapeText(place)})`
  })
  const columns = environments.map(escapeText)
  const items = shown.map(row => itemOf(row, environments))
  return {
    is: 'comparison',
    place: { environment: columns.join(', ') },
    headline: {
      verdict: 'Comparison',
      about: `${where.join(' -> ')}, as ${isLive ? 'they are live' : 'declared'}`,
    },
    alerts: [],
    sections: items.length === 0 ? [] : [{ is: 'comparison', title: '', columns, items }],
    notes: [],
    counts: countsOf(document).map(text => ({ text })),
    closing: [],
  }
}

function itemOf(row: ComparedRow, environments: readonly string[]): Item {
  return {
    address: row.address,
    sign: { text: signOf(row) },
    result: row.verdict === 'equal' ? 'passed' : 'failed',
    name: nameOf(row),
    cells: environments.map(name => cellOf(row.environments[name])),
    lines: differenceLines(row.differences, environments.length > 2),
  }
}

/** `=` the same, `~` differs, `!` not in all of them. */
function signOf({ verdict }: ComparedRow): string {
  switch (verdict) {
    case 'equal':
      return '='
    case 'differs':
      return '~'
    case 'only':
      return '!'
  }
}

function cellOf(state: ComparedState | undefined): string {
  switch (state?.state) {
    case 'present':
      return escapeText(state.summary === '' ? 'yes' : state.summary)
    case 'absent':
    case 'skipped':
      return state.state
    default:
      return '-'
  }
}

/** Where there are more than two environments, each difference says between which; what several say is said once. */
function differenceLines(differences: readonly EnvironmentDifference[], isNamed: boolean): Line[] {
  if (!isNamed) return differences.flatMap(({ summary }) => summaryLines(summary))
  const byWords = new Map<string, EnvironmentDifference[]>()
  for (const difference of differences) {
    const words = difference.summary.join('\n')
    byWords.set(words, [...(byWords.get(words) ?? []), difference])
  }
  return [...byWords.values()].flatMap(alike => {
    const [{ from, summary } = { from: '', summary: [] }] = alike
    const others = alike.map(({ to }) => escapeText(to)).join(', ')
    return [aLine('detail', `${escapeText(from)} -> ${others}:`), ...summaryLines(summary, 1)]
  })
}

function summaryLines(summary: readonly string[], depth?: number): Line[] {
  return summary.map(line => aLine('detail', escapeText(line), depth === undefined ? {} : { depth }))
}

function countsOf({ comparison, showsEqual }: ComparisonDocument): string[] {
  const { equal, differs, only } = comparisonCounts(comparison)
  const isPair = comparison.environments.length === 2
  const onlyIn = Object.entries(only).flatMap(([name, count]) => {
    if (isPair) return [`${count} only in ${escapeText(name)}`]
    return count === 0 ? [] : [`${count} in ${escapeText(name)} and not in all`]
  })
  const hint = equal > 0 && !showsEqual ? ' (--show-equal lists them)' : ''
  const verb = differs === 1 ? 'differs' : 'differ'
  return [`${counted(differs, 'object')} ${verb}`, ...onlyIn, `${equal} equal${hint}`]
}
