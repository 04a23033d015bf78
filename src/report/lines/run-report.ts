import type { Change } from '../../core/change.ts'
import { durationText, escapeText } from '../../model/text/printable.ts'
import type { RunDocument, RunEvent, RunHead } from '../document.ts'
import { counted, countedByKind, listed, nameOf, signs } from '../line-text.ts'
import { aboutText, headlineParts, ownershipLine, reportPlace, serviceLines } from './place-words.ts'
import {
  changeLines,
  fewest,
  groupByKey,
  howToList,
  leftOutItems,
  leftOutLiveEdits,
} from './plan-sections.ts'
import { aLine, type Item, type Line, type Manner, type Report, type Toned } from './report.ts'

/** A run that has ended: the result of each change, and what the run did not apply. */
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
      ...(leftOut.length > 0 ? [{ is: 'blocked' as const, title: 'NOT APPLIED', items: leftOut }] : []),
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
  const { done, already } = countEvents(events)
  return done + already === changes.length ? 'Applied' : done + already > 0 ? 'Partly applied' : 'Not applied'
}

/** The part below the changes of a run. */
export interface RunEnd {
  /** Blocked changes and live edits. A plan without changes has already shown them, unless it was saved. */
  readonly leftOut: readonly Item[]
  readonly counts: readonly Toned[]
  /** What to do about unfinished changes. */
  readonly advice: string
  /** The path of the run's record. */
  readonly record?: string
}

export function runEnd(run: RunDocument, manner: Manner): RunEnd {
  const { changes, blocked, liveEdits, events, kept, isOfSavedPlan } = run
  const hasChanges = changes.length > 0
  const isShown = hasChanges || isOfSavedPlan
  const leftOut = isShown ? [...leftOutItems(blocked, manner), ...leftOutLiveEdits(liveEdits)] : []
  if (!hasChanges) return { leftOut, counts: [], advice: '' }
  const hasRecord = kept !== undefined && !kept.isFleeting
  return {
    leftOut,
    counts: applyCounts(countEvents(events)),
    advice: applyAdvice(events),
    ...(hasRecord ? { record: escapeText(kept.path) } : {}),
  }
}

/** Shows the changes of a run as they finish. */
export interface RunItems {
  /** The items to show at once; empty if the event is shown later. */
  event(event: RunEvent): readonly Item[]
  /** The items to show at the end. */
  end(): readonly Item[]
}

/**
 * The changes of a run for people. Equal results are shown once, with their number and their names. For
 * example, a key that may not write fails all changes for the same reason.
 *
 * | event                                            | shown                                            |
 * |--------------------------------------------------|--------------------------------------------------|
 * | done, skipped as moved, failed for its own reason | at once                                         |
 * | claimed, without anything else to show           | at the end, grouped                              |
 * | failed for a reason that others share            | at the end, grouped                              |
 * | skipped                                          | at the end; those that wait for others, grouped  |
 *
 * With `isVerbose` each change is shown at once.
 */
export function followItems({ changes }: RunHead, { isVerbose }: Manner): RunItems {
  const byAddress = new Map(changes.map(change => [change.address, change]))
  const hasManyClaims = changes.filter(({ action }) => action === 'claim').length >= fewest
  const claims: RunEvent[] = []
  const groups = new Map<string, ItemGroup[]>()
  const itemsOf = (event: RunEvent) => runEventItem(event, byAddress.get(event.address)) ?? []
  return {
    event(event) {
      if (!isVerbose && hasManyClaims && isMereClaim(event)) {
        claims.push(event)
        return []
      }
      const shared = isVerbose ? undefined : sharedReason(event)
      if (shared === undefined) return [itemsOf(event)].flat()
      const key = `${shared.became}: ${shared.because}`
      groups.set(key, [...(groups.get(key) ?? []), { event, shared, name: named(event, byAddress) }])
      return []
    },
    end() {
      const rest = [...groups.values()].flatMap(group =>
        group.length < fewest ? group.flatMap(({ event }) => itemsOf(event)) : groupItem(group),
      )
      const claimed = groupByKey(claims, { keyOf: () => 'claimed' })
      return [
        ...claimed.single.flatMap(itemsOf),
        ...claimed.groups.map(group =>
          claimsItem(group.flatMap(event => byAddress.get(event.address) ?? [])),
        ),
        ...rest,
      ]
    },
  }
}

function itemsOfRun(run: RunDocument, manner: Manner): readonly Item[] {
  const following = followItems(run, manner)
  return [...run.events.flatMap(event => following.event(event)), ...following.end()]
}

/** Whether a claim is all that happened to its object. */
function isMereClaim(event: RunEvent): boolean {
  if (event.type !== 'change_done' || event.action !== 'claim') return false
  const { already, notKept, changedBeside } = event
  return !already && notKept.length === 0 && changedBeside === undefined
}

function claimsItem(claims: readonly Change[]): Item {
  return {
    sign: { text: signs.claim, tone: 'good' },
    name: countedByKind(claims),
    became: { text: 'claimed' },
    remark: howToList,
    lines: [],
  }
}

