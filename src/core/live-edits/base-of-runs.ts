import { declarableKind, declarableKinds, parentAddress } from '../../kinds/index.ts'
import { objectAddress } from '../../model/kind.ts'
import { type Change, writtenFields } from '../change.ts'
import { shortDigest, writtenDigests } from '../diff.ts'
import type { NotKept, Pending } from '../live.ts'
import type { RunEntry, RunRecord } from '../record/run.ts'
import { type DeclaredDigests, type DeclaredObject, digestsByField } from '../record/run-folder.ts'
import { existsField } from './live-edit.ts'
import {
  type Base,
  type BaseField,
  type BaseObject,
  type BaseOrigin,
  type GrantList,
  type GrantLists,
  type HeldSince,
  type OutsideWrite,
  type OutsideWrites,
  surplusBase,
} from './verdict.ts'

/** One declared object in a run: its entry, if a change was planned, and its held fields. */
interface InRun {
  readonly address: string
  readonly declared: DeclaredObject
  readonly entry: RunEntry | undefined
  readonly held: readonly string[]
  readonly origin: BaseOrigin
}

/**
 * Makes the declarations of a run the base of objects that are as declared after it:
 *
 * | in the run, the object                        | a field                        | has as its base                 |
 * |-----------------------------------------------|--------------------------------|---------------------------------|
 * | done, already done, or as declared            | that is declared               | the declared value              |
 * |                                               | that was held                  | the earlier one                 |
 * |                                               | that the service did not keep  | none                            |
 * |                                               | that is not declared           | none                            |
 * | and its `exists` was held                     | any                            | the earlier one                 |
 * | blocked, not targeted, skipped, stale, failed | any                            | the earlier one                 |
 * | failed, maybe written; or pending             | that was to be written         | the earlier one, or maybe this  |
 * | deleted, or maybe deleted                     | any, also of dependent objects | none                            |
 * | declared absent, and absent                   |                                | that it is absent               |
 * | undone, or maybe undone                       | that the undo restores         | its declared value at that time |
 *
 * So git can change restored values again once the files change. Other commands declare nothing. For an apply
 * without its table, only the written values are known.
 */
export function takeBase(draft: LeftDraft, { record, declared }: RunOnRecord): void {
  const { run, revision, entries } = record
  const origin: BaseOrigin = { run, at: endOf(record), ...(revision === undefined ? {} : { revision }) }
  if (record.command === 'undo') {
    for (const entry of entries) {
      const object = declared?.[entry.change.address]
      if (object && (isKnown(entry) || entry.maybeWritten)) takeUndone(draft, entry, object, origin)
    }
  }
  if (!isApply(record)) return
  for (const entry of entries) if (isGone(entry)) forget(draft, entry.change)
  if (!declared) {
    for (const entry of entries) if (isKnown(entry)) takeSent(draft, entry, origin)
    return
  }
  const out = new Set([...record.blocked.map(({ address }) => address), ...record.notTargeted])
  const byAddress = new Map(entries.map(entry => [entry.change.address, entry]))
  const heldIn = new Map((record.held ?? []).map(({ address, fields }) => [address, fields]))
  for (const [address, object] of Object.entries(declared)) {
    const entry = byAddress.get(address)
    const inRun: InRun = { address, declared: object, entry, held: heldIn.get(address) ?? [], origin }
    if (entry && !isKnown(entry)) takeMaybe(draft, inRun)
    else if (entry || !out.has(address)) takeDeclared(draft, inRun)
  }
}

/** Whether a run deleted, or may have deleted, an object. */
function isGone(entry: RunEntry): boolean {
  return entry.change.action === 'delete' && (isKnown(entry) || entry.maybeWritten === true)
}

/** Forgets an object and its dependents: deleting a flag deletes its grants, which is not a live edit. */
function forget(draft: LeftDraft, change: Change): void {
  draft.grantLists.delete(change.address)
  for (const each of withBelow(change, draft.base.keys())) draft.base.delete(each)
  for (const each of withBelow(change, draft.lost.keys())) draft.lost.delete(each)
}

