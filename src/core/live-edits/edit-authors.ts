import { declarableKind } from '../../kinds/index.ts'
import { fileOfField } from '../../model/field.ts'
import type { Json } from '../../model/json/json.ts'
import type { Plan } from '../change.ts'
import type { Declarations } from '../desired.ts'
import type { Live } from '../live.ts'
import { findLive, indexLive } from '../plan/live-index.ts'
import { liveEditPolicyOf, type Policy } from '../policy.ts'
import type { WantedAuthor } from '../read/read-authors.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { type AskedField, type Authors, authorOf } from './authors.ts'
import { existsField, type LiveEditField } from './live-edit.ts'
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
    fields.filter(isWanted).flatMap(({ field }) => {
      const { id, since } = askFor(address, field) ?? {}
      return id === undefined ? [] : [{ kind, id, field, ...(since === undefined ? {} : { since }) }]
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

/** The same plan with the authors of its live edits, as far as they are known. */
export function withAuthors(made: Plan, on: PlannedOn, authors: Authors): Plan {
  if (authors.objects.size === 0) return made
  const askFor = askingFor(on, made.liveEdits)
  const tell = (address: string, field: LiveEditField): LiveEditField => {
    const asked = isWanted(field) ? askFor(address, field.field) : undefined
    const author = asked && authorOf(authors, asked)
    return author ? { ...field, author } : field
  }
  const liveEdits = made.liveEdits.map(edit => ({
    ...edit,
    fields: edit.fields.map(field => tell(edit.address, field)),
  }))
  return { ...made, liveEdits }
}

function isWanted({ author, treatment }: LiveEditField): boolean {
  return author === undefined && treatment !== 'behind'
}

/** Which field of which live object a field of a declaration means. */
function askingFor(
  { declared: declarations, live: snapshot, records: { base = {} } = {} }: PlannedOn,
  liveEdits: Plan['liveEdits'],
): (address: string, field: string) => AskedField | undefined {
  const addresses = new Set(liveEdits.map(({ address }) => address))
  const all = [...declarations.desired, ...surplusGrants(declarations, snapshot.live)]
  const declared = new Map(
    all.flatMap(desired => (addresses.has(desired.address) ? [[desired.address, desired] as const] : [])),
  )
  const index = indexLive(snapshot.live)
  return (address, field) => {
    const desired = declared.get(address)
    if (!desired) return undefined
    const kind = declarableKind(desired.kind)
    const [live] = findLive(index, kind, desired)
    const object = Object.hasOwn(base, address) ? base[address] : undefined
    const since = object && (object.fields[field]?.origin ?? object.origin).at
    const isThere = live !== undefined && !live.isSoftDeleted
    return {
      kind,
      id: live?.id ?? object?.id,
      field,
      live: field === existsField ? isThere : liveValue(live, field),
      ...(since === undefined ? {} : { since }),
    }
  }
}

function liveValue(live: Live | undefined, field: string): Json {
  const file = fileOfField(field)
  return (file === undefined ? live?.record[field] : live?.files?.[file]) ?? null
}
