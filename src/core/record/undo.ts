import { declarableKind } from '../../kinds/index.ts'
import type { JsonObject } from '../../model/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import type { Change, Plan } from '../change.ts'
import type { Declarations, Desired } from '../desired.ts'
import { isSameField } from '../diff.ts'
import type { Live } from '../live.ts'
import { type Refusal, withheldFrom } from '../refusal.ts'
import type { Snapshot } from '../snapshot.ts'
import { hasWritten, type RunEntry, type RunRecord } from './run.ts'

/**
 * What has to be declared so that a run is undone: each object it wrote as it was before.
 *
 * | the run            | declared to undo it                                        |
 * |--------------------|------------------------------------------------------------|
 * | created, revived   | absent                                                     |
 * | updated, adopted   | present, the changed fields as they were before            |
 * | deleted softly     | present, by its id: it is revived                          |
 * | deleted for good   | present, with its fields: it comes back with another id    |
 *
 * What the run found done already is left alone: it was not this run's doing. What it wrote before it failed at the
 * source files is its doing.
 */
export function undoDeclarations({ entries }: RunRecord): Declarations {
  return { desired: entries.filter(hasWritten).map(undoEntry), ownedGrants: [] }
}

/** Says of each object that comes back what does not come back with it. */
export function tellWhatIsLost(plan: Plan): Plan {
  return {
    ...plan,
    changes: plan.changes.map(change => {
      const { files } = declarableKind(change.kind).lifecycle
      const isWhole = change.action !== 'create' || !files || change.files !== undefined
      return isWhole ? change : { ...change, words: [...change.words, lostFiles] }
    }),
  }
}

const lostFiles =
  'without the source files that it may have had: the service deleted them and the record of the run does not hold them'

/** Withholds what was changed since the run: undoing it would take somebody's later edit along. */
export function withholdChangedSince(plan: Plan, { entries }: RunRecord, snapshot: Snapshot): Plan {
  const written = new Map(entries.map(entry => [entry.change.address, entry]))
  const live = new Map(snapshot.live.map(one => [`${one.kind}#${one.id}`, one]))
  const isHeld = (change: Change) => {
    const entry = written.get(change.address)
    return entry !== undefined && isChangedSince(entry, change, live.get(`${change.kind}#${change.id}`))
  }
  return {
    ...plan,
    changes: plan.changes.filter(change => !isHeld(change)),
    withheld: [
      ...plan.withheld,
      ...plan.changes.filter(isHeld).map(change => withheldFrom(change, changedSince)),
    ],
  }
}

/**
 * | the run          | live now              | changed since                                    |
 * |------------------|-----------------------|--------------------------------------------------|
 * | deleted for good | one of its name       | yes: somebody made another                       |
 * | deleted          | otherwise             | no                                               |
 * | wrote            | nothing, a tombstone  | yes: somebody deleted it                         |
 * | wrote            | it                    | when a field or file is not as the run left it   |
 */
function isChangedSince(entry: RunEntry, undoing: Change, live?: Live): boolean {
  const { change, notKept = [], outcome } = entry
  const kind = declarableKind(change.kind)
  // What people cannot create has come back by itself.
  if (change.action === 'delete') return undoing.action === 'update' && !kind.lifecycle.cannotCreate
  if (!live || live.isTombstone) return true
  const { after, files = {}, filesBefore = {} } = change
  const isLeft = (name: string) => isSameField(kind, name, after[name] ?? null, live.record[name] ?? null)
  const isLeftFile = (name: string) => {
    if (!live.files) return true
    const now = live.files[name] ?? null
    // Nobody knows of a write that failed whether it took effect.
    return now === files[name] || (outcome === 'failed' && now === (filesBefore[name] ?? null))
  }
  const wrote = Object.keys(after).filter(name => !notKept.includes(name))
  return !wrote.every(isLeft) || !Object.keys(files).every(isLeftFile)
}

function undoEntry({ change, id }: RunEntry): Desired {
  const kind = declarableKind(change.kind)
  const about = {
    address: change.address,
    kind: change.kind,
    identity: change.identity,
    ...(change.label === undefined ? {} : { label: change.label }),
    ...(change.parent ? { parent: change.parent.identity } : {}),
  }
  switch (change.action) {
    case 'create':
    case 'revive':
      // The files are named so that they are read: somebody may have written them since.
      return {
        ...about,
        ...idOf(kind, id),
        ensure: 'absent',
        fields: {},
        ...(change.files ? { files: change.files } : {}),
      }
    case 'update':
    case 'adopt':
      return {
        ...about,
        ...idOf(kind, id),
        ensure: 'present',
        fields: change.before,
        ...(change.filesBefore ? { files: change.filesBefore } : {}),
      }
    case 'delete':
      return {
        ...about,
        ...(kind.lifecycle.tombstone ? { id } : {}),
        ensure: 'present',
        fields: restored(kind, change),
      }
  }
}

/** A grant is found by its flag and role; its record's own id says nothing after a re-grant. */
function idOf(kind: DeclarableKind, id: string | undefined): { id?: string } {
  return kind.lifecycle.parent || id === undefined ? {} : { id }
}

/** A tombstone still has its fields; what was deleted for good is written anew. */
function restored(kind: DeclarableKind, { before }: Change): JsonObject {
  if (kind.lifecycle.tombstone || kind.lifecycle.parent) return {}
  return Object.fromEntries(Object.entries(before).filter(([, value]) => value !== null))
}

const changedSince: Refusal = {
  rule: 'changed_since',
  reason: 'it was changed after the run that is to be undone',
  wayPast: 'edit the declaration instead',
}