interface ItemGroup {
  readonly event: RunEvent
  readonly shared: Shared
  readonly name: string
}

/** Changes that have the same result for the same reason. */
interface Shared {
  readonly became: 'failed' | 'skipped'
  readonly because: string
}

function sharedReason(event: RunEvent): Shared | undefined {
  if (event.type === 'change_failed') {
    const { shared } = event.failure
    return shared === undefined ? undefined : { became: 'failed', because: `each ${shared}` }
  }
  if (event.type !== 'change_skipped') return undefined
  const because =
    event.cause === 'dependency' ? 'the change that they depend on was not applied' : event.reason
  return { became: 'skipped', because }
}

function named({ address }: RunEvent, changes: ReadonlyMap<string, Change>): string {
  const change = changes.get(address)
  return change ? nameOf(change) : escapeText(address)
}

function groupItem(group: readonly ItemGroup[]): Item[] {
  const names = aLine('names', listed(group.map(({ name }) => name)))
  return group.slice(0, 1).map(({ shared: { became, because } }) => ({
    sign: became === 'failed' ? { text: 'x', tone: 'bad' } : { text: '.', tone: 'caution' },
    name: counted(group.length, 'change'),
    became: { text: became },
    because: escapeText(because),
    lines: [names],
  }))
}

/**
 * What to do about changes that an apply did not finish.
 *
 * | unfinished                             | advice                                                     |
 * |----------------------------------------|------------------------------------------------------------|
 * | nothing                                | none                                                       |
 * | refused, and would be refused again    | correct the cause first                                    |
 * | failed otherwise, or was not begun     | the same command again; later, if the service asks to wait |
 * | both                                   | the same command for the one, the cause for the other      |
 * | waits for approval                     | plan again once it is approved; the service does it then   |
 * | not written: it moved, or is ambiguous | plan again                                                 |
 *
 * A change that was skipped because of another change gets the advice of that change.
 */
function applyAdvice(events: readonly RunEvent[]): string {
  const failures = events.flatMap(event => (event.type === 'change_failed' ? [event.failure] : []))
  const isRefused = failures.some(({ isFinal }) => isFinal)
  const isUnbegun = events.some(
    event => event.type === 'change_skipped' && (event.cause === 'stopped' || event.cause === 'record'),
  )
  const isOpen = isUnbegun || failures.some(({ isFinal }) => !isFinal)
  const waitMs = Math.max(0, ...failures.map(failure => failure.waitMs ?? 0))
  const again = waitMs >= 1000 ? `again in ${durationText(waitMs)}` : 'again'
  return [
    ...(isOpen && !isRefused ? [`Run the same command ${again} to finish the remaining changes.`] : []),
    ...(isOpen && isRefused
      ? [
          `Run the same command ${again} to finish the other changes; for the refused changes, fix the cause first.`,
        ]
      : []),
    ...(isRefused && !isOpen
      ? ['Fix the cause first: the service would refuse the same command again.']
      : []),
    ...(events.some(({ type }) => type === 'change_pending')
      ? ['The service makes the waiting changes when they are approved; then plan again.']
      : []),
    ...(events.some(({ type }) => type === 'change_stale')
      ? ['Plan again for the changes that were not written.']
      : []),
  ].join(' ')
}

export interface ApplyCounts {
  readonly done: number
  readonly already: number
  readonly failed: number
  readonly pending: number
  readonly stale: number
  readonly skipped: number
}

/** The item for the end of a change; undefined for other events. */
function runEventItem(event: RunEvent, change: Change | undefined): Item | undefined {
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
        became: { text: event.already ? 'already done' : pastTense[event.action] },
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
        became: { text: 'not written' },
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
  const words = `the service did not store ${notKept.join(', ')}; remove it or add it to \`ignore\``
  return [aLine('detail', words, { tone: 'caution' })]
}

function changedBesideLines({ changedBeside = [] }: { readonly changedBeside?: readonly string[] }): Line[] {
  if (changedBeside.length === 0) return []
  const words = `another user changed ${changedBeside.join(', ')} just before the write, and no plan has shown this; plan again`
  return [aLine('detail', words, { tone: 'caution' })]
}

/** The counts in the last line of an apply. */
function applyCounts({ done, already, failed, pending, stale, skipped }: ApplyCounts): Toned[] {
  return [
    { text: `${counted(done, 'change')} applied` },
    ...(already > 0 ? [{ text: `${already} already done` }] : []),
    ...(failed > 0 ? [{ text: `${failed} failed`, tone: 'bad' as const }] : []),
    ...(pending > 0 ? [{ text: `${pending} waiting for approval`, tone: 'caution' as const }] : []),
    ...(stale > 0 ? [{ text: `${stale} not written`, tone: 'caution' as const }] : []),
    ...(skipped > 0 ? [{ text: `${skipped} skipped`, tone: 'caution' as const }] : []),
  ]
}

export function countEvents(events: readonly RunEvent[]): ApplyCounts {
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
