import { objectAddress } from '../../model/address.ts'
import { type JsonObject, pickMembers } from '../../model/json/json.ts'
import { type Contradiction, type DeclarableKind, identityField, targetingField } from '../../model/kind.ts'
import type { Profile } from '../../model/profile.ts'
import { checkOpened } from '../../rules/check-opened.ts'
import { contradictionsIn } from '../../rules/check-together.ts'
import { newDisagreements } from '../../targeting/index.ts'
import type { Action, Block, Change, Outcome, Reference } from '../change.ts'
import { type Desired, parentKey } from '../desired.ts'
import { declaredFields, diffFields, diffFiles, type FieldChange, isSameField, wireValue } from '../diff.ts'
import { askedDigest, fingerprintOf } from '../fingerprint.ts'
import { referencesIn } from '../flag-links.ts'
import { canonicalIdentity, compactManaged, type Live } from '../live.ts'
import { nameTaken, type Shadowed } from '../read/shadowed.ts'
import { declaredSealed } from '../sealed.ts'
import {
  ambiguity,
  blockedOf,
  blockedOutcome,
  closedRules,
  contradiction,
  encryptedBlock,
  notOffered,
  notSeen,
  openedBlock,
  otherIdentity,
  parentLeftOut,
  parentMissing,
  unknownId,
  unreadable,
} from './block.ts'
import { changedAudiences } from './flags/changed-audiences.ts'
import { blocksOf, type GuardedChange, remarksOn, shadowBlock } from './guards.ts'
import { heldVersion } from './held-version.ts'
import { hasLevelInVain, noLevels } from './levels.ts'
import { findParent } from './live-index.ts'
import { brokenRules, invalidBlock } from './live-only.ts'
import { isAllowedFor, type ObjectContext } from './object-context.ts'
import { differenceOf, isAsDeclared, lostBefore } from './object-difference.ts'
import { missingFields, notOfferedYet } from './offered.ts'
import { type ChangeSummary, summaryOf } from './summary/change-summary.ts'
import { type FlippedTests, flippedTests } from './summary/flipped-tests.ts'
import { judgeRisk } from './summary/risk-reasons.ts'

/** Plans one object that is declared to exist. */
export function planPresent(context: ObjectContext): Outcome {
  const { kind, desired, found, policy } = context
  const unread = unreadable(context)
  if (unread) return blockedOf(context, 'update', unread)
  if (isAsDeclared(context)) return { is: 'unchanged', address: desired.address }
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
  const clash = newContradiction(context, live, after)
  if (clash) return blockedOf(context, 'update', contradiction(clash))
  const draft = { live, before, after, files, notes, parent }
  if (live.isSoftDeleted) return guarded(context, { ...draft, action: 'restore' })
  if (fields.length === 0 && !files) return { is: 'unchanged', address: desired.address }
  const action = addsOnlyOwnershipTag(kind, desired, live, Object.keys(after)) ? 'claim' : 'update'
  return guarded(context, { ...draft, action })
}

/** What an object would have together by a change that nothing may have together. */
function newContradiction(
  { kind }: ObjectContext,
  { record }: Live,
  after: JsonObject,
): Contradiction | undefined {
  if (Object.keys(after).length === 0) return undefined
  return contradictionsIn(kind, { ...record, ...after }).find(({ fields }) =>
    Object.keys(fields).some(name => name in after),
  )
}

/** What a new object has where nobody says otherwise. */
function initialFields({ fields }: DeclarableKind): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial ?? null]))
}

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

/** What a soft deletion leaves in an object, where that is not in it. */
function leftIn({ kind, desired }: ObjectContext, live: Live): FieldChange[] {
  const { leaves } = desired
  return leaves && kind.lifecycle.softDelete ? diffFields(kind, { ...desired, fields: leaves }, live) : []
}

/** Nobody gets it before or after, so no guard is asked. */
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

interface Draft {
  readonly action: Action
  readonly live?: Live
  readonly before: JsonObject
  readonly after: JsonObject
  readonly files?: Change['files']
  /** Said after what the change does. */
  readonly notes?: readonly string[]
  readonly parent: Parent | undefined
}

