import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import type { Source } from '../../model/problem.ts'
import { type Json, type JsonObject, pickMembers } from '../../model/text/json.ts'
import type { Block, Change, Plan } from '../change.ts'
import type { Declarations, Desired } from '../desired.ts'
import { diffFields, isSameField } from '../diff.ts'
import type { Live } from '../live.ts'
import { blockedFrom } from '../plan/block.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { hasWritten, type RunEntry, type RunRecord } from './run.ts'

/**
 * The declarations that undo a run: the earlier state of each object that it wrote.
 *
 * | the run          | declared to undo it                                    |
 * |------------------|--------------------------------------------------------|
 * | created          | absent                                                 |
 * | restored         | absent, with the earlier values of the changed fields  |
 * | updated, claimed | present, with the earlier values of the changed fields |
 * | soft-deleted     | present, by its id: it is restored                     |
 * | deleted for good | present, with its fields: it gets another id           |
 *
 * Objects that the run did not change are not undone. If the run failed or was killed, objects that it may
 * have written are undone too, as far as they exist.
 */
export function undoDeclarations({ entries }: RunRecord): Declarations {
  return { desired: entries.filter(hasWritten).map(undoEntry), ownedGrants: [] }
}

/** Adds to each restored object a note about what cannot be restored. */
export function noteLosses(plan: Plan): Plan {
  return {
    ...plan,
    changes: plan.changes.map(change => {
      const { files } = declarableKind(change.kind).lifecycle
      const isWhole = change.action !== 'create' || !files || change.files !== undefined
      return isWhole ? change : { ...change, summary: [...change.summary, lostFiles] }
    }),
  }
}

const lostFiles =
  'without the source files that it may have had: the service deleted them and the record of the run does not contain them'

/** Blocks an object that cannot be restored, because its hidden values are missing. */
export function blockWithoutValues(plan: Plan, { entries }: RunRecord): Plan {
  const hidden = new Set(entries.flatMap(({ change }) => (change.hidden ? [change.address] : [])))
  const isHidden = ({ address }: Change) => hidden.has(address)
  const blocked = plan.changes
    .filter(isHidden)
    .map(change => blockedFrom({ ...change, summary: [] }, valuesHidden))
  return {
    ...plan,
    changes: plan.changes.filter(change => !isHidden(change)),
    blocked: [...plan.blocked.filter(each => !hidden.has(each.address)), ...blocked],
  }
}

const valuesHidden: Block = {
  rule: 'values_hidden',
  reason: 'the record of the run hides its values, and the file with these values is missing',
  remedy:
    'undo it on the machine where it ran, copy its file in `.vexil/runs/values` to this machine, or revert the commit',
}

/** Blocks objects that were changed since the run: the undo would revert the later edit too. */
export function blockChangedSince(plan: Plan, { entries }: RunRecord, snapshot: Snapshot): Plan {
  const written = new Map(entries.map(entry => [entry.change.address, entry]))
  const live = new Map(snapshot.live.map(one => [`${one.kind}#${one.id}`, one]))
  const isHeld = (change: Change) => {
    const entry = written.get(change.address)
    return entry !== undefined && isChangedSince(entry, change, live.get(`${change.kind}#${change.id}`))
  }
  return {
    ...plan,
    changes: plan.changes.filter(change => !isHeld(change)),
    blocked: [
      ...plan.blocked,
      ...plan.changes.filter(isHeld).map(change => blockedFrom(change, changedSince)),
    ],
  }
}

/**
 * | the run          | live now         | changed since                                         |
 * |------------------|------------------|-------------------------------------------------------|
 * | deleted for good | another object   | yes: someone created it                               |
 * | deleted          | anything else    | no                                                    |
 * | wrote            | nothing          | yes: someone deleted it                               |
 * | wrote            | it, soft-deleted | yes, except after a restore with an unknown result    |
 * | wrote            | it               | if a field or file differs from the result of the run |
 *
 * If the result of a write is unknown, each field and file may also have its earlier value.
 */
function isChangedSince(entry: RunEntry, undoing: Change, live?: Live): boolean {
  const { change, notKept = [] } = entry
  const { action, before, after, files = {}, filesBefore = {} } = change
  const kind = declarableKind(change.kind)
  // If a kind cannot be created, a found object has come back by itself.
  if (action === 'delete') return undoing.action === 'update' && !kind.lifecycle.cannotCreate
  const isOpen = isOutcomeOpen(entry)
  if (!live || (live.isSoftDeleted && !(isOpen && action === 'restore'))) return true
  const isLeft = (name: string) => {
    const is = (value: Json | undefined) => isSameField(kind, name, value ?? null, live.record[name] ?? null)
    return is(after[name]) || (isOpen && name in before && is(before[name]))
  }
  const isLeftFile = (name: string) => {
    if (!live.files) return true
    const now = live.files[name] ?? null
    return now === files[name] || (isOpen && now === (filesBefore[name] ?? null))
  }
  const wrote = Object.keys(after).filter(name => !notKept.includes(name))
  return !wrote.every(isLeft) || !Object.keys(files).every(isLeftFile)
}

function isOutcomeOpen({ outcome, maybeWritten }: RunEntry): boolean {
  return maybeWritten === true || outcome === 'failed'
}

