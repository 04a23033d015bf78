import { declarableKind } from '../../../kinds/index.ts'
import type { Change } from '../../change.ts'
import { askedDigest } from '../../fingerprint.ts'
import type { Pending } from '../../plan/base.ts'
import type { RunRecord } from '../run.ts'
import { isKnown } from './run-end.ts'

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
export function pendingAfter(before: Pending, { entries, command, isComplete, ...left }: RunRecord): Pending {
  const asked = entries.flatMap(({ change, changeRequest }) =>
    changeRequest === undefined ? [] : [[change.address, waitingFor(change, changeRequest)] as const],
  )
  const waiting = Object.entries(before)
  // Nearly always there is none.
  if (waiting.length === 0) return asked.length === 0 ? before : Object.fromEntries(asked)
  const ended = entries.filter(isKnown).map(({ change }) => change.address)
  const open = new Set([
    ...entries.map(({ change }) => change.address),
    ...left.blocked.map(({ address }) => address),
    ...left.notTargeted,
    ...(left.held ?? []).map(({ address }) => address),
  ])
  const isOver = (address: string) =>
    ended.includes(address) || (command === 'apply' && isComplete && !open.has(address))
  return Object.fromEntries([...waiting.filter(([address]) => !isOver(address)), ...asked])
}

function waitingFor(change: Change, changeRequest: string): NonNullable<Pending[string]> {
  return { changeRequest, askedFor: askedDigest(declarableKind(change.kind), change) }
}
