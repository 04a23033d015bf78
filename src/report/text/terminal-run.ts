import type { RunDocument, RunHead } from '../document.ts'
import type { Following } from '../format.ts'
import { followItems } from '../lines/items/run-items.ts'
import type { Item } from '../lines/report.ts'
import { runEnd } from '../lines/run-report.ts'
import { countsText, itemLines } from './report-text.ts'
import type { Style } from './style.ts'
import type { PlanTextOptions } from './terminal-plan.ts'

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
