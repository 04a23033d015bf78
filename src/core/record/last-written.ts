import { declarableKind, declarableKinds } from '../../kinds/index.ts'
import { objectAddress } from '../../model/address.ts'
import type { Change } from '../change.ts'
import { askedDigest, sentDigests } from '../fingerprint.ts'
import type { Base, NotKept, Pending } from '../plan/base.ts'
import type { RunEntry, RunRecord } from './run.ts'

/** How the runs on record left the objects that they wrote. */
export interface LastWritten {
  readonly base: Base
  readonly notKept: NotKept
  readonly pending: Pending
}

const nothingWritten: LastWritten = { base: {}, notKept: {}, pending: {} }

/**
 * How runs left things, on top of what is known of the runs before them. They are taken in the order in which they ended.
 *
 * | an entry                | the fields that it sent                                                        |
 * |-------------------------|--------------------------------------------------------------------------------|
 * | done, already           | known, but for those that were not kept                                        |
 * | maybe written           | no longer known                                                                |
 * | pending                 | as before                                                                      |
 * | otherwise               | as before                                                                      |
 *
 * Of what a run deleted, or may have, nothing is known any longer, nor of what hung from it: a flag takes its grants
 * along, and that they are gone is nobody else's doing.
 */
export function lastWrittenBy(
  records: readonly RunRecord[],
  before: LastWritten = nothingWritten,
): LastWritten {
  const base: Record<string, Readonly<Record<string, string>>> = { ...before.base }
  const notKept: Record<string, Readonly<Record<string, string>>> = { ...before.notKept }
  const inOrder = [...records].sort((left, right) => endOf(left) - endOf(right))
  for (const entry of inOrder.flatMap(({ entries }) => entries)) {
    const { address, action, after } = entry.change
    if (action === 'delete' && (isKnown(entry) || entry.maybeWritten)) {
      for (const each of withBelow(entry.change, base)) delete base[each]
      for (const each of withBelow(entry.change, notKept)) delete notKept[each]
      continue
    }
    const others = (known: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(Object.entries(known).filter(([name]) => !(name in after)))
    if (isKnown(entry)) {
      const { kept, lost } = sentBy(entry)
      base[address] = { ...base[address], ...kept }
      notKept[address] = { ...others(notKept[address]), ...lost }
    } else if (entry.maybeWritten && base[address]) base[address] = others(base[address])
  }
  return { base, notKept: withoutEmpty(notKept), pending: inOrder.reduce(pendingAfter, before.pending) }
}

/**
 * What waits for approval after a run, of what waited before it.
 *
 * | its object, in the run                                    | waits                                     |
 * |-----------------------------------------------------------|-------------------------------------------|
 * | is pending                                                | yes, by the request of that run           |
 * | is done, or already                                       | no                                        |
 * | has no part in an apply that went through to its end      | no: it was as declared, so it is approved |
 * | otherwise: it was blocked, left out, failed               | as before                                 |
 */
function pendingAfter(before: Pending, { entries, command, isComplete, ...left }: RunRecord): Pending {
  const ended = entries.filter(isKnown).map(({ change }) => change.address)
  const open = new Set([
    ...entries.map(({ change }) => change.address),
    ...left.blocked.map(({ address }) => address),
    ...left.notTargeted,
  ])
  const isOver = (address: string) =>
    ended.includes(address) || (command === 'apply' && isComplete && !open.has(address))
  const asked = entries.flatMap(({ change, changeRequest }) =>
    changeRequest === undefined ? [] : [[change.address, waitingFor(change, changeRequest)] as const],
  )
  const waiting = Object.entries(before).filter(([address]) => !isOver(address))
  return Object.fromEntries([...waiting, ...asked])
}

function waitingFor(change: Change, changeRequest: string): NonNullable<Pending[string]> {
  return { changeRequest, askedFor: askedDigest(declarableKind(change.kind), change) }
}

/** An object and what hangs from it, of those in a table: `feature_flag.a`, `feature_flag_role_access.a:support`. */
function withBelow({ address, kind }: Change, table: Readonly<Record<string, unknown>>): string[] {
  const name = address.slice(kind.length + 1)
  const children = declarableKinds.filter(({ lifecycle }) => lifecycle.parent?.kind === kind)
  const isBelow = (other: string) =>
    children.some(child => other.startsWith(objectAddress(child.name, '', name)))
  return Object.keys(table).filter(other => other === address || isBelow(other))
}

/** When a run ended; of one that was cut off, when it began. */
export function endOf({ finishedAt, startedAt }: Pick<RunRecord, 'finishedAt' | 'startedAt'>): number {
  return finishedAt ?? startedAt
}

function isKnown({ outcome }: RunEntry): boolean {
  return outcome === 'done' || outcome === 'already'
}

/** What was not kept was left as it was: it has not drifted when it is not as it was sent. */
function sentBy({ change: { kind, after }, notKept = [] }: RunEntry) {
  const digests = Object.entries(sentDigests(declarableKind(kind), after))
  const isLost = ([name]: readonly [string, string]) => notKept.includes(name)
  return {
    kept: Object.fromEntries(digests.filter(digest => !isLost(digest))),
    lost: Object.fromEntries(digests.filter(isLost)),
  }
}

function withoutEmpty(notKept: NotKept): NotKept {
  return Object.fromEntries(Object.entries(notKept).filter(([, fields]) => Object.keys(fields).length > 0))
}
