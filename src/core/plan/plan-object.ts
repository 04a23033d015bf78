import {
  type Contradiction,
  type DeclarableKind,
  identityField,
  isOneOfMany,
  isTargeting,
  objectAddress,
  switchField,
  targetingField,
} from '../../model/kind.ts'
import { oncePer } from '../../model/runtime.ts'
import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import { checkOpened, contradictionsIn } from '../../rules/contradictions.ts'
import { canonicalFilters } from '../../targeting/canonical-filters.ts'
import { type Action, type Block, type Change, judgeRisk, type Outcome, type Reference } from '../change.ts'
import { summaryOf } from '../describe/describe-change.ts'
import type { ChangeSummary } from '../describe/describe-field.ts'
import { type DeclaredAudience, type Desired, parentKey } from '../desired.ts'
import {
  askedDigest,
  declaredFields,
  diffFields,
  diffFiles,
  type FieldChange,
  fingerprintOf,
  isSameField,
  wireValue,
} from '../diff.ts'
import { lostWith, referencesIn } from '../flag-links.ts'
import {
  canonicalIdentity,
  compactManaged,
  declaredSealed,
  findParent,
  type Live,
  nameTaken,
} from '../live.ts'
import type { Shadowed } from '../read/find-soft-deleted.ts'
import {
  ambiguity,
  blockedOf,
  blockedOutcome,
  brokenRules,
  closedRules,
  contradiction,
  encryptedBlock,
  ignoredBlock,
  invalidBlock,
  notOffered,
  notReadWhole,
  notSeen,
  openedBlock,
  otherIdentity,
  parentLeftOut,
  parentMissing,
  unknownId,
  unreadable,
} from './block.ts'
import { blocksOf, type GuardedChange, remarksOn, shadowBlock } from './guards.ts'
import {
  differenceOf,
  hasLevelInVain,
  isAllowedFor,
  isAsDeclared,
  lostBefore,
  missingFields,
  noLevels,
  notOfferedYet,
  type ObjectContext,
} from './object-context.ts'

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

/** The block if a change would make the fields of an object contradict each other. */
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

export function planDeletion(context: ObjectContext, live: Live): Outcome {
  const before = compactManaged(context.kind, live.record)
  const reference = flagOf(context, live)
  const parent = reference && { reference, isLiving: true }
  const left = leftIn(context, live)
  const after = afterOf(left)
  const notes = left.length > 0 ? [putBackSummary(left)] : []
  return guarded(context, { action: 'delete', live, before, after, parent, notes })
}

/** The values that a soft deletion writes into an object, if they differ. */
function leftIn({ kind, desired }: ObjectContext, live: Live): FieldChange[] {
  const { leaves } = desired
  return leaves && kind.lifecycle.softDelete ? diffFields(kind, { ...desired, fields: leaves }, live) : []
}

/** Changes fields of a soft-deleted object. Nobody gets it, so no guard runs. */
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
  return `restores its values from before the run: ${left.map(({ field }) => field).join(', ')}`
}

/** Whether the found object has the declared identity. An `id:` selects an object; it never renames one. */
function isMeant(live: Live, { kind, desired }: ObjectContext): boolean {
  return live.identity === canonicalIdentity(kind, desired.identity)
}

function identityFields(kind: DeclarableKind, desired: Desired): JsonObject {
  return { [identityField(kind)]: desired.identity }
}

/** Removes defaults that need an extra permission to be sent. */
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

/** Whether the ownership tag is the only difference. */
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

/** The planned change of one object, before the guards check it. */
export interface Draft {
  readonly action: Action
  readonly live?: Live
  readonly before: JsonObject
  readonly after: JsonObject
  readonly files?: Change['files']
  /** Notes that follow the summary of the change. */
  readonly notes?: readonly string[]
  readonly parent: Parent | undefined
}

