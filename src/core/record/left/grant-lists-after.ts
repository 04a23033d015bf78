import { parentAddress } from '../../../kinds/index.ts'
import { surplusBase } from '../../live-edits/surplus-base.ts'
import type { DeclaredDigests } from '../declared.ts'
import type { RunRecord } from '../run.ts'
import type { LeftDraft, RunOnRecord } from './left.ts'
import { endOf, isApply, isKnown } from './run-end.ts'

/**
 * Takes the lists of grants that a run had whole, and what the grants are measured from that are not in them.
 *
 * | in the run, such a grant                       | is measured from                                     |
 * |------------------------------------------------|------------------------------------------------------|
 * | was not there, or was taken                    | the list: that it was not there                      |
 * | was held, or was to be taken and perhaps stays | what it was measured from before; otherwise nothing  |
 * | was blocked                                    | its own base, if any; otherwise nothing              |
 *
 * A flag whose list is no longer declared whole has none. A grant that is declared is measured like any other object.
 */
export function takeGrantLists({ base, grantLists }: LeftDraft, { record, declared }: RunOnRecord): void {
  if (!isApply(record) || !declared) return
  const stay = surplusIn(record, declared)
  const unknown = new Map<string, string[]>()
  for (const { address, flag, role, isBlocked } of stay.values()) {
    const own = base.get(address)
    const before = isBlocked ? own : surplusBase(grantLists.get(flag), own, { address, identity: role })
    if (before) base.set(address, before)
    else unknown.set(flag, [...(unknown.get(flag) ?? []), address])
  }
  for (const [address, { ensure }] of base) {
    if (address in declared || stay.has(address)) continue
    const flag = parentAddress(address)
    if (flag === undefined || !(flag in declared)) continue
    if (rolesIn(declared, flag) || ensure === 'absent') base.delete(address)
  }
  const revision = record.revision === undefined ? {} : { revision: record.revision }
  const origin = { run: record.run, at: endOf(record), ...revision }
  for (const flag of Object.keys(declared)) {
    const roles = rolesIn(declared, flag)
    const open = unknown.get(flag)
    if (roles) grantLists.set(flag, { roles, origin, ...(open ? { unknown: open } : {}) })
    else grantLists.delete(flag)
  }
}

/** Whether a grant is declared nowhere, and the list of its flag was had whole: then the run says what became of it. */
export function isOfList(declared: DeclaredDigests, address: string): boolean {
  const flag = parentAddress(address)
  return flag !== undefined && !(address in declared) && rolesIn(declared, flag) !== undefined
}

function rolesIn(declared: DeclaredDigests, flag: string): readonly string[] | undefined {
  const object = Object.hasOwn(declared, flag) ? declared[flag] : undefined
  return object && 'fields' in object ? object.grants : undefined
}

interface Surplus {
  readonly address: string
  readonly flag: string
  /** The id of its role, where the run says it. */
  readonly role: string
  readonly isBlocked: boolean
}

/** By address, the grants beside a list that stay after a run, or may. */
function surplusIn(
  { entries, held = [], blocked }: RunRecord,
  declared: DeclaredDigests,
): ReadonlyMap<string, Surplus> {
  const told = [
    ...held.map(({ address }) => ({ address, role: '', isBlocked: false })),
    ...blocked.map(({ address }) => ({ address, role: '', isBlocked: true })),
    ...entries
      .filter(entry => !isKnown(entry))
      .map(({ change: { address, identity } }) => ({ address, role: identity, isBlocked: false })),
  ]
  return new Map(
    told.flatMap(one => {
      const flag = isOfList(declared, one.address) ? parentAddress(one.address) : undefined
      return flag === undefined ? [] : [[one.address, { ...one, flag }] as const]
    }),
  )
}
