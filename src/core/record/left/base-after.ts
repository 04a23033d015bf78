import { declarableKind, declarableKinds } from '../../../kinds/index.ts'
import { objectAddress } from '../../../model/address.ts'
import { type Change, writtenFields } from '../../change.ts'
import { writtenDigests } from '../../fingerprint.ts'
import type { BaseField, BaseObject, BaseOrigin } from '../../live-edits/base.ts'
import { existsField } from '../../live-edits/live-edit.ts'
import { type DeclaredObject, digestsByField } from '../declared.ts'
import type { RunEntry } from '../run.ts'
import type { LeftDraft, RunOnRecord } from './left.ts'
import { endOf, isApply, isKnown } from './run-end.ts'

/** What a run says of one declared object: its entry, where it was changed or was to be, and the fields that were held. */
interface InRun {
  readonly address: string
  readonly declared: DeclaredObject
  readonly entry: RunEntry | undefined
  readonly held: readonly string[]
  readonly origin: BaseOrigin
}

/**
 * Takes what a run declared as the base of what it left as declared. The base of an object and that of its fields:
 *
 * | in the run, the object                       | a field                               | has as its base                |
 * |----------------------------------------------|---------------------------------------|--------------------------------|
 * | done, already done, or as declared           | that is declared                      | what is declared               |
 * |                                              | that was held                         | the earlier one                |
 * |                                              | that the service did not keep         | none                           |
 * |                                              | that is not declared                  | none                           |
 * | and `exists` of it was held                  | any                                   | the earlier one                |
 * | blocked, left out, skipped, stale, failed    | any                                   | the earlier one                |
 * | failed, maybe written; or pending            | that was to be written                | the earlier one, or maybe this |
 * | deleted, or maybe so                         | any, and those of what hung from it   | none                           |
 * | as declared absent                           |                                       | that it is absent              |
 * | undone, or maybe so                          | that was put back, or was to be       | what was declared beside it    |
 *
 * So what an undo has set is measured from the files that it found, and from then on git can change it. Any other command
 * declares nothing. Of an apply without its table only what it wrote is known.
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

/** Whether a run deleted an object, or may have. */
function isGone(entry: RunEntry): boolean {
  return entry.change.action === 'delete' && (isKnown(entry) || entry.maybeWritten === true)
}

/** A flag takes its grants along, and that they are gone is nobody else's doing. */
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
    // Where nobody knows whether it was written, it may still be as the run before left it.
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

/** Whether the service did not keep a field, in this run or in an earlier one since which it was not declared otherwise. */
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

/** Nobody knows what is live of what was to be written: as it was, or as it was to be. */
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

/** Tags may have been sent with the ownership tag, which is part of no base. */
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

/** An object and what hangs from it, of some addresses: `feature_flag.a`, `feature_flag_role_access.a:support`. */
export function withBelow({ address, kind }: Change, addresses: Iterable<string>): string[] {
  const name = address.slice(kind.length + 1)
  const children = declarableKinds.filter(({ lifecycle }) => lifecycle.parent?.kind === kind)
  const isBelow = (other: string) =>
    children.some(child => other.startsWith(objectAddress(child.name, '', name)))
  return [...addresses].filter(other => other === address || isBelow(other))
}
