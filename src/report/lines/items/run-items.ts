import type { Change } from '../../../core/change.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import type { RunDocument, RunEvent, RunHead } from '../../document.ts'
import { counted, countedByKind, listed, nameOf, signs } from '../../object-names.ts'
import { aLine, type Item, type Manner } from '../report.ts'
import { runEventItem } from './run-event-item.ts'
import { fewest, howToList, together } from './together.ts'

/** Tells of the changes of a run as they end. */
export interface RunItems {
  /** What is said at once; nothing of what nobody waits for. */
  event(event: RunEvent): readonly Item[]
  /** What was kept for the end. */
  end(): readonly Item[]
}

/**
 * The changes of a run for people. What is the same for many is told once, with their number and their names: a key that
 * may not write fails each of them alike.
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
export function followItems({ changes }: RunHead, { isVerbose }: Manner): RunItems {
  const byAddress = new Map(changes.map(change => [change.address, change]))
  const hasManyClaims = changes.filter(({ action }) => action === 'claim').length >= fewest
  const claims: RunEvent[] = []
  const groups = new Map<string, Told[]>()
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
      const rest = [...groups.values()].flatMap(told =>
        told.length < fewest ? told.flatMap(({ event }) => itemsOf(event)) : groupItem(told),
      )
      const claimed = together(claims, { keyOf: () => 'claimed' })
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

/** All items of a run that has ended. */
export function itemsOfRun(run: RunDocument, manner: Manner): readonly Item[] {
  const following = followItems(run, manner)
  return [...run.events.flatMap(event => following.event(event)), ...following.end()]
}

/** A claim that left nothing to be told of its object. */
function isMereClaim(event: RunEvent): boolean {
  if (event.type !== 'change_done' || event.action !== 'claim') return false
  const { already, notKept, changedBeside, tookBack } = event
  return !already && notKept.length === 0 && changedBeside === undefined && tookBack === undefined
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

interface Told {
  readonly event: RunEvent
  readonly shared: Shared
  readonly name: string
}

/** What many changes came to for one reason. */
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
  const because = event.cause === 'dependency' ? 'what they depend on was not done' : event.reason
  return { became: 'skipped', because }
}

function named({ address }: RunEvent, changes: ReadonlyMap<string, Change>): string {
  const change = changes.get(address)
  return change ? nameOf(change) : escapeText(address)
}

function groupItem(told: readonly Told[]): Item[] {
  const names = aLine('names', listed(told.map(({ name }) => name)))
  return told.slice(0, 1).map(({ shared: { became, because } }) => ({
    sign: became === 'failed' ? { text: 'x', tone: 'bad' } : { text: '.', tone: 'caution' },
    name: counted(told.length, 'change'),
    became: { text: became },
    because: escapeText(because),
    lines: [names],
  }))
}
