import type { Json } from '../../../model/json/json.ts'
import { type DeclarableKind, identityField } from '../../../model/kind.ts'
import { fileOfField } from '../../../model/source-field.ts'
import { diffFields, type FieldChange, fileChanges } from '../../diff.ts'
import { sentDigests, shortDigest } from '../../fingerprint.ts'
import { canonicalField, type Live } from '../../live.ts'
import { type AskedField, authorOf, isByPerson } from '../../live-edits/authors.ts'
import type { BaseField, BaseObject, OutsideWrite } from '../../live-edits/base.ts'
import { threeOf } from '../../live-edits/digests.ts'
import type { Author, Treatment } from '../../live-edits/live-edit.ts'
import { mergeField, type ThreeValues } from '../../live-edits/merge-field.ts'
import { standingWrite } from '../../live-edits/treatment.ts'
import { unprovenEvidence } from '../../live-edits/unproven.ts'
import { verdictOf } from '../../live-edits/verdict.ts'
import { liveEditPolicyOf } from '../../policy.ts'
import type { ObjectRedaction } from '../../redaction.ts'
import { ignoredBlock } from '../guards/ignored-block.ts'
import type { ObjectContext } from '../object/object-context.ts'
import { type Answer, answerTo } from './judge.ts'
import type { OnRecord } from './on-record.ts'

/** A declared field of a living object that was changed in the product, and what becomes of it. */
export interface EditedField extends Omit<Answer, 'is'> {
  readonly field: string
  readonly treatment: Treatment
  /** From what is live to what is declared. */
  readonly change: FieldChange
  /** What it was before both sides changed it, as far as that is to be had. */
  readonly was?: Json
  /** What both sides come to together. */
  readonly merged?: Json
  /** Why they do not, in words. */
  readonly reason?: string
  /** The undo or disable that has set it. */
  readonly write?: OutsideWrite
  readonly author?: Author
}

/** Who ran an undo or a disable, and why. */
export function authorOfWrite({ who, at, reason }: OutsideWrite): Author {
  return { ...(who === undefined ? {} : { name: who }), at, ...(reason === undefined ? {} : { reason }) }
}

/** What of the differences between a declaration and a living object is a live edit. */
export interface FieldEdits {
  readonly edits: readonly EditedField[]
  /** Whether something is a plain change only because it was allowed to write over what stood in its way. */
  readonly isLifted: boolean
}

/** Looks at each field that is not live as declared. One whose difference the repository has made is no live edit. */
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
  // What was sent may have had the ownership tag, which is in no base.
  const now =
    fileOfField(field) === undefined ? (sentDigests(kind, { [field]: before })[field] ?? '') : three.live
  const write = standingWrite(recorded.writes, field, now)
  const { lineage, isApplied, authors } = recorded
  const { address } = desired
  const commit = origin?.revision?.commit
  const told = verdictOf(three)
  // A commit that took over what is live is what the repository has changed since.
  const isTaken =
    told === 'conflict' &&
    lineage.relationOf(commit) === 'ancestor' &&
    lineage.wasDeclared(address, field, three.live, commit) === true
  const verdict = isTaken ? 'repository_changed' : told
  const asked: AskedField = {
    kind,
    id: live.id,
    field,
    live: before,
    ...(since === undefined ? {} : { since }),
  }
  const { automation } = liveEditPolicyOf(policy, desired)
  // What the repository has declared before is no wish of a person any more: it was taken over, and has been changed since.
  const isWish = () => lineage.wasDeclared(address, field, three.live) !== true
  const unproven = {
    kind,
    field,
    declared: after,
    live: before,
    // Of tags that are only added to, none is declared whole.
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

/** Where nobody declared a field that means something without it, that was meant. */
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

/** Why two sides contradict each other, in words that name what stands for their values. */
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