function takeDeclared({ base, lost }: LeftDraft, { address, declared, entry, held, origin }: InRun): void {
  const before = base.get(address)
  if (held.includes(existsField)) return
  if ('ensure' in declared) {
    base.set(address, { ensure: 'absent', fields: {}, origin })
    lost.delete(address)
    return
  }
  const fields: Record<string, BaseField> = {}
  const stillLost: Record<string, string> = {}
  const lostBefore = lost.get(address)
  for (const [name, digest] of Object.entries(digestsByField(declared))) {
    if (held.includes(name)) {
      const earlier = before?.fields[name]
      if (before && earlier) fields[name] = { ...earlier, origin: earlier.origin ?? before.origin }
    } else if (isLost(name, digest, entry, lostBefore)) stillLost[name] = digest
    else fields[name] = { digest, ...ignoredOf(declared, name) }
  }
  if (Object.keys(stillLost).length > 0) lost.set(address, stillLost)
  else if (lostBefore) lost.delete(address)
  const id = entry?.id ?? declared.id ?? before?.id
  base.set(address, { ensure: 'present', ...(id === undefined ? {} : { id }), fields, origin })
}

function takeUndone(
  { base }: LeftDraft,
  entry: RunEntry,
  declared: DeclaredObject,
  origin: BaseOrigin,
): void {
  const { change, id = change.id } = entry
  if ('ensure' in declared) {
    base.set(change.address, { ensure: 'absent', fields: {}, origin })
    return
  }
  const known = base.get(change.address)
  const before = known?.ensure === 'present' ? known : undefined
  const asked = digestsByField(declared)
  const fields = writtenFields(change).flatMap(name => {
    const digest = asked[name]
    if (digest === undefined) return []
    const was = before?.fields[name]
    // If the result of the write is unknown, the earlier value may still be live.
    const maybe = isKnown(entry) || !was ? {} : { maybe: [was.digest, ...(was.maybe ?? [])] }
    return [[name, { digest, ...ignoredOf(declared, name), ...maybe, origin }] as const]
  })
  base.set(change.address, {
    ensure: 'present',
    ...(id === undefined ? {} : { id }),
    fields: { ...before?.fields, ...Object.fromEntries(fields) },
    origin: before?.origin ?? origin,
  })
}

/** Whether the service did not store a declared value, in this run or an earlier one. */
function isLost(
  name: string,
  digest: string,
  entry: RunEntry | undefined,
  before: Readonly<Record<string, string>> | undefined,
): boolean {
  if (entry?.notKept?.includes(name)) return true
  return before?.[name] === digest && !(entry && name in entry.change.after)
}

function ignoredOf({ ignore }: Extract<DeclaredObject, { fields: unknown }>, name: string) {
  const within = ignore?.filter(pointer => pointer.split('/')[1] === name) ?? []
  return within.length === 0 ? {} : { ignore: within }
}

/** Notes that the live value may be the new one, if the result of a write is unknown. */
function takeMaybe({ base }: LeftDraft, { address, declared, entry }: InRun): void {
  const before = base.get(address)
  if (!before || !entry || 'ensure' in declared) return
  if (!entry.maybeWritten && entry.outcome !== 'pending') return
  const asked = digestsByField(declared)
  const fields = writtenFields(entry.change).flatMap(name => {
    const field = before.fields[name]
    const digest = asked[name]
    if (!field || digest === undefined || digest === field.digest) return []
    return [[name, { ...field, maybe: [...new Set([...(field.maybe ?? []), digest])] }] as const]
  })
  if (fields.length > 0)
    base.set(address, { ...before, fields: { ...before.fields, ...Object.fromEntries(fields) } })
}

/** For an apply without its table. Sent tags may include the ownership tag, which no base contains. */
function takeSent({ base }: LeftDraft, entry: RunEntry, origin: BaseOrigin): void {
  const { address, kind: name, action } = entry.change
  if (action === 'delete') return
  const kind = declarableKind(name)
  const { [kind.lifecycle.ownedBy ?? '']: _, ...sent } = writtenDigests(kind, entry.change)
  const fields = Object.entries(sent).filter(([field]) => !entry.notKept?.includes(field))
  const before: BaseObject = base.get(address) ?? { ensure: 'present', fields: {}, origin }
  const id = entry.id ?? before.id
  base.set(address, {
    ensure: 'present',
    ...(id === undefined ? {} : { id }),
    fields: {
      ...before.fields,
      ...Object.fromEntries(fields.map(([field, digest]) => [field, { digest, origin }])),
    },
    origin: before.origin,
  })
}

