import type { Change } from '../../core/change.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { RunEvent } from '../document.ts'
import { counted, nameOf, signs } from '../object-names.ts'
import { aLine, type Item, type Line, type Toned } from './report.ts'

/** How many changes came to which end. */
export interface ApplyCounts {
  readonly done: number
  readonly already: number
  readonly failed: number
  readonly pending: number
  readonly stale: number
  readonly skipped: number
}

/** The end of a change; undefined for events without a line. */
export function runEventItem(event: RunEvent, change: Change | undefined): Item | undefined {
  const end = endOf(event)
  if (!end) return undefined
  const name = change ? nameOf(change) : escapeText(event.address)
  return { address: event.address, name, ...(change?.source && { source: change.source }), ...end }
}

function endOf(event: RunEvent): Omit<Item, 'name'> | undefined {
  switch (event.type) {
    case 'change_start':
    case 'change_attempt':
      return undefined
    case 'change_done':
      return {
        sign: { text: signs[event.action], tone: 'good' },
        became: { text: event.already ? 'was done already' : pastTense[event.action] },
        lines: [...notKeptLines(event), ...changedBesideLines(event)],
      }
    case 'change_failed':
      return {
        result: 'failed',
        sign: { text: 'x', tone: 'bad' },
        became: { text: 'failed', tone: 'bad' },
        because: escapeText(event.failure.text),
        lines: [],
      }
    case 'change_pending':
      return {
        result: 'skipped',
        sign: { text: '?', tone: 'caution' },
        became: { text: 'waits for approval' },
        because: `change request ${escapeText(event.changeRequest)} (${escapeText(event.reason)})`,
        lines: [],
      }
    case 'change_stale':
      return {
        result: 'failed',
        sign: { text: '!', tone: 'caution' },
        became: { text: 'left alone' },
        because: `${escapeText(event.reason)}; plan again`,
        lines: [],
      }
    case 'change_skipped':
      return {
        result: 'skipped',
        sign: { text: '.', tone: 'caution' },
        became: { text: 'skipped' },
        because: escapeText(event.reason),
        lines: [],
      }
  }
}

function notKeptLines({ notKept }: { readonly notKept: readonly string[] }): Line[] {
  if (notKept.length === 0) return []
  const words = `the service did not keep ${notKept.join(', ')}; leave it out or add it to \`ignore\``
  return [aLine('detail', words, { tone: 'caution' })]
}

function changedBesideLines({ changedBeside = [] }: { readonly changedBeside?: readonly string[] }): Line[] {
  if (changedBeside.length === 0) return []
  const words = `somebody else has changed ${changedBeside.join(', ')} just before, which no plan has shown; plan again`
  return [aLine('detail', words, { tone: 'caution' })]
}

/** The counts of the last line of an apply. */
export function applyCounts({ done, already, failed, pending, stale, skipped }: ApplyCounts): Toned[] {
  return [
    { text: `${counted(done, 'change')} applied` },
    ...(already > 0 ? [{ text: `${already} done already` }] : []),
    ...(failed > 0 ? [{ text: `${failed} failed`, tone: 'bad' as const }] : []),
    ...(pending > 0 ? [{ text: `${pending} waiting for approval`, tone: 'caution' as const }] : []),
    ...(stale > 0 ? [{ text: `${stale} left alone`, tone: 'caution' as const }] : []),
    ...(skipped > 0 ? [{ text: `${skipped} skipped`, tone: 'caution' as const }] : []),
  ]
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