/** Turns a draft into a change, or into a block if a guard blocks it and no permission allows it. */
function guarded(context: ObjectContext, draft: Draft): Outcome {
  const meaning = meaningOf(context, draft)
  const change = changeFrom(context, draft, meaning)
  const looked = guardedChange(context, draft, change, meaning)
  const blocks = blocksOf(looked, context.policy)
  const held = blocks.find(({ rule }) => rule === 'protected' || !isAllowedFor(context, rule))
  if (held) return blockedOutcome(change, held)
  const allowed = blocks.flatMap(({ rule }) => (rule === 'protected' ? [] : [rule]))
  // The approver of an allowed change must see its possible cost.
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
  const { kind, desired, pending, policy } = context
  const { action, live, after, files } = draft
  return {
    kind,
    action,
    desired,
    live,
    after,
    exposure,
    widest,
    placeOptions: policy.placeOptions,
    parent: liveFlag(context),
    notKept: action === 'create' ? [] : lostBefore(context, after),
    ...(pending && pending.askedFor === askedDigest(kind, change)
      ? { changeRequest: pending.changeRequest }
      : {}),
    writesFiles: files !== undefined,
    shadowed: shadowedBy(context, after),
  }
}

/** The hidden object that already has the new name. */
function shadowedBy({ kind, snapshot }: ObjectContext, after: JsonObject): Shadowed | undefined {
  const name = nameTaken(kind, after)
  return name === undefined ? undefined : snapshot.shadowed.get(objectAddress(kind.name, name))
}

/** The summary of a draft, for the whole object. */
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
    groupTypes: policy.groupTypes,
    cohorts: policy.cohorts,
    ...(live ? { lost: lostWith(kind, live.record) } : {}),
    redaction,
    ownershipTag: action === 'claim' ? undefined : policy.ownership.tag,
    ...sourcesOf(draft),
  })
}

function sourcesOf({ files, live }: Draft): Pick<Change, 'files' | 'filesBefore'> {
  return files ? { files, ...filesBefore(files, live) } : {}
}

function changeFrom(context: ObjectContext, draft: Draft, meaning = meaningOf(context, draft)): Change {
  const { kind, desired, snapshot } = context
  const { action, live, before, after, files, notes = [], parent } = draft
  const whole = live ? compactManaged(kind, live.record) : null
  const names = referencesIn(kind, [after, live?.record ?? {}], snapshot.links ?? [])
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
    // An apply reads files again only if it writes files.
    fingerprint: live ? fingerprintOf(kind, files ? live : { ...live, files: undefined }) : null,
    ...heldVersion(kind, draft),
    risk: meaning.risk,
    riskReasons: meaning.riskReasons,
    summary: [...meaning.summary, ...notes],
    ...(meaning.exposure ? { exposure: meaning.exposure } : {}),
    ...(meaning.alert === undefined ? {} : { alert: meaning.alert }),
    ...changedAudiences(kind, desired, whole, after),
    allowed: [],
    dependsOn: parent && !parent.isLiving ? [parent.reference.$ref] : [],
    ...(desired.sensitive === undefined ? {} : { sensitive: desired.sensitive }),
    ...(desired.source ? { source: desired.source } : {}),
  }
}

function filesBefore(
  files: Readonly<Record<string, string | null>>,
  live: Live | undefined,
): Pick<Change, 'filesBefore'> {
  // Unreadable files cannot be restored, and must not count as absent.
  if (live?.filesUnreadable !== undefined) return {}
  const before = Object.keys(files).map(name => [name, live?.files?.[name] ?? null])
  return { filesBefore: Object.fromEntries(before) }
}

interface Parent {
  readonly reference: Reference
  /** False for a flag that this plan creates or restores. */
  readonly isLiving: boolean
}