/** An object and its dependents: `feature_flag.a`, `feature_flag_role_access.a:support`. */
export function withBelow({ address, kind }: Change, addresses: Iterable<string>): string[] {
  const name = address.slice(kind.length + 1)
  const children = declarableKinds.filter(({ lifecycle }) => lifecycle.parent?.kind === kind)
  const isBelow = (other: string) =>
    children.some(child => other.startsWith(objectAddress(child.name, '', name)))
  return [...addresses].filter(other => other === address || isBelow(other))
}

/**
 * Notes the lists of grants that a run read completely, and the bases of undeclared grants.
 *
 * | an undeclared grant in the run | has as its base          |
 * |--------------------------------|--------------------------|
 * | did not exist, or was removed  | that it did not exist    |
 * | was held, or maybe not removed | the earlier base, if any |
 * | was blocked                    | its own base, if any     |
 *
 * A flag without a complete declared list has no list here. Declared grants are ordinary objects.
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

/** Whether a grant is undeclared and the list of its flag was read completely. */
function isOfList(declared: DeclaredDigests, address: string): boolean {
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
  /** The id of its role, if the run has it. */
  readonly role: string
  readonly isBlocked: boolean
}

/** By address, undeclared grants that exist, or may exist, after a run. */
function surplusIn(
  { entries, held = [], blocked }: RunRecord,
  declared: DeclaredDigests,
): ReadonlyMap<string, Surplus> {
  const notes = [
    ...held.map(({ address }) => ({ address, role: '', isBlocked: false })),
    ...blocked.map(({ address }) => ({ address, role: '', isBlocked: true })),
    ...entries
      .filter(entry => !isKnown(entry))
      .map(({ change: { address, identity } }) => ({ address, role: identity, isBlocked: false })),
  ]
  return new Map(
    notes.flatMap(one => {
      const flag = isOfList(declared, one.address) ? parentAddress(one.address) : undefined
      return flag === undefined ? [] : [[one.address, { ...one, flag }] as const]
    }),
  )
}

/** Since when fields are held: until an apply includes the object but does not hold the field. */
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

/**
 * Records what runs wrote without a declaration.
 *
 * | the run             | its object                  | an earlier undeclared write                   |
 * |---------------------|-----------------------------|-----------------------------------------------|
 * | an undo, a disable  | written, or maybe written   | its fields now belong to this run             |
 * | an apply, an enable | written                     | its fields no longer count                    |
 * | an apply            | written with a merged value | is included in the written value              |
 * | an apply            | as declared                 | no longer counts, except for held fields      |
 * | a claim, an unclaim | any                         | as before: only the ownership tag has changed |
 */
export function takeOutside(draft: LeftDraft, run: RunOnRecord): void {
  const { record } = run
  const by = outsideCommand(record)
  for (const entry of record.entries) {
    const { address, action } = entry.change
    if (by === undefined) {
      if (isKnown(entry) && !isOwnership(record)) {
        const merged = mergedFields(entry, run)
        const fields = writtenFields(entry.change).filter(name => !(name in merged))
        remove(draft, address, [...fields, ...existence(action)])
        goOn(draft, address, merged)
      }
    } else if (isKnown(entry) || entry.maybeWritten) add(draft, record, entry, by)
  }
  if (draft.outsideWrites.size > 0 && isApply(record)) settle(draft, run)
}

/** Fields that an apply sent with merged values. */
function mergedFields({ change }: RunEntry, { record, declared }: RunOnRecord): Record<string, string> {
  const object = isApply(record) ? declared?.[change.address] : undefined
  const asked = object && 'fields' in object ? digestsByField(object) : {}
  const sent = Object.entries(writtenDigests(declarableKind(change.kind), change))
  return Object.fromEntries(sent.filter(([name, digest]) => name in asked && asked[name] !== digest))
}

function goOn({ outsideWrites }: LeftDraft, address: string, merged: Readonly<Record<string, string>>): void {
  const writes = outsideWrites.get(address)?.map(write => {
    const fields = Object.entries(write.fields).map(([name, was]) => [name, merged[name] ?? was] as const)
    return { ...write, fields: Object.fromEntries(fields) }
  })
  if (writes) outsideWrites.set(address, writes)
}

