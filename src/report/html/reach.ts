import type { Change } from '../../core/change.ts'
import type { SideCell, SideRow } from '../../targeting/index.ts'
import { joinPieces } from '../format.ts'
import { aLine, type Line } from '../lines/report.ts'
import type { Details } from './details.ts'
import { barMarkup, html, type Markup, type Part } from './details-markup.ts'

/**
 * Who gets a flag before and after a change, in bars. A bar is solid for the share that everybody gets, and hatched
 * up to the highest share of any condition:
 *
 * | conditions                              | words           | bar                         |
 * |-----------------------------------------|-----------------|-----------------------------|
 * | everyone at 25%                         | 25%             | solid to 25                 |
 * | country is DE at 100%                   | up to 100%      | hatched to 100              |
 * | everyone at 10%, email is ada's at 100% | 10%, up to 100% | solid to 10, hatched to 100 |
 */
export interface Reach {
  readonly before: Share
  readonly after: Share
  /** Each condition before and after. */
  readonly conditions: readonly SideRow[]
}

interface Share {
  readonly sure: number
  readonly most: number
}

type SideName = 'before' | 'after'

/** More conditions than this are shown only if they change. */
const mostConditions = 12

/** Undefined if nobody gets the flag before or after. */
export function reachOf({ exposure }: Change, details: Details | undefined): Reach | undefined {
  if (!exposure || (exposure.before === 0 && exposure.after === 0)) return undefined
  const conditions = details?.tables.find(({ title }) => title === 'Conditions')?.rows ?? []
  const share = (side: SideName): Share => ({ sure: exposure.sure?.[side] ?? 0, most: exposure[side] })
  return { before: share('before'), after: share('after'), conditions }
}

function shareOf(cell: SideCell | undefined): Share {
  const { percent = 0, isUpTo } = cell ?? {}
  return { sure: isUpTo ? 0 : percent, most: percent }
}

export function reachMarkup(reach: Reach | undefined): Part {
  if (!reach) return undefined
  const { before, after } = reach
  const [was, becomes] = [shareText(before), shareText(after)]
  const last = html`<span class="number">${becomes}</span>${barMarkup(after)}`
  if (was === becomes) return html`<span class="reach"><span class="unseen">reach:</span> ${last}</span>`
  return html`<span class="reach"><span class="unseen">reach before:</span> <span class="number">${was}</span>${barMarkup(before)}${arrow} <span class="unseen">and after:</span> ${last}</span>`
}

const arrow = html`<span class="arrow" aria-hidden="true">→</span>`

function shareText({ sure, most }: Share): string {
  if (sure >= most) return `${most}%`
  return sure === 0 ? `up to ${most}%` : `${sure}%, up to ${most}%`
}

/** A line of an object; the line of a condition has its bars. */
export interface LineWithBars extends Line {
  readonly bars?: Markup
}

/** Adds bars to the lines of conditions, and a line for each unchanged condition, in the order of conditions. */
export function linesWithBars(lines: readonly Line[], reach: Reach | undefined): readonly LineWithBars[] {
  // A single condition has the same bars as the flag.
  if (!reach || reach.conditions.length < 2) return lines
  const { conditions } = reach
  const others: Line[] = []
  const ofRow = new Map<SideRow, Line[]>()
  let row: SideRow | undefined
  let othersBefore: number | undefined
  for (const line of lines) {
    // Details of a condition are indented below its line.
    if (!joinPieces(line.words).startsWith('  ')) row = rowOf(line, conditions)
    if (row) {
      othersBefore ??= others.length
      ofRow.set(row, [...(ofRow.get(row) ?? []), line])
    } else others.push(line)
  }
  const linesOfRow = (each: SideRow): readonly LineWithBars[] => {
    const isShown = each.after && conditions.length <= mostConditions
    const [first, ...rest] = ofRow.get(each) ?? (isShown ? [unchangedLine(each.after)] : [])
    return first ? [{ ...first, bars: barsMarkup(each, reach) }, ...rest] : []
  }
  return [
    ...others.slice(0, othersBefore),
    ...conditions.flatMap(linesOfRow),
    ...others.slice(othersBefore ?? others.length),
  ]
}

function barsMarkup(row: SideRow, reach: Reach): Markup {
  const bar = (side: SideName) =>
    row[side] && reach[side].most > 0 ? barMarkup(shareOf(row[side])) : html`<span class="bar"></span>`
  return html`<span class="bars">${bar('before')}${arrow}${bar('after')}</span>`
}

/** The condition of a line such as `condition 2  everyone  10% -> 25%`. */
function rowOf({ is, words }: Line, rows: readonly SideRow[]): SideRow | undefined {
  const text = is === 'detail' ? joinPieces(words) : ''
  const [, number, removed, moved] =
    /^condition (\d+)(?: \(was \d+\))?(?:( removed: )| moved to (\d+)$| {2}| added: )/.exec(text) ?? []
  const name = `condition ${moved ?? number}`
  return rows.find(row => (removed ? !row.after && row.before?.name === name : row.after?.name === name))
}

function unchangedLine({ name, lines, share }: SideCell): Line {
  return aLine('detail', `${name}  ${lines.join(', ')} at ${share}`, { tone: 'faint' })
}
