import type { Change } from '../../core/change.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { RunEvent } from '../document.ts'
import { counted, nameOf, signs } from '../object-names.ts'
import type { Style } from './style.ts'

/** How many changes came to which end. */
export interface ApplyCounts {
  readonly done: number
  readonly already: number
  readonly failed: number
  readonly pending: number
  readonly stale: number
  readonly skipped: number
}

/** One line per change as it ends; undefined for events that nobody waits for. */
export function applyEventText(
  event: RunEvent,
  change: Change | undefined,
  style: Style,
): string | undefined {
  const name = change ? nameOf(change) : escapeText(event.address)
  switch (event.type) {
    case 'change_start':
    case 'change_attempt':
      return undefined
    case 'change_done': {
      const how = event.already ? 'was done already' : pastTense[event.action]
      const notKept =
        event.notKept.length === 0
          ? ''
          : `\n      ${style.caution(`the service did not keep ${event.notKept.join(', ')}; leave it out or add it to \`ignore\``)}`
      return `  ${style.good(signs[event.action])} ${name} ${how}${tookBackText(event)}${notKept}`
    }
    case 'change_failed':
      return `  ${style.bad('x')} ${name} ${style.bad('failed')}: ${escapeText(event.failure.text)}`
    case 'change_pending': {
      const { changeRequest, reason } = event
      return `  ${style.caution('?')} ${name} waits for approval: change request ${escapeText(changeRequest)} (${escapeText(reason)})`
    }
    case 'change_stale':
      return `  ${style.caution('!')} ${name} left alone: ${escapeText(event.reason)}; plan again${tookBackText(event)}`
    case 'change_skipped':
      return `  ${style.caution('.')} ${name} skipped: ${escapeText(event.reason)}`
  }
}

function tookBackText({ tookBack }: { readonly tookBack?: string }): string {
  if (tookBack === undefined) return ''
  return `\n      somebody made it at the same time; the second copy of this run, id ${escapeText(tookBack)}, was deleted again`
}

/** The last line of an apply, with what to do when something is left. */
export function applySummaryText(counts: ApplyCounts, advice: string, style: Style): string {
  const { done, already, failed, pending, stale, skipped } = counts
  const parts = [
    `${counted(done, 'change')} applied`,
    ...(already > 0 ? [`${already} done already`] : []),
    ...(failed > 0 ? [style.bad(`${failed} failed`)] : []),
    ...(pending > 0 ? [style.caution(`${pending} waiting for approval`)] : []),
    ...(stale > 0 ? [style.caution(`${stale} left alone`)] : []),
    ...(skipped > 0 ? [style.caution(`${skipped} skipped`)] : []),
  ]
  return `${parts.join(', ')}.${advice === '' ? '' : ` ${advice}`}`
}

export function countsOf(events: readonly RunEvent[]): ApplyCounts {
  const of = (type: RunEvent['type']) => events.filter(event => event.type === type).length
  const already = events.filter(event => event.type === 'change_done' && event.already).length
  return {
    done: of('change_done') - already,
    already,
    failed: of('change_failed'),
    pending: of('change_pending'),
    stale: of('change_stale'),
    skipped: of('change_skipped'),
  }
}

const pastTense: Readonly<Record<Change['action'], string>> = {
  create: 'created',
  update: 'changed',
  claim: 'claimed',
  restore: 'restored',
  delete: 'deleted',
}