/** Removes undeclared writes whose values an apply found as declared: the repository wants them now. */
function settle(draft: LeftDraft, run: RunOnRecord): void {
  const { record, declared = {} } = run
  const open = new Set([
    ...record.entries.filter(entry => !isKnown(entry)).map(({ change }) => change.address),
    ...record.blocked.map(({ address }) => address),
    ...record.notTargeted,
  ])
  for (const address of [...draft.outsideWrites.keys()]) {
    const object = Object.hasOwn(declared, address) ? declared[address] : undefined
    if ((!object && !isOfList(declared, address)) || open.has(address)) continue
    const entry = record.entries.find(({ change }) => change.address === address)
    const merged = entry ? Object.keys(mergedFields(entry, run)) : []
    const held = [...(record.held?.find(each => each.address === address)?.fields ?? []), ...merged]
    const fields = object && 'fields' in object ? Object.keys(digestsByField(object)) : []
    remove(
      draft,
      address,
      [...fields, existsField].filter(name => !held.includes(name)),
    )
  }
}

function add(draft: LeftDraft, record: RunRecord, { change }: RunEntry, by: OutsideWrite['by']): void {
  const { address, kind, action } = change
  const isDeleted = action === 'delete'
  const fields = {
    ...(isDeleted ? {} : writtenDigests(declarableKind(kind), change)),
    ...Object.fromEntries(existence(action).map(name => [name, shortDigest(!isDeleted)])),
  }
  remove(draft, address, Object.keys(fields))
  const { run, who, reason } = record
  const write: OutsideWrite = {
    by,
    run,
    at: endOf(record),
    ...(who === undefined ? {} : { who: who.name }),
    ...(reason === undefined ? {} : { reason }),
    fields,
  }
  draft.outsideWrites.set(address, [write, ...(draft.outsideWrites.get(address) ?? [])])
}

function remove({ outsideWrites }: LeftDraft, address: string, fields: readonly string[]): void {
  const before = outsideWrites.get(address)
  if (!before) return
  const left = before.flatMap(write => {
    const others = Object.entries(write.fields).filter(([name]) => !fields.includes(name))
    return others.length === 0 ? [] : [{ ...write, fields: Object.fromEntries(others) }]
  })
  if (left.length === 0) outsideWrites.delete(address)
  else outsideWrites.set(address, left)
}

function existence(action: string): readonly string[] {
  return ['create', 'restore', 'delete'].includes(action) ? [existsField] : []
}

export function outsideCommand({ command, undoes }: RunRecord): OutsideWrite['by'] | undefined {
  if (command === 'undo' || command === 'disable') return command
  return command === undefined && undoes !== undefined ? 'undo' : undefined
}

function isOwnership({ command }: RunRecord): boolean {
  return command === 'claim' || command === 'unclaim'
}

/** A run on record, with its table of declared fields if that is available. */
export interface RunOnRecord {
  readonly record: RunRecord
  readonly declared?: DeclaredDigests
}

export interface LeftByRuns {
  readonly base: Base
  readonly grantLists: GrantLists
  readonly outsideWrites: OutsideWrites
  readonly heldSince: HeldSince
  readonly notKept: NotKept
  readonly pending: Pending
  /** By address, digests of declared values that the service did not keep: such a field has no base. */
  readonly lost: NotKept
  readonly isApplied: boolean
  /** The newest runs: no other run knew them. */
  readonly heads: readonly string[]
  /** The run with the latest time by its clock. */
  readonly latest?: { readonly run: string; readonly at: number }
}

/** `LeftByRuns` while it is computed. */
export interface LeftDraft {
  readonly base: Map<string, BaseObject>
  readonly grantLists: Map<string, GrantList>
  readonly outsideWrites: Map<string, readonly OutsideWrite[]>
  readonly heldSince: Map<string, Readonly<Record<string, number>>>
  readonly notKept: Map<string, Readonly<Record<string, string>>>
  readonly lost: Map<string, Readonly<Record<string, string>>>
}

export function isApply({ command }: Pick<RunRecord, 'command'>): boolean {
  return command === 'apply'
}

/** When a run ended, in milliseconds since 1970; for a cut-off run, when it began. */
export function endOf({ finishedAt, startedAt }: Pick<RunRecord, 'finishedAt' | 'startedAt'>): number {
  return finishedAt ?? startedAt
}

/** Whether the result of a change is certain. */
export function isKnown({ outcome }: Pick<RunEntry, 'outcome'>): boolean {
  return outcome === 'done' || outcome === 'already'
}
