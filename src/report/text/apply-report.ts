import type { Change } from '../../core/change.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { RunDocument, RunEvent, RunHead } from '../document.ts'
import type { Following } from '../format.ts'
import { counted, countedByKind, listed, nameOf, signs } from '../object-names.ts'
import { applyAdvice } from './apply-advice.ts'
import type { Style } from './style.ts'
import { applyEventText, applySummaryText, countsOf } from './terminal-apply.ts'
import { leftOutLiveEditText } from './terminal-live-edits.ts'
import { leftOutText, type PlanTextOptions } from './terminal-plan.ts'
import { fewest, howToList, together } from './together.ts'

/**
 * The lines of a run for people. What is the same for many changes is told once, with their number and their names:
 * a key that may not write fails each of them alike.
 *
 * | event                                            | told                                             |
 * |--------------------------------------------------|--------------------------------------------------|
 * | done, left alone, failed for a reason of its own | at once                                          |
 * | claimed, and nothing else is to be said of it    | at the end, together                             |
 * | failed for a reason that others share            | at the end, together                             |
 * | skipped                                          | at the end; those that wait for others, together |
 *
 * Who asks for each is told of each at once.
 */
export function followInText({ changes }: RunHead, manner: Manner): Following {
  const { style, isVerbose } = manner
  const byAddress = new Map(changes.map(change => [change.address, change]))
  const hasManyClaims = changes.filter(({ action }) => action === 'claim').length >= fewest
  const claims: RunEvent[] = []
  const groups = new Map<string, Told[]>()
  const lineOf = (event: RunEvent) => applyEventText(event, byAddress.get(event.address), style) ?? []
  return {
    event(event) {
      if (!isVerbose && hasManyClaims && isMereClaim(event)) {
        claims.push(event)
        return ''
      }
      const shared = isVerbose ? undefined : sharedReason(event)
      if (shared === undefined) return linesText(lineOf(event))
      groups.set(shared, [...(groups.get(shared) ?? []), { event, name: named(event, byAddress) }])
      return ''
    },
    end(run) {
      const rest = [...groups].flatMap(([reason, told]) =>
        told.length < fewest ? told.flatMap(({ event }) => lineOf(event)) : groupLines(reason, told, style),
      )
      const claimed = together(claims, { keyOf: () => 'claimed' })
      const lines = [
        ...claimed.single.flatMap(lineOf),
        ...claimed.groups.map(group =>
          claimsLine(
            group.flatMap(event => byAddress.get(event.address) ?? []),
            style,
          ),
        ),
        ...rest,
      ]
      return `${linesText(lines)}${endText(run, manner)}`
    },
  }
}

/** Where there was nothing to do, the plan has said so; of a saved one nobody has been shown what it leaves out. */
function endText(
  { changes, blocked, liveEdits, events, kept, isOfSavedPlan }: RunDocument,
  { style, isVerbose }: Manner,
): string {
  const leftOut = `${leftOutText(blocked, { style, isVerbose })}${leftOutLiveEditText(liveEdits, style)}`
  if (changes.length === 0) return isOfSavedPlan ? leftOut : ''
  const summary = applySummaryText(countsOf(events), applyAdvice(events), style)
  const isTold = kept !== undefined && !kept.isFleeting
  const record = isTold ? `${style.dim(`run: ${escapeText(kept.path)}`)}\n` : ''
  return `${leftOut}\n${summary}\n${record}`
}

type Manner = Pick<PlanTextOptions, 'style' | 'isVerbose'>

/** A claim that left nothing to be told of its object. */
function isMereClaim(event: RunEvent): boolean {
  if (event.type !== 'change_done' || event.action !== 'claim') return false
  return !event.already && event.notKept.length === 0 && event.tookBack === undefined
}

function claimsLine(claims: readonly Change[], style: Style): string {
  return `  ${style.good(signs.claim)} ${countedByKind(claims)} claimed  ${style.dim(howToList)}`
}

interface Told {
  readonly event: RunEvent
  readonly name: string
}

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
