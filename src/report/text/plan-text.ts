import type { Risk } from '../../core/change.ts'
import type { PlanMeta } from '../../core/record/plan-file.ts'
import { columnsOf, padColumns } from '../../model/text/columns.ts'
import type { PlanDocument, RunDocument, RunHead, ShownPlan } from '../document.ts'
import type { Following } from '../format.ts'
import { atCommit, madeText, placeLine } from '../lines/place-words.ts'
import { type PlanManner, planReport } from '../lines/plan-report.ts'
import { withWarnings } from '../lines/problems-report.ts'
import type { Headline, Item, Line, Report, Section, Toned } from '../lines/report.ts'
import { followItems, runEnd } from '../lines/run-report.ts'
import { placeOf } from '../object-names.ts'
import type { Style } from './problem-text.ts'

interface PlanTextOptions extends PlanManner, Pick<PlanDocument, 'warnings'> {
  readonly style: Style
}

/** A plan at a terminal. */
export function planText(plan: ShownPlan, { style, warnings, ...manner }: PlanTextOptions): string {
  return reportText(withWarnings(planReport(plan, manner), warnings, manner.isVerbose), style)
}

/** The origin of a saved plan, shown before an apply; nothing if the plan has no time. */
export function planOriginText(meta: PlanMeta, style: Style): string {
  const origin = [madeText(meta), atCommit(meta)].filter(words => words !== '').join(' ')
  return origin === '' ? '' : `${style.dim(`saved plan for ${placeLine(meta)} ${origin}`)}\n`
}

/** A run at a terminal, line by line as it goes on. */
export function followInText(head: RunHead, manner: Pick<PlanTextOptions, 'style' | 'isVerbose'>): Following {
  const { style } = manner
  const following = followItems(head, manner)
  return {
    event: event => itemsText(following.event(event), style),
    end: run => `${itemsText(following.end(), style)}${endText(run, manner)}`,
  }
}

function endText(run: RunDocument, manner: Pick<PlanTextOptions, 'style' | 'isVerbose'>): string {
  const { style } = manner
  const { leftOut, counts, advice, record } = runEnd(run, manner)
  const summary =
    counts.length === 0 ? '' : `\n${countsText(counts, style)}.${advice === '' ? '' : ` ${advice}`}\n`
  const recorded = record === undefined ? '' : `${style.dim(`run: ${record}`)}\n`
  return `${itemsText(leftOut, style)}${summary}${recorded}`
}

function itemsText(items: readonly Item[], style: Style): string {
  return items
    .flatMap(item => itemLines(item, style))
    .map(line => `${line}\n`)
    .join('')
}

/** The column of the places; a longer name pushes its own to the right. */
const nameColumns = 48

/** The widest column of names in a table; a longer name pushes its cells to the right. */
const widestName = 48

/** A report for a terminal: its parts with an empty line between them. */
export function reportText(report: Report, style: Style): string {
  const { headline, reading = [], sections, notes } = report
  const parts = [
    [...(headline ? [headlineText(headline, style)] : []), ...alertLines(report, style)],
    reading.map(style.dim),
    ...sections.map(section => sectionLines(section, style)),
    notes,
    endLines(report, style),
  ]
  const shown = parts.filter(lines => lines.length > 0)
  return `${shown.map(lines => lines.join('\n')).join('\n\n')}\n`
}

/** Alerts are above everything else, and again beside the question at the end. */
function alertLines({ alerts }: Report, style: Style): string[] {
  return alerts.map(alert => `  ${style.bad(style.bold(`!! ${alert}`))}`)
}

function headlineText({ verdict, risk, about }: Headline, style: Style): string {
  if (risk === undefined) return `${style.bold(verdict)}: ${about}`
  const [word, rest] = [verdict.slice(0, risk.length), verdict.slice(risk.length)]
  return `${style.bold(`${riskText(word, risk, style)}${rest}`)}: ${about}`
}