interface Parent {
  readonly reference: Reference
  /** False for a flag that this plan has yet to create or to bring back. */
  readonly isLiving: boolean
}

/** Turns a draft into a change, or into something blocked when a guard objects and nobody allowed it. */
function guarded(context: ObjectContext, draft: Draft): Outcome {
  const meaning = meaningOf(context, draft)
  const change = changeFrom(context, draft, meaning)
  const looked = guardedChange(context, draft, change, meaning)
  const blocks = blocksOf(looked, context.policy)
  const held = blocks.find(({ rule }) => rule === 'protected' || !isAllowedFor(context, rule))
  if (held) return blockedOutcome(change, held)
  const allowed = blocks.flatMap(({ rule }) => (rule === 'protected' ? [] : [rule]))
  // Whoever approves a change that was let past this must read what it may cost.
  const summary = [
    ...change.summary,
    ...shadowBlock(looked).map(({ reason }) => reason),
    ...remarksOn(looked, context.policy),
  ]
  return { is: 'change', change: { ...change, summary, allowed } }
}

function guardedChange(
  context: ObjectContext,
  draft: Draft,
  change: Change,
  { exposure, widest }: ChangeSummary,
): GuardedChange {
  const { kind, desired, pending, placeOptions } = context
  const { action, live, after, files } = draft
  return {
    kind,
    action,
    desired,
    live,
    after,
    exposure,
    widest,
    placeOptions,
    parent: liveFlag(context),
    notKept: action === 'create' ? [] : lostBefore(context, after),
    ...(pending && pending.askedFor === askedDigest(kind, change)
      ? { changeRequest: pending.changeRequest }
      : {}),
    writesFiles: files !== undefined,
    shadowed: shadowedBy(context, after),
  }
}

/** What stands behind the name that a change gives to its object, where it gives one. */
function shadowedBy({ kind, snapshot }: ObjectContext, after: JsonObject): Shadowed | undefined {
  const name = nameTaken(kind, after)
  return name === undefined ? undefined : snapshot.shadowed.get(objectAddress(kind.name, name))
}

/** What a draft does, as a change of the whole object. */
function meaningOf({ kind, rules, policy, redaction }: ObjectContext, draft: Draft): ChangeSummary {
  const { action, live, after } = draft
  const whole = live ? compactManaged(kind, live.record) : null
  return summaryOf(kind, {
    action,
    before: whole,
    after: action === 'delete' ? null : { ...whole, ...after },
    fields: Object.keys(after),
    rules,
    risk: policy.risk,
    redaction,
    ownershipTag: action === 'claim' ? undefined : policy.ownership.tag,
    ...sourcesOf(draft),
  })
}

function sourcesOf({ files, live }: Draft): Pick<Change, 'files' | 'filesBefore'> {
  return files ? { files, ...filesBefore(files, live) } : {}
}

function changeFrom(context: ObjectContext, draft: Draft, meaning = meaningOf(context, draft)): Change {
  const { kind, desired, snapshot, redaction } = context
  const { action, live, before, after, files, notes = [], parent } = draft
  const whole = live ? compactManaged(kind, live.record) : null
  const names = referencesIn(kind, [after, live?.record ?? {}], snapshot.links ?? [])
  const becomes = action === 'delete' ? null : { ...whole, ...after }
  const flipped = flips(context, live?.isSoftDeleted ? null : whole, becomes)
  return {
    address: desired.address,
    kind: kind.name,
    action,
    identity: desired.identity,
    ...(desired.label === undefined ? {} : { label: desired.label }),
    ...(live ? { id: live.id } : {}),
    ...(parent ? { parent: parent.reference } : {}),
    ...(names.length > 0 ? { names } : {}),
    before,
    after,
    ...sourcesOf(draft),
    // An apply reads the files again only where it is going to write some.
    fingerprint: live ? fingerprintOf(kind, files ? live : { ...live, files: undefined }) : null,
    ...heldVersion(kind, draft),
    risk: meaning.risk,
    riskReasons: meaning.riskReasons,
    summary: [
      ...meaning.summary,
      ...(flipped?.summary ?? []),
      ...disagreements(kind, whole, after, snapshot.profile).map(line => redaction?.text(line) ?? line),
      ...notes,
    ],
    ...(flipped ? { flippedTests: { count: flipped.count, unexpected: flipped.unexpected } } : {}),
    ...(meaning.exposure ? { exposure: meaning.exposure } : {}),
    ...(meaning.alert === undefined ? {} : { alert: meaning.alert }),
    ...changedAudiences(kind, desired, whole, after),
    allowed: [],
    dependsOn: parent && !parent.isLiving ? [parent.reference.$ref] : [],
    ...(desired.sensitive === undefined ? {} : { sensitive: desired.sensitive }),
    ...(desired.source ? { source: desired.source } : {}),
  }
}

