import { fileOfField } from '../../model/field.ts'
import { type DeclarableKind, identityField, managedFields } from '../../model/kind.ts'
import { liveEditWay } from '../../model/live-edit-policy.ts'
import type { Json } from '../../model/text/json.ts'
import { diffFields, type FieldChange, fileChanges, sentDigests, shortDigest } from '../diff.ts'
import { canonicalField, type Live } from '../live.ts'
import { ignoredBlock } from '../plan/block.ts'
import { isAllowedFor, type ObjectContext } from '../plan/object-context.ts'
import { liveEditPolicyOf } from '../policy.ts'
import type { ObjectRedaction } from '../redaction.ts'
import { type AskedField, authorOf, isByPerson } from './authors.ts'
import { type Author, existsField, isLeftOut, type Treatment } from './live-edit.ts'
import type { OnRecord } from './records.ts'
import { declaredFieldDigests, mergeField, type ThreeValues, threeOf } from './three-values.ts'
import {
  type BaseField,
  type BaseObject,
  type BaseOrigin,
  type Decision,
  existenceVerdict,
  fieldsEditedInProduct,
  isBehind,
  type Judgement,
  type Leave,
  type OutsideWrite,
  type Situation,
  standingWrite,
  treatmentOf,
  unprovenEvidence,
  verdictOf,
} from './verdict.ts'

/** A declared field that was changed in the product, and its treatment. */
export interface EditedField extends Omit<Answer, 'is'> {
  readonly field: string
  readonly treatment: Treatment
  /** From the live value to the declared value. */
  readonly change: FieldChange
  /** Its value before both sides changed it, if that is available. */
  readonly was?: Json
  readonly merged?: Json
  /** Why they cannot be merged, in words. */
  readonly reason?: string
  /** The undo or disable that has set it. */
  readonly write?: OutsideWrite
  readonly author?: Author
}

function authorOfWrite({ who, at, reason }: OutsideWrite): Author {
  return { ...(who === undefined ? {} : { name: who }), at, ...(reason === undefined ? {} : { reason }) }
}

export interface FieldEdits {
  readonly edits: readonly EditedField[]
  /** Whether something is a plain change only because a permission lifted its block. */
  readonly isLifted: boolean
}

/** Finds live edits among the fields that differ. A change in the repository is not a live edit. */
export function editedFields(context: ObjectContext, live: Live, recorded: OnRecord): FieldEdits {
  const { kind, desired, policy } = context
  const differing = [...diffFields(kind, desired, live, policy.ownership.tag), ...fileChanges(desired, live)]
  const answers = differing
    .filter(({ field }) => field !== identityField(kind))
    .map(change => ({ change, ...answerFor(context, live, recorded, change) }))
  return {
    edits: answers.flatMap(({ is, change, ...answer }) => {
      if (is === 'nothing' || is === 'send') return []
      const about = { ...answer, field: change.field, change }
      if (is === 'merge') return [mergedEdit(context, live, recorded, about)]
      return [{ ...about, ...(answer.isOnBothSides ? wasIn(recorded, change.field) : {}), treatment: is }]
    }),
    isLifted: answers.some(({ isLifted }) => isLifted),
  }
}

function answerFor(
  context: ObjectContext,
  live: Live,
  recorded: OnRecord,
  { field, before, after }: FieldChange,
): Answer & Pick<EditedField, 'write' | 'author'> {
  const { kind, desired, policy } = context
  const object = recorded.base?.ensure === 'present' ? recorded.base : undefined
  const base = object && baseIn(object, kind, field)
  const three = threeOf({ kind, desired, live, ownershipTag: policy.ownership.tag }, field, base)
  const origin = base && (base.origin ?? object?.origin)
  const since = (origin ?? object?.origin)?.at
  // The sent tags may include the ownership tag, which a base does not contain.
  const now =
    fileOfField(field) === undefined ? (sentDigests(kind, { [field]: before })[field] ?? '') : three.live
  const write = standingWrite(recorded.writes, field, now)
  const { lineage, isApplied, authors } = recorded
  const { address } = desired
  const commit = origin?.revision?.commit
  const found = verdictOf(three)
  // A later commit declared the live value, so only the repository has changed since.
  const isTaken =
    found === 'conflict' &&
    lineage.relationOf(commit) === 'ancestor' &&
    lineage.wasDeclared(address, field, three.live, commit) === true
  const verdict = isTaken ? 'repository_changed' : found
  const asked: AskedField = {
    kind,
    id: live.id,
    field,
    live: before,
    ...(since === undefined ? {} : { since }),
  }
  const { automation } = liveEditPolicyOf(policy, desired)
  // A live value that the repository declared earlier is not an edit by a person: only the declaration has
  // changed.
  const isWish = () => lineage.wasDeclared(address, field, three.live) !== true
  const unproven = {
    kind,
    field,
    declared: after,
    live: before,
    // If only default tags are declared, `tags` is not a declared field.
    isByPerson: field in desired.fields && isByPerson(authors, asked, { automation }) && isWish(),
  }
  const answer = answerTo(context, recorded, {
    field,
    verdict,
    origin,
    write,
    evidence: verdict === 'two_way' ? unprovenEvidence({ ...unproven, isOnRecord: isApplied }) : undefined,
    isAsAtFork: commit => lineage.digestAtFork(commit, address, field) === three.declared,
    wasDeclared: () => base && lineage.wasDeclared(address, field, base.digest),
  })
  const author = write ? authorOfWrite(write) : authorOf(authors, asked)
  return { ...answer, ...(write ? { write } : {}), ...(author ? { author } : {}) }
}

