import { declarableKind } from '../../../kinds/index.ts'
import { sentDigests } from '../../fingerprint.ts'
import type { RunEntry } from '../run.ts'
import { takeBase, withBelow } from './base-after.ts'
import { takeGrantLists } from './grant-lists-after.ts'
import { takeHeld } from './held-after.ts'
import { inChain } from './in-chain.ts'
import type { LeftByRuns, LeftDraft, RunOnRecord } from './left.ts'
import { takeOutside } from './outside-after.ts'
import { pendingAfter } from './pending-after.ts'
import { endOf, isApply, isKnown } from './run-end.ts'

export const nothingLeft: LeftByRuns = {
  base: {},
  grantLists: {},
  outsideWrites: {},
  heldSince: {},
  notKept: {},
  pending: {},
  lost: {},
  isApplied: false,
  heads: [],
}

/** How runs left things, on top of what is known of runs that all of them knew of: see `inChain`. */
export function leftByRuns(runs: readonly RunOnRecord[], before: LeftByRuns = nothingLeft): LeftByRuns {
  const inOrder = inChain(runs)
  const draft: LeftDraft = {
    base: mapOf(before.base),
    grantLists: mapOf(before.grantLists),
    outsideWrites: mapOf(before.outsideWrites),
    heldSince: mapOf(before.heldSince),
    notKept: mapOf(before.notKept),
    lost: mapOf(before.lost),
  }
  for (const run of inOrder.filter((run, at) => !isRepeated(run, inOrder[at + 1]))) {
    takeBase(draft, run)
    takeGrantLists(draft, run)
    takeOutside(draft, run)
    takeHeld(draft, run)
    for (const entry of run.record.entries) takeNotKept(draft, entry)
  }
  return {
    base: Object.fromEntries(draft.base),
    grantLists: Object.fromEntries(draft.grantLists),
    outsideWrites: Object.fromEntries(draft.outsideWrites),
    heldSince: Object.fromEntries(draft.heldSince),
    notKept: Object.fromEntries(draft.notKept),
    lost: Object.fromEntries(draft.lost),
    pending: inOrder.reduce((pending, { record }) => pendingAfter(pending, record), before.pending),
    isApplied: before.isApplied || inOrder.some(({ record }) => isApply(record)),
    heads: headsOf(runs, before.heads),
    ...latestOf(runs, before.latest),
  }
}

function headsOf(runs: readonly RunOnRecord[], before: readonly string[]): readonly string[] {
  const known = new Set(runs.flatMap(({ record: { after = [] } }) => after))
  return [...before, ...runs.map(({ record: { run } }) => run)].filter(run => !known.has(run)).sort()
}

function latestOf(runs: readonly RunOnRecord[], before: LeftByRuns['latest']): Pick<LeftByRuns, 'latest'> {
  const all = runs.map(({ record }) => ({ run: record.run, at: endOf(record) }))
  const latest = [...(before ? [before] : []), ...all].reduce<LeftByRuns['latest']>(
    (late, one) => (late && late.at >= one.at ? late : one),
    undefined,
  )
  return latest ? { latest } : {}
}

/** Whether a run found everything as declared, as the next one did: then that one says all that there is to say. */
function isRepeated(run: RunOnRecord, next: RunOnRecord | undefined): boolean {
  const { declared } = run.record
  return next !== undefined && isStill(run) && isStill(next) && declared === next.record.declared
}

function isStill({ record, declared }: RunOnRecord): boolean {
  const { entries, blocked, notTargeted, held = [] } = record
  return (
    isApply(record) &&
    declared !== undefined &&
    [entries, blocked, notTargeted, held].every(({ length }) => length === 0)
  )
}

/** What the service took and did not keep: sending it again would change nothing. */
function takeNotKept({ notKept }: LeftDraft, entry: RunEntry): void {
  const { change, notKept: lostNow = [] } = entry
  const { address, action, after, kind } = change
  if (action === 'delete') {
    if (!isKnown(entry) && !entry.maybeWritten) return
    for (const each of withBelow(change, notKept.keys())) notKept.delete(each)
    return
  }
  const before = notKept.get(address)
  if (!isKnown(entry) || (lostNow.length === 0 && before === undefined)) return
  const others = Object.entries(before ?? {}).filter(([name]) => !(name in after))
  const sent = Object.entries({ ...sentDigests(declarableKind(kind), after), ...change.digests })
  const now = [...others, ...sent.filter(([name]) => lostNow.includes(name))]
  if (now.length === 0) notKept.delete(address)
  else notKept.set(address, Object.fromEntries(now))
}

function mapOf<Value>(table: Readonly<Record<string, Value | undefined>>): Map<string, Value> {
  return new Map(
    Object.entries(table).flatMap(([address, value]) =>
      value === undefined ? [] : [[address, value] as const],
    ),
  )
}