/** The people of its tests who get something else from now on; undefined where there are none. */
function flips(
  { desired: { identity, tests = [] }, testing, redaction }: ObjectContext,
  was: JsonObject | null,
  becomes: JsonObject | null,
): FlippedTests | undefined {
  if (!testing || tests.length === 0) return undefined
  const flipped = flippedTests(identity, tests, [was, becomes], { ...testing, redaction })
  return flipped.count > 0 ? flipped : undefined
}

/** What the service and SDKs tell people differently from now on, where that service is known to answer. */
function disagreements(
  kind: DeclarableKind,
  before: JsonObject | null,
  after: JsonObject,
  profile: Profile | undefined,
): readonly string[] {
  const name = targetingField(kind)
  const becomes = name === undefined ? undefined : after[name]
  if (name === undefined || becomes === undefined || profile === undefined) return []
  return newDisagreements(before?.[name] ?? null, becomes, profile)
}

/** The flag of a grant as the change will name it, or why there can be no grant. */
function parentOf(context: ObjectContext): Parent | Block | undefined {
  const { desired, snapshot, ensured } = context
  const reference = flagOf(context)
  if (!reference) return undefined
  const key = parentKey(desired)
  // Whoever names it by its id has read it.
  if (key === undefined) return { reference, isLiving: true }
  const live = liveFlag(context)
  if (snapshot.withoutGrants.has(key)) return notOffered
  const declared = ensured(reference.$ref)
  if (declared === 'absent') return parentMissing(reference, 'is declared absent')
  if (live && !live.isSoftDeleted) return { reference, isLiving: true }
  if (declared === 'present') return { reference, isLiving: false }
  return declared === 'skipped'
    ? parentLeftOut(reference)
    : parentMissing(reference, 'does not exist and is not declared')
}

function flagOf(context: ObjectContext, grant?: Live): Reference | undefined {
  const { kind, desired } = context
  const parentKind = kind.lifecycle.parent?.kind
  if (!parentKind || !desired.parent) return undefined
  const id = 'id' in desired.parent ? desired.parent.id : (grant?.parent ?? liveFlag(context))?.id
  const identity = 'key' in desired.parent ? desired.parent.key : desired.parent.id
  return { $ref: `${parentKind}.${identity}`, identity, ...(id === undefined ? {} : { id }) }
}

/** The flag of a grant, living or not, where its declaration names it by its key. */
function liveFlag({ kind, desired, index }: ObjectContext): Live | undefined {
  const parentKind = kind.lifecycle.parent?.kind
  const key = parentKey(desired)
  return parentKind && key !== undefined ? findParent(index, parentKind, key) : undefined
}

/** An `id:` says which of several is meant, never that an object should be another one. */
function isMeant(live: Live, { kind, desired }: ObjectContext): boolean {
  return live.identity === canonicalIdentity(kind, desired.identity)
}

function identityFields(kind: DeclarableKind, desired: Desired): JsonObject {
  return { [identityField(kind)]: desired.identity }
}

/** Merely naming such a field asks for more permission, so a new object is not sent what it has anyway. */
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

function filesBefore(
  files: Readonly<Record<string, string | null>>,
  live: Live | undefined,
): Pick<Change, 'filesBefore'> {
  // What nobody saw cannot be put back, and must not be taken for nothing.
  if (live?.filesUnreadable !== undefined) return {}
  const before = Object.keys(files).map(name => [name, live?.files?.[name] ?? null])
  return { filesBefore: Object.fromEntries(before) }
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