/** The default of an undeclared field counts as declared. */
function baseIn({ fields }: BaseObject, kind: DeclarableKind, field: string): BaseField | undefined {
  const assumed = kind.fields[field]?.assumed
  if (fields[field] || assumed === undefined) return fields[field]
  return { digest: shortDigest(canonicalField(kind, field, assumed)), value: assumed }
}

function mergedEdit(
  context: ObjectContext,
  live: Live,
  recorded: OnRecord,
  about: Omit<EditedField, 'treatment'>,
): EditedField {
  const { kind, policy, redaction } = context
  const { field, change } = about
  const was = wasIn(recorded, field)
  const unclear = ignoredBlock(context, live, { [field]: change.after })
  if (unclear) return { ...about, ...was, treatment: 'conflict', reason: unclear.reason }
  const values = { base: was.was, declared: change.after, live: change.before }
  const together = mergeField(kind, field, values, policy.ownership.tag)
  if (together.is === 'merged') return { ...about, ...was, treatment: 'merged', merged: together.value }
  const reason = redaction ? hiddenReason(kind, field, values, redaction) : together.reason
  return { ...about, ...was, treatment: 'conflict', reason }
}

/** Why two sides contradict each other, with placeholders for their values. */
function hiddenReason(
  kind: ObjectContext['kind'],
  field: string,
  { base, declared, live }: ThreeValues,
  redaction: ObjectRedaction,
): string {
  const shown = (value: Json) => redaction.fields({ [field]: value })[field] ?? null
  const values = {
    base: base === undefined ? base : shown(base),
    declared: shown(declared),
    live: shown(live),
  }
  const together = mergeField(kind, field, values)
  return together.is === 'conflict' ? together.reason : `${field} was changed on both sides`
}

function wasIn({ base }: OnRecord, field: string): Pick<EditedField, 'was'> {
  const was = base?.fields[field]?.value
  return was === undefined ? {} : { was }
}

/** The decision about an object that exists although it is declared absent, or the reverse. */
export interface EditedExistence extends Answer {
  readonly isLive: boolean
  /** The fields of a live object that differ from their base. */
  readonly edited: readonly string[]
  readonly write?: OutsideWrite
  readonly author?: Author
}

/** Checks an object that is missing although it is declared, or exists although it is declared absent. */
export function editedExistence(
  context: ObjectContext,
  live: Live | undefined,
  recorded: OnRecord,
): EditedExistence {
  const { desired, kind } = context
  const { base, writes, lineage } = recorded
  const isLive = live !== undefined
  const edited = live
    ? fieldsEditedInProduct(base, digestsBeside(context, live, recorded), together(writes))
    : []
  const now = shortDigest(isLive)
  const write = standingWrite(writes, existsField, now)
  const declared = Object.entries(declaredFieldDigests(kind, desired, context.policy.ownership.tag))
  const answer = answerTo(context, recorded, {
    field: existsField,
    verdict: existenceVerdict({
      base,
      declared: desired.ensure,
      live: isLive ? 'present' : 'absent',
      edited,
    }),
    origin: base?.origin,
    write,
    // If the object is declared absent, no field shows what the other branch declared.
    isAsAtFork: commit =>
      declared.length > 0 &&
      declared.every(([field, digest]) => lineage.digestAtFork(commit, desired.address, field) === digest),
    wasDeclared: () => undefined,
  })
  const id = live?.id ?? context.found[0]?.id ?? base?.id
  const since = base ? { since: base.origin.at } : {}
  const asked = { kind, id, field: existsField, live: isLive, ...since }
  const author = write ? authorOfWrite(write) : authorOf(recorded.authors, asked)
  return { ...answer, isLive, edited, ...(write ? { write } : {}), ...(author ? { author } : {}) }
}

