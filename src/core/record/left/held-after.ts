import { isOfList } from './grant-lists-after.ts'
import type { LeftDraft, RunOnRecord } from './left.ts'
import { endOf, isApply } from './run-end.ts'

/**
 * Notes since when fields are held. A field that a later apply holds again was held all the time between; once an apply
 * has the object and does not hold the field, it is over.
 */
export function takeHeld({ heldSince }: LeftDraft, { record, declared = {} }: RunOnRecord): void {
  if (!isApply(record)) return
  const { held = [], entries, blocked, notTargeted } = record
  const names = new Map(held.map(({ address, fields }) => [address, fields]))
  const open = new Set([
    ...entries
      .filter(({ outcome }) => outcome !== 'done' && outcome !== 'already')
      .map(({ change }) => change.address),
    ...blocked.map(({ address }) => address),
    ...notTargeted,
  ])
  for (const address of [...heldSince.keys()]) {
    const isAsked = address in declared || isOfList(declared, address)
    if (!names.has(address) && isAsked && !open.has(address)) heldSince.delete(address)
  }
  for (const [address, fields] of names) {
    const before = heldSince.get(address)
    heldSince.set(address, Object.fromEntries(fields.map(name => [name, before?.[name] ?? endOf(record)])))
  }
}
