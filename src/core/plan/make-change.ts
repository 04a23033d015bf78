import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import {
  type DeclarableKind,
  identityField,
  isTargeting,
  objectAddress,
  switchField,
  targetingField,
} from '../../model/kind.ts'
import { canonicalFilters } from '../../targeting/canonical-filters.ts'
import type { Action, Block, Change, Outcome, Reference } from '../change.ts'
import { type DeclaredAudience, type Desired, parentKey } from '../desired.ts'
import { askedDigest, fingerprintOf } from '../diff.ts'
import { lostWith, referencesIn } from '../flag-links.ts'
import { blockedOutcome, notOffered, parentLeftOut, parentMissing } from '../guards/block.ts'
import { blocksOf, type GuardedChange, remarksOn, shadowBlock } from '../guards/guards.ts'
import { compactManaged, type Live, nameTaken } from '../live.ts'
import type { Shadowed } from '../read/shadowed.ts'
import { summaryOf } from '../summary/change-summary.ts'
import type { ChangeSummary } from '../summary/transition.ts'
import { findParent } from './live-index.ts'
import { isAllowedFor, lostBefore, type ObjectContext } from './object-context.ts'

/** The planned change of one object, before guards judge it. */
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

/** Turns a draft into a change, or into a block if a guard objects and no permission lifts that. */
export function guarded(context: ObjectContext, draft: Draft): Outcome {
  const meaning = meaningOf(context, draft)
  const change = changeFrom(context, draft, meaning)
  const looked = guardedChange(context, draft, change, meaning)
  const blocks = blocksOf(looked, context.policy)
  const held = blocks.find(({ rule }) => rule === 'protected' || !isAllowedFor(context, rule))
  if (held) return blockedOutcome(change, held)
  const allowed = blocks.flatMap(({ rule }) => (rule === 'protected' ? [] : [rule]))
  // The approver of a change with a permission must read its possible cost.
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

/** The hidden object that already has the new name, if the change gives a name. */
function shadowedBy({ kind, snapshot }: ObjectContext, after: JsonObject): Shadowed | undefined {
  const name = nameTaken(kind, after)
  return name === undefined ? undefined : snapshot.shadowed.get(objectAddress(kind.name, name))
}

/** The effect of a draft, as a change of the whole object. */
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

/** The effect of a draft, with everything that reviewers and applies need. */
export function changeFrom(
  context: ObjectContext,
  draft: Draft,
  meaning = meaningOf(context, draft),
): Change {
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
    // An apply reads the files again only if it is going to write some.
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
  // Files that nobody could read cannot be put back, and must not count as absent.
  if (live?.filesUnreadable !== undefined) return {}
  const before = Object.keys(files).map(name => [name, live?.files?.[name] ?? null])
  return { filesBefore: Object.fromEntries(before) }
}

/** The parent of a grant. */
interface Parent {
  readonly reference: Reference
  /** False for a flag that this plan is yet to create or restore. */
  readonly isLiving: boolean
}

/** The flag of a grant as the change will name it, or why there can be no grant. */
export function parentOf(context: ObjectContext): Parent | Block | undefined {
  const { desired, snapshot, ensured } = context
  const reference = flagOf(context)
  if (!reference) return undefined
  const key = parentKey(desired)
  // A declaration that names it by its id has read that id.
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
export function flagOf(context: ObjectContext, grant?: Live): Reference | undefined {
  const { kind, desired } = context
  const parentKind = kind.lifecycle.parent?.kind
  if (!parentKind || !desired.parent) return undefined
  const id = 'id' in desired.parent ? desired.parent.id : (grant?.parent ?? liveFlag(context))?.id
  const identity = 'key' in desired.parent ? desired.parent.key : desired.parent.id
  return { $ref: `${parentKind}.${identity}`, identity, ...(id === undefined ? {} : { id }) }
}

/** The flag of a grant, living or not, if its declaration names the flag by its key. */
function liveFlag({ kind, desired, index }: ObjectContext): Live | undefined {
  const parentKind = kind.lifecycle.parent?.kind
  const key = parentKey(desired)
  return parentKind && key !== undefined ? findParent(index, parentKind, key) : undefined
}

type Planned = Pick<Change, 'action' | 'after' | 'files'> & { readonly live?: Live }

/**
 * The version of the live object, if the service compares a change with it to detect other people's changes.
 * Then nothing has to be read before the change.
 *
 * | the change                                           | read first | because the service does not check    |
 * |------------------------------------------------------|------------|---------------------------------------|
 * | turns it on or off                                   | yes        | who would get it, and dependents      |
 * | changes who gets it, while it is off                 | yes        | whether somebody has turned it on     |
 * | gives it a new name                                  | yes        | the hidden object with that name      |
 * | changes what is kept beside the record, or its files | yes        | other people's changes to that        |
 * | deletes or restores it                               | yes        | what is deleted or comes back with it |
 * | is any other, and the object shows a version         | no         |                                       |
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
 * if as many are live as are declared.
 *
 * | in the live condition                                   | the audience has changed |
 * |---------------------------------------------------------|--------------------------|
 * | a property of the audience is missing                   | yes                      |
 * | there is one more before the condition's own properties | yes                      |
 * | anything else                                           | no                       |
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