function endLines(report: Report, style: Style): string[] {
  const { counts, closing, risk, next } = report
  const highest = risk === undefined ? '' : `Highest risk: ${riskText(risk, risk, style)}. `
  return [
    ...(counts.length > 0 ? [countsText(counts, style)] : []),
    ...closing,
    ...(counts.length > 0 ? alertLines(report, style) : []),
    ...(next === undefined ? [] : [`${highest}Next: ${next}`]),
  ]
}

function countsText(counts: readonly Toned[], style: Style): string {
  return counts.map(words => toned(words, style)).join(', ')
}

function sectionLines({ title, risk, columns, items }: Section, style: Style): string[] {
  const words = risk === undefined ? title : riskText(title, risk, style)
  const lines = columns ? tableLines(items, columns, style) : items.flatMap(item => itemLines(item, style))
  return [...(title === '' ? [] : [style.bold(words)]), ...lines]
}

/** An item with its lines below it; the place in its file is on the right. */
export function itemLines(item: Item, style: Style): string[] {
  const { sign, name, became, because, remark, lines } = item
  const lead = sign === undefined ? '    ' : `  ${toned(sign, style)} `
  const words = [
    name,
    ...(became === undefined ? [] : [` ${toned(became, style)}`]),
    ...(because === undefined ? [] : [`: ${because}`]),
    ...(remark === undefined ? [] : [`  ${style.dim(remark)}`]),
  ].join('')
  // The result of a change is shown when it happens, in lines of any length.
  const place = became === undefined ? placeOf(item.source) : ''
  const head = place === '' ? words : `${padColumns(words, nameColumns)}  ${style.dim(place)}`
  return [`${lead}${head}`, ...detailLines(lines, style, '      ')]
}

/** A run on record, with what came of it below. */
export function runLines({ name, remark, lines }: Item, style: Style): string[] {
  const head = remark === undefined ? style.bold(name) : `${style.bold(name)}  ${remark}`
  return [head, ...detailLines(lines, style, '    ')]
}

function detailLines(lines: readonly Line[], style: Style, indent: string): string[] {
  return lines.map((line, index) => {
    const isFirst = lines[index - 1]?.is !== line.is
    const words = `${leadOf(line, isFirst)}${line.words.map(each => toned(each, style)).join('')}`
    return `${indent}${'  '.repeat(line.depth ?? 0)}${isFaint(line) ? style.dim(words) : words}`
  })
}

function leadOf({ is }: Line, isFirst: boolean): string {
  switch (is) {
    case 'would':
      return isFirst ? 'would: ' : '       '
    case 'remedy':
      return isFirst ? 'to go on: ' : '      or: '
    case 'detail':
    case 'why':
    case 'names':
      return ''
  }
}

function isFaint({ is }: Line): boolean {
  return is === 'remedy' || is === 'names'
}

function tableLines(items: readonly Item[], columns: readonly string[], style: Style): string[] {
  const names = items.map(({ sign, name }) => `  ${sign ? toned(sign, style) : ' '} ${name}`)
  const first = Math.min(widestName, Math.max(...names.map(columnsOf)))
  const widths = columns.map((column, index) =>
    Math.max(columnsOf(column), ...items.map(({ cells = [] }) => columnsOf(cells[index] ?? ''))),
  )
  const row = (name: string, cells: readonly string[]) =>
    [padColumns(name, first), ...cells.map((cell, index) => padColumns(cell, widths[index] ?? 0))]
      .join('  ')
      .trimEnd()
  return [
    style.dim(row('', columns)),
    ...items.flatMap(({ cells = [], lines }, index) => [
      row(names[index] ?? '', cells),
      ...detailLines(lines, style, '      '),
    ]),
  ]
}

function toned({ text, tone = 'plain' }: Toned, style: Style): string {
  if (tone === 'plain') return text
  return style[tone === 'faint' ? 'dim' : tone](text)
}

function riskText(text: string, risk: Risk, style: Style): string {
  return style[riskTones[risk]](text)
}

const riskTones = { low: 'good', medium: 'caution', high: 'bad', critical: 'bad' } as const