function undoEntry({ change, id = change.id }: RunEntry): Desired {
  const kind = declarableKind(change.kind)
  const about = {
    address: change.address,
    kind: change.kind,
    identity: change.identity,
    ...(change.label === undefined ? {} : { label: change.label }),
    ...(change.parent ? { parent: { key: change.parent.identity } } : {}),
    ...(change.sensitive === undefined ? {} : { sensitive: change.sensitive }),
  }
  switch (change.action) {
    case 'create':
      // Declares the files so that the plan reads them: they may have been changed since.
      return {
        ...about,
        ...idOf(kind, id),
        ensure: 'absent',
        fields: {},
        ...(change.files ? { files: change.files } : {}),
      }
    case 'restore':
      return { ...about, ...idOf(kind, id), ensure: 'absent', fields: {}, leaves: change.before }
    case 'update':
    case 'claim':
      return {
        ...about,
        ...idOf(kind, id),
        ensure: 'present',
        isPart: true,
        fields: change.before,
        ...formerName(kind, change),
        ...(change.filesBefore ? { files: change.filesBefore } : {}),
      }
    case 'delete':
      return {
        ...about,
        ...(kind.lifecycle.softDelete ? { id } : {}),
        ensure: 'present',
        isPart: true,
        fields: restored(kind, change),
      }
  }
}

/** The id to find an object. A grant is found by flag and role: it may have a new id. */
function idOf(kind: DeclarableKind, id: string | undefined): { id?: string } {
  return kind.lifecycle.parent || id === undefined ? {} : { id }
}

/** The name of an object before a rename. */
function formerName(kind: DeclarableKind, { before }: Change): Pick<Desired, 'renamedTo'> {
  const name = before[identityField(kind)]
  return typeof name === 'string' && kind.identity.by === 'field' ? { renamedTo: name } : {}
}

/** The fields to restore: for a soft-deleted object only those that the deletion changed; else all. */
function restored(kind: DeclarableKind, { before, after }: Change): JsonObject {
  const isLost = (name: string) =>
    (!kind.lifecycle.softDelete || name in after) && !(kind.lifecycle.parent && name === identityField(kind))
  return pickMembers(before, (value, name) => value !== null && isLost(name))
}

const changedSince: Block = {
  rule: 'changed_since',
  reason: 'it was changed after the run that is to be undone',
  remedy: 'edit the declaration instead',
}

export interface StillDeclared {
  readonly plan: Plan
  /** Addresses of objects whose declarations differ from the restored state. */
  readonly addresses: readonly string[]
}

/**
 * Adds to each change of an undo a note if the declarations differ from the restored state. An undo changes
 * no files. Later plans with its record hold the restored state until a file changes.
 *
 * | the undo               | declared today         | note                                                    |
 * |------------------------|------------------------|---------------------------------------------------------|
 * | removes it             | present                | it is still declared                                    |
 * | restores or changes it | absent                 | it is still declared absent                             |
 * | restores or changes it | present, different     | it is still declared with other values, in these fields |
 * | anything               | not declared, or equal | none                                                    |
 */
export function noteStillDeclared(
  plan: Plan,
  { desired }: Declarations,
  { live }: Snapshot,
  tag: string | undefined,
): StillDeclared {
  const declared = new Map(desired.map(one => [one.address, one]))
  const before = new Map(live.map(one => [`${one.kind}#${one.id}`, one]))
  const shown = plan.changes.map(change => {
    const one = declared.get(change.address)
    const found = before.get(`${change.kind}#${change.id}`)
    const still = one && stillText(change, one, { ...found?.record, ...change.after }, tag)
    if (still === undefined) return { change, isDeclared: false }
    const words = `still declared ${still}${placeLine(one?.source)}`
    return { change: { ...change, summary: [...change.summary, words] }, isDeclared: true }
  })
  return {
    plan: { ...plan, changes: shown.map(({ change }) => change) },
    addresses: shown.filter(({ isDeclared }) => isDeclared).map(({ change }) => change.address),
  }
}

function stillText(
  { action, after: undone }: Change,
  desired: Desired,
  record: Change['after'],
  tag: string | undefined,
): string | undefined {
  const kind = declarableKind(desired.kind)
  if (action === 'delete') return desired.ensure === 'present' ? 'present' : undefined
  if (desired.ensure === 'absent') return 'absent'
  const live = { kind: kind.name, identity: desired.identity, id: '', record, isSoftDeleted: false }
  // Other differences are not caused by this undo.
  const fields = diffFields(kind, desired, live, tag).flatMap(({ field }) => (field in undone ? [field] : []))
  return fields.length === 0 ? undefined : `with other values (${fields.join(', ')})`
}

function placeLine(source: Source | undefined): string {
  return source ? ` in ${source.file}:${source.line}` : ''
}

/** The objects with `protect: true` in one environment, as far as the files can be read. */
export interface DeclaredProtection {
  has(object: Pick<Desired, 'address' | 'kind' | 'id'>): boolean
  /** Whether some files cannot be read: these may protect any object. */
  readonly isPartial: boolean
}

/**
 * The declarations that undo a run, with today's protection. If files cannot be read, everything that they
 * may protect counts as protected.
 */
export function withProtection(undoing: Declarations, today: DeclaredProtection): Declarations {
  const isProtected = (desired: Desired) =>
    today.has(desired) || (today.isPartial && desired.parent === undefined)
  return {
    ...undoing,
    desired: undoing.desired.map(desired => (isProtected(desired) ? { ...desired, protect: true } : desired)),
  }
}

/** Adds a note if only unreadable files block an object: whether it is protected is unknown. */
export function noteUnreadableFiles(plan: Plan, undoing: Declarations, today: DeclaredProtection): Plan {
  const known = new Set(undoing.desired.filter(today.has).map(({ address }) => address))
  return {
    ...plan,
    blocked: plan.blocked.map(held =>
      held.rule === 'protected' && !known.has(held.address) ? { ...held, ...hidden } : held,
    ),
  }
}

const hidden = {
  reason: 'a file of declarations cannot be read, and may protect it from being deleted or turned off',
  remedy: 'fix the file (`vexil validate` names it), then undo again',
}
