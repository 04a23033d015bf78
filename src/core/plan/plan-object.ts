import { type JsonObject, pickMembers } from '../../model/json/json.ts'
import { type Contradiction, type DeclarableKind, identityField, isOneOfMany } from '../../model/kind.ts'
import { oncePer } from '../../model/runtime.ts'
import { checkOpened, contradictionsIn } from '../../rules/contradictions.ts'
import { judgeRisk, type Outcome } from '../change.ts'
import type { Desired } from '../desired.ts'
import { declaredFields, diffFields, diffFiles, type FieldChange, isSameField, wireValue } from '../diff.ts'
import {
  ambiguity,
  blockedOf,
  closedRules,
  contradiction,
  encryptedBlock,
  notReadWhole,
  notSeen,
  openedBlock,
  otherIdentity,
  unknownId,
  unreadable,
} from '../guards/block.ts'
import { brokenRules, ignoredBlock, invalidBlock } from '../guards/live-only.ts'
import { hasLevelInVain, missingFields, noLevels, notOfferedYet } from '../guards/offered.ts'
import { canonicalIdentity, compactManaged, declaredSealed, type Live } from '../live.ts'
import { changeFrom, flagOf, guarded, parentOf } from './make-change.ts'
import { differenceOf, isAsDeclared, type ObjectContext } from './object-context.ts'

/** Plans one object that is declared to exist. */
export function planPresent(context: ObjectContext): Outcome {
  const { kind, desired, found, policy } = context
  const unread = unreadable(context)
  if (unread) return blockedOf(context, 'update', unread)
  if (isAsDeclared(context, policy)) return { is: 'unchanged', address: desired.address }
  const parent = parentOf(context)
  if (parent && 'rule' in parent) return blockedOf(context, 'create', parent)
  if (hasLevelInVain(kind, desired, context.snapshot)) return blockedOf(context, 'update', noLevels)
  const [missing] = missingFields(kind, desired, context.has)
  if (missing !== undefined) return blockedOf(context, 'update', notOfferedYet(missing))
  if (found.length > 1) return blockedOf(context, 'update', ambiguity(found))
  const [live] = found
  if (live && !isMeant(live, context)) return blockedOf(context, 'update', otherIdentity(live))
  const open = declaredSealed(kind, desired.fields, live?.record)
  if (open !== undefined) return blockedOf(context, live ? 'update' : 'create', encryptedBlock(open))
  const broken = brokenRules(kind, desired, live)
  if (!live) {
    if (desired.id !== undefined) return blockedOf(context, 'create', unknownId(desired.id))
    if (isOneOfMany(kind) && context.snapshot.inventory[kind.name]?.complete === false)
      return blockedOf(context, 'create', notReadWhole)
    if (kind.lifecycle.cannotCreate) return blockedOf(context, 'create', notSeen(kind))
    if (broken.length > 0) return blockedOf(context, 'create', invalidBlock(broken))
    const declared = declaredFields(kind, desired, undefined, policy.ownership.tag)
    const after = { ...identityFields(kind, desired), ...wired(kind, withoutDefaults(kind, declared)) }
    const [clash] = contradictionsIn(kind, { ...initialFields(kind), ...declared })
    if (clash) return blockedOf(context, 'create', contradiction(clash))
    const [opened] = checkOpened(kind, after)
    if (opened) return blockedOf(context, 'create', openedBlock(opened))
    const draft = { before: {}, after, files: diffFiles(desired, live), parent }
    return guarded(context, { ...draft, action: 'create' })
  }
  if (broken.length > 0) return blockedOf(context, 'update', invalidBlock(broken))
  const { fields, files, leftOut: notes } = differenceOf(context, live)
  const before = Object.fromEntries(fields.map(change => [change.field, change.before]))
  const after = afterOf(fields)
  const closed = closedRules(kind, live, after)
  if (closed) return blockedOf(context, live.isSoftDeleted ? 'restore' : 'update', closed)
  const unclear = desired.ignore && ignoredBlock(context, live, after)
  if (unclear) return blockedOf(context, live.isSoftDeleted ? 'restore' : 'update', unclear)
  const clash = newContradiction(context, live, after)
  if (clash) return blockedOf(context, 'update', contradiction(clash))
  const draft = { live, before, after, files, notes, parent }
  if (live.isSoftDeleted) return guarded(context, { ...draft, action: 'restore' })
  if (fields.length === 0 && !files) return { is: 'unchanged', address: desired.address }
  const action = addsOnlyOwnershipTag(kind, desired, live, Object.keys(after)) ? 'claim' : 'update'
  return guarded(context, { ...draft, action })
}

