import { escapeText } from '../../model/text/escape-text.ts'
import type { RunDocument } from '../document.ts'
import { leftOutItems } from './items/blocked-items.ts'
import { changeLines } from './items/change-items.ts'
import { applyCounts, countsOf } from './items/run-event-item.ts'
import { itemsOfRun } from './items/run-items.ts'
import type { Item, Manner, Report, Toned } from './report.ts'
import { applyAdvice } from './sections/apply-advice.ts'
import { leftOutLiveEdits } from './sections/live-edit-sections.ts'
import { ownershipLine } from './sections/ownership-line.ts'
import { aboutText, headlineParts, reportPlace, serviceLines } from './sections/place-words.ts'

/** A run that has ended: each change with what became of it, and what the plan left out. */
export function runReport(run: RunDocument, manner: Manner = {}): Report {
  const { command, meta } = run
  const { leftOut, counts, advice, record } = runEnd(run, manner)
  const byAddress = new Map(run.changes.map(change => [change.address, change]))
  const events = itemsOfRun(run, manner).map(item => {
    const change = item.address === undefined ? undefined : byAddress.get(item.address)
    return change ? { ...item, lines: [...item.lines, ...changeLines(change)] } : item
  })
  const deed = command === 'apply' ? undefined : command
  return {
    is: 'run',
    place: reportPlace(meta ?? {}),
    headline: {
      verdict: verdictOf(run),
      about: meta === undefined ? command : aboutText(meta, deed),
      ...(meta === undefined ? {} : { parts: headlineParts(meta, deed) }),
    },
    alerts: [],
    reading: meta === undefined ? [] : serviceLines(meta),
    sections: [
      ...(events.length > 0 ? [{ is: 'events' as const, title: 'CHANGES', items: events }] : []),
      ...(leftOut.length > 0
        ? [{ is: 'blocked' as const, title: 'LEFT OUT (not applied)', items: leftOut }]
        : []),
    ],
    notes: advice === '' ? [] : [advice],
    counts,
    closing: [
      ...ownershipLine(run.changes, run.ownershipTag),
      ...(record === undefined ? [] : [`run: ${record}`]),
    ],
  }
}

function verdictOf({ changes, events }: RunDocument): string {
  if (changes.length === 0) return 'Nothing to do'
  const { done, already } = countsOf(events)
  return done + already === changes.length ? 'Applied' : done + already > 0 ? 'Partly applied' : 'Not applied'
}

/** What stands below the changes of a run. */
export interface RunEnd {
  /** What the plan left out; where there was nothing to do, the plan has said so, but a saved one was shown to nobody. */
  readonly leftOut: readonly Item[]
  readonly counts: readonly Toned[]
  /** What to do about what was left undone. */
  readonly advice: string
  /** The file of its record. */
  readonly record?: string
}

export function runEnd(run: RunDocument, manner: Manner): RunEnd {
  const { changes, blocked, liveEdits, events, kept, isOfSavedPlan } = run
  const hasChanges = changes.length > 0
  const isTold = hasChanges || isOfSavedPlan
  const leftOut = isTold ? [...leftOutItems(blocked, manner), ...leftOutLiveEdits(liveEdits)] : []
  if (!hasChanges) return { leftOut, counts: [], advice: '' }
  const hasRecord = kept !== undefined && !kept.isFleeting
  return {
    leftOut,
    counts: applyCounts(countsOf(events)),
    advice: applyAdvice(events),
    ...(hasRecord ? { record: escapeText(kept.path) } : {}),
  }
}
