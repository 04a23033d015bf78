import type { PlanMeta } from '../../core/record/plan-file.ts'
import type { PlanDocument, ShownPlan } from '../document.ts'
import { type PlanManner, planReport } from '../lines/plan-report.ts'
import { withWarnings } from '../lines/problems-report.ts'
import { atCommit, madeText, placeLine } from '../lines/sections/place-words.ts'
import { reportText } from './report-text.ts'
import type { Style } from './style.ts'

export interface PlanTextOptions extends PlanManner, Pick<PlanDocument, 'warnings'> {
  readonly style: Style
}

/** A plan at a terminal. */
export function planText(plan: ShownPlan, { style, warnings, ...manner }: PlanTextOptions): string {
  return reportText(withWarnings(planReport(plan, manner), warnings, manner.isVerbose), style)
}

/** What an apply says of a saved plan before it carries it out; nothing of one that does not say when it was made. */
export function planOriginText(meta: PlanMeta, style: Style): string {
  const origin = [madeText(meta), atCommit(meta)].filter(words => words !== '').join(' ')
  return origin === '' ? '' : `${style.dim(`saved plan for ${placeLine(meta)} ${origin}`)}\n`
}
