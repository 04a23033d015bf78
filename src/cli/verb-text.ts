import { targetText } from '../core/target.ts'
import { escapeText } from '../model/escape-text.ts'
import { type PlanTextOptions, planText } from '../report/terminal-plan.ts'

export interface VerbTextOptions extends Pick<PlanTextOptions, 'meta' | 'style'> {
  /** What is about to be done, as in `undo of run 20261121T020000Z-1f2e3d4c`. */
  readonly deed: string
}

/** The plan of `undo`, `adopt` or `release`: a plan like others, under a first line that says what it is for. */
export function verbText(plan: Parameters<typeof planText>[0], options: VerbTextOptions): string {
  const { meta, style, deed } = options
  const [first = '', ...rest] = planText(plan, { meta, style }).split('\n')
  // The verdict stays as it is; what follows it names the deed and the place.
  const [verdict = first] = first.split(': ')
  const place = escapeText(targetText(meta.target))
  const where = meta.environment === undefined ? place : `${escapeText(meta.environment)} (${place})`
  return [`${verdict}: ${escapeText(deed)} in ${where}`, ...rest].join('\n')
}