/** The contradiction that a change would create among the fields of an object. */
function newContradiction(
  { kind }: ObjectContext,
  { record }: Live,
  after: JsonObject,
): Contradiction | undefined {
  const isTouched = ({ fields }: Contradiction) => Object.keys(fields).some(name => name in after)
  if (!kind.contradictions?.some(isTouched)) return undefined
  return contradictionsIn(kind, { ...record, ...after }).find(isTouched)
}

/** The fields of a new object if they are not declared. */
const initialFields = oncePer(
  ({ fields }: DeclarableKind): JsonObject =>
    Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial ?? null])),
)

/** Plans one object that is declared not to exist. */
export function planAbsent(context: ObjectContext): Outcome {
  const unread = unreadable(context)
  if (unread) return blockedOf(context, 'delete', unread)
  const living = context.found.filter(live => !live.isSoftDeleted)
  if (living.length > 1) return blockedOf(context, 'delete', ambiguity(living))
  const [live] = living
  if (live && !isMeant(live, context)) return blockedOf(context, 'delete', otherIdentity(live))
  if (live) return planDeletion(context, live)
  const [gone] = context.found
  const left = gone && leftIn(context, gone)
  if (gone && left && left.length > 0) return planLeaving(context, gone, left)
  return { is: 'unchanged', address: context.desired.address, isAbsent: true }
}

/** Plans the deletion of one live object. */
export function planDeletion(context: ObjectContext, live: Live): Outcome {
  const before = compactManaged(context.kind, live.record)
  const reference = flagOf(context, live)
  const parent = reference && { reference, isLiving: true }
  const left = leftIn(context, live)
  const after = afterOf(left)
  const notes = left.length > 0 ? [putBackSummary(left)] : []
  return guarded(context, { action: 'delete', live, before, after, parent, notes })
}

/** The values that a soft deletion keeps in an object, if they are not in it already. */
function leftIn({ kind, desired }: ObjectContext, live: Live): FieldChange[] {
  const { leaves } = desired
  return leaves && kind.lifecycle.softDelete ? diffFields(kind, { ...desired, fields: leaves }, live) : []
}

/** Nobody gets it before or after, so no guard runs. */
function planLeaving(context: ObjectContext, live: Live, left: readonly FieldChange[]): Outcome {
  const before = compactManaged(context.kind, live.record)
  const change = changeFrom(context, {
    action: 'delete',
    live,
    before,
    after: afterOf(left),
    parent: undefined,
  })
  const { exposure: _, ...same } = change
  return {
    is: 'change',
    change: {
      ...same,
      summary: ['stays soft-deleted', putBackSummary(left)],
      ...judgeRisk([{ rule: 'unnoticed', reason: 'it stays soft-deleted' }], context.policy.risk),
    },
  }
}

function afterOf(changes: readonly FieldChange[]): JsonObject {
  return Object.fromEntries(changes.map(({ field, after }) => [field, after]))
}

function putBackSummary(left: readonly FieldChange[]): string {
  return `puts back what was in it before it was restored: ${left.map(({ field }) => field).join(', ')}`
}

/** An `id:` selects one of several objects. It never gives an object another identity. */
function isMeant(live: Live, { kind, desired }: ObjectContext): boolean {
  return live.identity === canonicalIdentity(kind, desired.identity)
}

function identityFields(kind: DeclarableKind, desired: Desired): JsonObject {
  return { [identityField(kind)]: desired.identity }
}

/** Naming such a field already needs more permission, so a new object is not sent its default. */
function withoutDefaults(kind: DeclarableKind, fields: JsonObject): JsonObject {
  return pickMembers(
    fields,
    (value, name) => !(kind.fields[name]?.sendOnChangeOnly && isSameField(kind, name, value, null)),
  )
}

function wired(kind: DeclarableKind, fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, wireValue(kind, name, value)]),
  )
}

/** True when without the ownership tag nothing would have to change. */
function addsOnlyOwnershipTag(
  kind: DeclarableKind,
  desired: Desired,
  live: Live,
  fields: readonly string[],
): boolean {
  const { ownedBy } = kind.lifecycle
  const onlyLabels = fields.length === 1 && fields[0] === ownedBy && !diffFiles(desired, live)
  return onlyLabels && diffFields(kind, desired, live).length === 0
}
