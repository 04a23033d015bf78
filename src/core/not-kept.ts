import { declarableKind } from '../kinds/index.ts'
import { pickMembers } from '../model/json.ts'
import { sentDigests } from './fingerprint.ts'
import type { Receipt } from './receipt.ts'

/**
 * What the service took and did not keep, as receipts tell it: by address, the digest of each such value. A plan of
 * tags without the tagging feature, say, drops them without a word, and sending them again would change nothing.
 */
export type NotKept = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Reads it from receipts; the latest run that sent a field counts. */
export function notKeptIn(receipts: readonly Receipt[]): NotKept {
  const byAddress: Record<string, Record<string, string>> = {}
  const inOrder = [...receipts].sort((left, right) => left.finishedAt - right.finishedAt)
  for (const { change, outcome, notKept = [] } of inOrder.flatMap(({ entries }) => entries)) {
    if (outcome !== 'done' && outcome !== 'already') continue
    const others = Object.entries(byAddress[change.address] ?? {}).filter(([name]) => !(name in change.after))
    const sent = pickMembers(change.after, (_, name) => notKept.includes(name))
    const lost = sentDigests(declarableKind(change.kind), sent)
    byAddress[change.address] = change.action === 'delete' ? {} : { ...Object.fromEntries(others), ...lost }
  }
  return byAddress
}
