import type { ComparedRow, ComparedState, EnvironmentDifference } from '../../core/compare/comparison.ts'
import { columnsOf, padColumns } from '../../model/text/columns.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { comparisonCounts } from '../comparison-members.ts'
import type { ComparisonDocument } from '../document.ts'
import { counted, nameOf } from '../object-names.ts'
import type { Style } from './style.ts'

/** The widest column of names; a longer name pushes its cells to the right. */
const widestName = 48

/** Environments as columns, objects as rows, and below each row in what it differs. */
export function comparisonText(document: ComparisonDocument, style: Style): string {
  const { comparison, isLive, places, showsEqual } = document
  const { environments } = comparison
  const shown = comparison.rows.filter(({ verdict }) => showsEqual || verdict !== 'equal')
  const where = environments.map(name => {
    const place = places[name]
    return place === undefined ? escapeText(name) : `${escapeText(name)} (${escapeText(place)})`
  })
  const title = `${style.bold(isLive ? 'Live' : 'Declared')}: ${where.join(' -> ')}`
  const lines = shown.length === 0 ? [] : ['', ...tableLines(shown, environments, style)]
  return `${[title, ...lines, '', countLine(document)].join('\n')}\n`
}

function tableLines(rows: readonly ComparedRow[], environments: readonly string[], style: Style): string[] {
  const names = rows.map(row => `  ${signOf(row)} ${nameOf(row)}`)
  const cells = rows.map(row => environments.map(name => cellOf(row.environments[name])))
  const nameColumns = Math.min(widestName, Math.max(...names.map(columnsOf)))
  const columns = environments.map((name, index) =>
    Math.max(columnsOf(escapeText(name)), ...cells.map(row => columnsOf(row[index] ?? ''))),
  )
  const line = (name: string, values: readonly string[]) =>
    [padColumns(name, nameColumns), ...values.map((value, index) => padColumns(value, columns[index] ?? 0))]
      .join('  ')
      .trimEnd()
  return [
    style.dim(line('', environments.map(escapeText))),
    ...rows.flatMap((row, index) => [
      line(names[index] ?? '', cells[index] ?? []),
      ...differenceLines(row.differences, environments.length > 2),
    ]),
  ]
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
function differenceLines(differences: readonly EnvironmentDifference[], isNamed: boolean): string[] {
  if (!isNamed) return differences.flatMap(({ summary }) => indented(summary, 6))
  const byWords = new Map<string, EnvironmentDifference[]>()
  for (const difference of differences) {
    const words = difference.summary.join('\n')
    byWords.set(words, [...(byWords.get(words) ?? []), difference])
  }
  return [...byWords.values()].flatMap(alike => {
    const [{ from, summary } = { from: '', summary: [] }] = alike
    const others = alike.map(({ to }) => escapeText(to)).join(', ')
    return [`      ${escapeText(from)} -> ${others}:`, ...indented(summary, 8)]
  })
}

function indented(lines: readonly string[], columns: number): string[] {
  return lines.map(line => `${' '.repeat(columns)}${escapeText(line)}`)
}

function countLine({ comparison, showsEqual }: ComparisonDocument): string {
  const { equal, differs, only } = comparisonCounts(comparison)
  const isPair = comparison.environments.length === 2
  const onlyIn = Object.entries(only).flatMap(([name, count]) => {
    if (isPair) return [`${count} only in ${escapeText(name)}`]
    return count === 0 ? [] : [`${count} in ${escapeText(name)} and not in all`]
  })
  const hint = equal > 0 && !showsEqual ? ' (--show-equal lists them)' : ''
  const verb = differs === 1 ? 'differs' : 'differ'
  return [`${counted(differs, 'object')} ${verb}`, ...onlyIn, `${equal} equal${hint}`].join(', ')
}
