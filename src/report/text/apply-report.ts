import type { Change } from '../../core/change.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { RunDocument, RunEvent, RunHead } from '../document.ts'
import type { Following } from '../format.ts'
import { counted, listed, nameOf } from '../object-names.ts'
import { applyAdvice } from './apply-advice.ts'
import type { Style } from './style.ts'
import { applyEventText, applySummaryText, countsOf } from './terminal-apply.ts'
import { leftOutText } from './terminal-plan.ts'

/**
 * The lines of a run for people. What is the same for many changes is told once, with their number and their names:
 * a key that may not write fails each of them alike.
 *
 * | event                                            | told                                             |
 * |--------------------------------------------------|--------------------------------------------------|
 * | done, left alone, failed for a reason of its own | at once                                          |
 * | failed for a reason that others share            | at the end, together                             |
 * | skipped                                          | at the end; those that wait for others, together |
 */
export function followInText({ changes }: RunHead, style: Style): Following {
  const byAddress = new Map(changes.map(change => [change.address, change]))
  const groups = new Map<string, Told[]>()
  const lineOf = (event: RunEvent) => applyEventText(event, byAddress.get(event.address), style) ?? []
  return {
    event(event) {
      const shared = sharedReason(event)
      if (shared === undefined) return linesText(lineOf(event))
      groups.set(shared, [...(groups.get(shared) ?? []), { event, name: named(event, byAddress) }])
      return ''
    },
    end(run) {
      const rest = [...groups].flatMap(([reason, told]) =>
        told.length < fewest ? told.flatMap(({ event }) => lineOf(event)) : groupLines(reason, told, style),
      )
      return `${linesText(rest)}${endText(run, style)}`
    },
  }
}

/** Where there was nothing to do, the plan has said so; of a saved one nobody has been shown what it leaves out. */
function endText({ changes, blocked, events, kept, isOfSavedPlan }: RunDocument, style: Style): string {
  if (changes.length === 0) return isOfSavedPlan ? leftOutText(blocked, style) : ''
  const summary = applySummaryText(countsOf(events), applyAdvice(events), style)
  const isTold = kept !== undefined && !kept.isFleeting
  const record = isTold ? `${style.dim(`run: ${escapeText(kept.path)}`)}\n` : ''
  return `${leftOutText(blocked, style)}\n${summary}\n${record}`
}

interface Told {
  readonly event: RunEvent
  readonly name: string
}

/** Two lines are as good as one line and a list of two. */
const fewest = 3

function sharedReason(event: RunEvent): string | undefined {
  if (event.type === 'change_failed') {
    const { shared } = event.failure
    return shared === undefined ? undefined : `failed: each ${shared}`
  }
  if (event.type !== 'change_skipped') return undefined
  return `skipped: ${event.cause === 'dependency' ? 'what they depend on was not done' : event.reason}`
}

function named({ address }: RunEvent, changes: ReadonlyMap<string, Change>): string {
  const change = changes.get(address)
  return change ? nameOf(change) : escapeText(address)
}

function groupLines(reason: string, told: readonly Told[], style: Style): string[] {
  const isFailure = told.some(({ event }) => event.type === 'change_failed')
  const sign = isFailure ? style.bad('x') : style.caution('.')
  return [
    `  ${sign} ${counted(told.length, 'change')} ${escapeText(reason)}`,
    `      ${style.dim(listed(told.map(({ name }) => name)))}`,
  ]
}

function linesText(lines: string | readonly string[]): string {
  return [lines]
    .flat()
    .map(line => `${line}\n`)
    .join('')
}