/** The live values of the fields that the base has, in the form of their digests. */
function digestsBeside(
  { kind, desired, policy }: ObjectContext,
  live: Live,
  { base }: OnRecord,
): Record<string, string> {
  const names = managedFields(kind).filter(name => name in live.record && base?.fields[name])
  return Object.fromEntries(
    names.map(name => {
      const field = base?.fields[name]
      // The field is no longer declared: members that others write do not count.
      const before = { ...desired, ignore: field?.ignore ?? [], fields: { [name]: {} } }
      const placesIn = { [name]: field?.value ?? live.record[name] ?? null }
      const compared = { kind, desired: before, live, ownershipTag: policy.ownership.tag, placesIn }
      return [name, threeOf(compared, name, field).live]
    }),
  )
}

/** The values from undo and disable together. */
function together(writes: readonly OutsideWrite[]): OutsideWrite | undefined {
  const [newest] = writes
  return (
    newest && { ...newest, fields: Object.assign({}, ...[...writes].reverse().map(({ fields }) => fields)) }
  )
}

/** The input of a decision about one field of an object, or about its existence. */
export interface Question {
  readonly field: string
  readonly verdict: Situation['verdict']
  /** The run of the field's base; undefined without a base. */
  readonly origin: BaseOrigin | undefined
  readonly write: OutsideWrite | undefined
  readonly evidence?: Situation['evidence']
  readonly isAsAtFork: (commit: string) => boolean
  readonly wasDeclared: () => boolean | undefined
}

interface Answer extends Judgement {
  /** Whether only a permission lets it be overwritten. */
  readonly isLifted: boolean
  /** For a `reverted` field: whether the repository has changed it too. */
  readonly isOnBothSides?: true
  /** For a field that is behind: the commit that declared the live value. */
  readonly commit?: string
}

/** Decides the treatment of a field: by the verdict, the policy, the evidence, and the permissions. */
function answerTo(
  context: ObjectContext,
  { lineage, heldSince, base }: OnRecord,
  question: Question,
): Answer {
  const { field, verdict, origin, write } = question
  // The run of its base may be lost, such as with an old folder.
  const isBaseLost = base?.fields[field] === undefined && Object.hasOwn(heldSince, field)
  const evidence = question.evidence ?? (verdict === 'two_way' && isBaseLost ? 'run' : undefined)
  const commit = origin?.revision?.commit
  const relation = lineage.relationOf(commit)
  const situation: Situation = {
    verdict,
    isBehind: isBehind({
      relation,
      isAsAtFork: relation === 'diverged' && commit !== undefined && question.isAsAtFork(commit),
      ...(relation === 'missing' ? { wasDeclared: question.wasDeclared() } : {}),
    }),
    way: liveEditWay(liveEditPolicyOf(context.policy, context.desired), field),
    leave: leaveOf(context),
    ...(write ? { outside: write.by } : {}),
    ...(evidence === undefined ? {} : { evidence }),
  }
  const judgement = treatmentOf(situation)
  const isLifted = stays(treatmentOf({ ...situation, leave: 'none' }).is) && !stays(judgement.is)
  const behind = judgement.is === 'behind' && commit !== undefined ? { commit } : {}
  const both = judgement.is === 'reverted' && verdict === 'conflict' ? { isOnBothSides: true as const } : {}
  return { ...judgement, isLifted, ...both, ...behind }
}

function stays(is: Decision): boolean {
  switch (is) {
    case 'nothing':
    case 'send':
      return false
    case 'merge':
      return true
    default:
      return isLeftOut(is)
  }
}

/** The permission to overwrite: for the named object, or a standing one. */
function leaveOf(context: ObjectContext): Leave {
  const { desired, policy } = context
  const isNamed = policy.allow.some(
    ({ rule, address }) => rule === 'live_edit' && address === desired.address,
  )
  if (isNamed) return 'named'
  return isAllowedFor(context, 'live_edit') ? 'standing' : 'none'
}
