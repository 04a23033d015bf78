import { declarableKind } from '../../kinds/index.ts'
import type { Plan } from '../change.ts'
import type { Declarations } from '../desired.ts'
import { findLive, indexLive } from '../plan/live-index.ts'
import { liveEditPolicyOf, type Policy } from '../policy.ts'
import type { WantedAuthor } from '../read/read-authors.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { type Records, surplusGrants } from './records.ts'

/** The input of a plan, as far as it shows which live object is meant. */
export interface PlannedOn {
  readonly declared: Declarations
  readonly live: Pick<Snapshot, 'live'>
  readonly records?: Pick<Records, 'base'>
}

/**
 * The fields whose authors a plan can show: those of its live edits. Fields are skipped if a record names the
 * author, or if another line of the repository has declared them.
 */
export function wantedAuthors({ liveEdits }: Pick<Plan, 'liveEdits'>, on: PlannedOn): WantedAuthor[] {
  if (liveEdits.length === 0) return []
  const askFor = askingFor(on, liveEdits)
  return liveEdits.flatMap(({ address, kind, fields }) =>
    fields.flatMap(({ field, author, treatment }) => {
      const asked = author || treatment === 'behind' ? undefined : askFor(address, field)
      return asked ? [{ kind, field, ...asked }] : []
    }),
  )
}

/**
 * The fields without a base that a plan is going to change, if the trail may prove that a person set their
 * live values. They need settings that name the automation users.
 */
export function unprovenFields({ changes }: Pick<Plan, 'changes'>, on: UnprovenOn): WantedAuthor[] {
  if (changes.length === 0) return []
  const declared = new Map(on.declared.desired.map(desired => [desired.address, desired]))
  return changes.flatMap(({ address, kind, action, id, after }) => {
    const desired = declared.get(address)
    if (action !== 'update' || id === undefined || !desired) return []
    if (liveEditPolicyOf(on.policy, desired).automation.length === 0) return []
    const base = on.records?.base
    const object = base && Object.hasOwn(base, address) ? base[address] : undefined
    const since = object?.origin.at
    return Object.keys(after)
      .filter(field => field in desired.fields && object?.fields[field] === undefined)
      .map(field => ({ kind, id, field, ...(since === undefined ? {} : { since }) }))
  })
}

interface UnprovenOn extends PlannedOn {
  readonly policy: Policy
}

/** The live object, or the one on record, of an address, and since when a field of it was as declared. */
function askingFor(
  { declared: declarations, live: snapshot, records: { base = {} } = {} }: PlannedOn,
  liveEdits: Plan['liveEdits'],
): (address: string, field: string) => Pick<WantedAuthor, 'id' | 'since'> | undefined {
  const addresses = new Set(liveEdits.map(({ address }) => address))
  const all = [...declarations.desired, ...surplusGrants(declarations, snapshot.live)]
  const declared = new Map(
    all.flatMap(desired => (addresses.has(desired.address) ? [[desired.address, desired] as const] : [])),
  )
  const index = indexLive(snapshot.live)
  return (address, field) => {
    const desired = declared.get(address)
    const [live] = desired ? findLive(index, declarableKind(desired.kind), desired) : []
    const object = Object.hasOwn(base, address) ? base[address] : undefined
    const since = object && (object.fields[field]?.origin ?? object.origin).at
    const id = live?.id ?? object?.id
    return desired && id !== undefined ? { id, ...(since === undefined ? {} : { since }) } : undefined
  }
}
