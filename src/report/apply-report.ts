import type { ApplyEvent } from '../core/apply/apply-event.ts'
import type { Change } from '../core/change.ts'
import { escapeText } from '../model/escape-text.ts'
import { counted, listed, nameOf } from './names.ts'
import type { Style } from './style.ts'
import { applyEventText } from './terminal-apply.ts'

/** What a failure means to whoever reads of it. */
export interface FailureWords {
  /** What went wrong and what to do about it, on one line. */
  readonly text: string
  /** The same without the request, where other changes fail for the same reason: a key that may not write, say. */
  readonly shared?: string
  /** Whether the same request would be refused again. */
  readonly isFinal: boolean
  /** How long the service asks to be left alone. */
  readonly waitMs?: number
}

export interface ApplyReport {
  /** What to print at once; undefined for what nobody waits for, and for what is told together at the end. */
  line(event: ApplyEvent): string | undefined
  /** What was kept for the end. */
  rest(): readonly string[]
}

export interface ApplyReportOptions {
  readonly changes: readonly Change[]
  readonly style: Style
  readonly explain: (error: unknown) => FailureWords
}

/**
 * The lines of an apply for people. What is the same for many changes is told once, with their number and their names:
 * a key that may not write fails each of them alike.
 *
 * | event                                            | told                                             |
 * |--------------------------------------------------|--------------------------------------------------|
 * | done, left alone, failed for a reason of its own | at once                                          |
 * | failed for a reason that others share            | at the end, together                             |
 * | skipped                                          | at the end; those that wait for others, together |
 */
export function createApplyReport({ changes, style, explain }: ApplyReportOptions): ApplyReport {
  const byAddress = new Map(changes.map(change => [change.address, change]))
  const groups = new Map<string, Told[]>()
  const textOf = (event: ApplyEvent) =>
    applyEventText(event, byAddress.get(event.address), { style, explain: error => explain(error).text })
  return {
    line(event) {
      const shared = sharedReason(event, explain)
      if (shared === undefined) return textOf(event)
      groups.set(shared, [...(groups.get(shared) ?? []), { event, name: named(event, byAddress) }])
      return undefined
    },
    rest: () =>
      [...groups].flatMap(([reason, told]) =>
        told.length < fewest
          ? told.flatMap(({ event }) => textOf(event) ?? [])
          : groupLines(reason, told, style),
      ),
  }
}

interface Told {
  readonly event: ApplyEvent
  readonly name: string
}

/** Two lines are as good as one line and a list of two. */
const fewest = 3

function sharedReason(event: ApplyEvent, explain: ApplyReportOptions['explain']): string | undefined {
  if (event.type === 'change_failed') {
    const { shared } = explain(event.error)
    return shared === undefined ? undefined : `failed: each ${shared}`
  }
  if (event.type !== 'change_skipped') return undefined
  return `skipped: ${event.cause === 'dependency' ? 'what they depend on was not done' : event.reason}`
}

function named({ address }: ApplyEvent, changes: ReadonlyMap<string, Change>): string {
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