/** The flag of a grant, as a change names it, or why the grant is blocked. */
function parentOf(context: ObjectContext): Parent | Block | undefined {
  const { desired, snapshot, ensured } = context
  const reference = flagOf(context)
  if (!reference) return undefined
  const key = parentKey(desired)
  // A declaration with the flag's id has read it from the service.
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

/** The flag of a grant, as a change names it; undefined for an object without a parent. */
function flagOf(context: ObjectContext, grant?: Live): Reference | undefined {
  const { kind, desired } = context
  const parentKind = kind.lifecycle.parent?.kind
  if (!parentKind || !desired.parent) return undefined
  const id = 'id' in desired.parent ? desired.parent.id : (grant?.parent ?? liveFlag(context))?.id
  const identity = 'key' in desired.parent ? desired.parent.key : desired.parent.id
  return { $ref: `${parentKind}.${identity}`, identity, ...(id === undefined ? {} : { id }) }
}

/** The flag of a grant, also if it is soft-deleted, if its declaration has the flag's key. */
function liveFlag({ kind, desired, index }: ObjectContext): Live | undefined {
  const parentKind = kind.lifecycle.parent?.kind
  const key = parentKey(desired)
  return parentKind && key !== undefined ? findParent(index, parentKind, key) : undefined
}

type Planned = Pick<Change, 'action' | 'after' | 'files'> & { readonly live?: Live }

/**
 * The version of the live object, if the service uses it to detect changes of others. Then the object is not
 * read again before the change.
 *
 * | the change                                   | read first | because the service does not check    |
 * |----------------------------------------------|------------|---------------------------------------|
 * | turns it on or off                           | yes        | who would get it, and dependents      |
 * | changes who gets it, while it is off         | yes        | whether it was turned on              |
 * | gives it a new name                          | yes        | the hidden object with that name      |
 * | changes sealed values or source files        | yes        | changes of others to them             |
 * | deletes or restores it                       | yes        | what is deleted or comes back with it |
 * | is any other, and the object shows a version | no         |                                       |
 */
export function heldVersion(
  kind: DeclarableKind,
  { action, after, files, live }: Planned,
): Pick<Change, 'version'> {
  const { version } = kind.lifecycle
  if (!version || !live || files || (action !== 'update' && action !== 'claim')) return {}
  const turned = switchField(kind) ?? ''
  const isOff = live.record[turned] === false
  const isHeld = (name: string) =>
    name !== turned &&
    name !== identityField(kind) &&
    !(isOff && isTargeting(kind, name)) &&
    !kind.fields[name]?.unversioned
  const seen = live.record[version.field]
  return typeof seen === 'number' && Object.keys(after).every(isHeld) ? { version: seen } : {}
}

/**
 * The audiences whose properties differ between the declared and the live flag. Conditions are compared only
 * if their number is equal.
 *
 * | in the live condition                                      | the audience has changed |
 * |------------------------------------------------------------|--------------------------|
 * | a property of the audience is missing                      | yes                      |
 * | there is another one before the condition's own properties | yes                      |
 * | anything else                                              | no                       |
 */
function changedAudiences(
  kind: DeclarableKind,
  { audiences = [] }: Pick<Desired, 'audiences'>,
  before: JsonObject | null,
  after: JsonObject,
): Pick<Change, 'audiences'> {
  const field = targetingField(kind)
  const becomes = field === undefined ? undefined : after[field]
  if (audiences.length === 0 || field === undefined || before === null || becomes === undefined) return {}
  const [live, declared] = [conditionsOf(before[field] ?? null), conditionsOf(becomes)]
  if (live.length !== declared.length) return {}
  const names = audiences.flatMap(used =>
    changedParts(used, propertiesOf(live[used.condition]), propertiesOf(declared[used.condition])),
  )
  return names.length === 0 ? {} : { audiences: [...new Set(names)].sort() }
}

function changedParts(
  { parts }: DeclaredAudience,
  live: readonly Json[],
  declared: readonly Json[],
): readonly string[] {
  const isIn = (properties: readonly Json[], one: Json) => properties.some(each => isSameJson(each, one))
  let from = 0
  const changed = parts.flatMap(({ audience, properties }) => {
    const own = declared.slice(from, from + properties)
    from += properties
    return own.every(one => isIn(live, one)) ? [] : [audience]
  })
  if (changed.length > 0) return changed
  const ofCondition = declared.slice(from)
  const end = live.findIndex(one => isIn(ofCondition, one))
  const ofAudience = end === -1 && ofCondition.length > 0 ? [] : live.slice(0, end === -1 ? undefined : end)
  const isLost = ofAudience.some(one => !isIn(declared, one))
  return isLost ? parts.slice(-1).map(({ audience }) => audience) : []
}

function conditionsOf(filters: Json): readonly Json[] {
  const canonical = canonicalFilters(filters)
  const groups = isJsonObject(canonical) ? (canonical.groups ?? null) : null
  return isJsonArray(groups) ? groups : []
}

function propertiesOf(condition: Json | undefined): readonly Json[] {
  const properties = isJsonObject(condition) ? (condition.properties ?? null) : null
  return isJsonArray(properties) ? properties : []
}
