import { parentAddress } from '../../kinds/index.ts'
import { fieldOfFile } from '../../model/field.ts'
import { pickMembers } from '../../model/json/json.ts'
import { identityField, targetingField } from '../../model/kind.ts'
import { durationText } from '../../model/text/duration-text.ts'
import { fitsAnyGlob } from '../../model/text/name-glob.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import { visible } from '../../targeting/describe/value-words.ts'
import type { Block, Change, Outcome } from '../change.ts'
import type { Desired } from '../desired.ts'
import { blockedOf, unreadable } from '../guards/block.ts'
import { canonicalIdentity, type Live } from '../live.ts'
import { idKey } from '../plan/live-index.ts'
import { isAsDeclared, type ObjectContext } from '../plan/object-context.ts'
import { planAbsent, planPresent } from '../plan/plan-object.ts'
import { commandAt, type Policy } from '../policy.ts'
import { tellExistence, tellFields } from './describe-edits.ts'
import { type EditedField, editedExistence, editedFields } from './edited-fields.ts'
import { isLeftOut, type LiveEdit, type LiveEditField, type Treatment } from './live-edit.ts'
import type { OnRecord } from './records.ts'

/** The plan for one declared object, and its changes in the product. */
export interface PlannedObject {
  readonly outcome: Outcome
  readonly liveEdit?: LiveEdit
}

/**
 * Plans one declared object, without the fields that stay as they are in the product: this plan treats those
 * as undeclared. The rest of the declaration is planned normally, with its guards, its risk and its summary.
 *
 * | declared | live                                      | outcome                           |
 * |----------|-------------------------------------------|-----------------------------------|
 * | present  | changed, and all differences are left out | held                              |
 * | present  | changed, and more differs                 | a change of the other differences |
 * | present  | deleted in the product, and held          | held                              |
 * | present  | nothing has its `id:`, and it never had   | blocked: as without a record      |
 * | any      | renamed in the product                    | blocked: it would be a second one |
 * | absent   | changed or made again, and held           | held                              |
 * | any      | anything else                             | as without a record               |
 */
export function planObject(context: ObjectContext, recordedOf: (address: string) => OnRecord): PlannedObject {
  const { desired } = context
  const isPresent = desired.ensure === 'present'
  const asEver = () => ({ outcome: isPresent ? planPresent(context) : planAbsent(context) })
  if (unreadable(context)) return asEver()
  if (isPresent && isAsDeclared(context, context.policy))
    return { outcome: { is: 'unchanged', address: desired.address } }
  const recorded = recordedOf(desired.address)
  if (!tellsAnything(recorded)) return asEver()
  const { renamed } = context
  if (renamed)
    return { outcome: blockedOf(context, isPresent ? 'update' : 'delete', renamedBlock(context, renamed)) }
  const living = context.found.filter(live => !live.isSoftDeleted)
  const [live, other] = living
  if (other || (live && live.identity !== canonicalIdentity(context.kind, desired.identity))) return asEver()
  if (live && isPresent) return planLiving(context, live, recorded)
  if (!live && (!isPresent || context.kind.lifecycle.cannotCreate)) return asEver()
  if (isOfUnknownId(context, recorded)) return asEver()
  return planExistence(context, live, recorded, asEver)
}

function tellsAnything({ base, writes, isApplied, authors }: OnRecord): boolean {
  return base !== undefined || writes.length > 0 || isApplied || authors.objects.size > 0
}

/** Whether no object has the declared id, and the one on record had another: then the declaration is wrong. */
function isOfUnknownId({ desired, found }: ObjectContext, { base }: OnRecord): boolean {
  return found.length === 0 && desired.id !== undefined && desired.id !== base?.id
}

function planLiving(context: ObjectContext, live: Live, recorded: OnRecord): PlannedObject {
  const { edits, isLifted } = editedFields(context, live, recorded)
  const allowed = (outcome: Outcome) => (isLifted ? withAllowed(outcome) : outcome)
  if (edits.length === 0) return { outcome: allowed(planPresent(context)) }
  const planned = planPresent({ ...context, desired: withoutLeftOut(context, edits) })
  const isLeft = edits.some(({ treatment }) => isLeftOut(treatment))
  const outcome: Outcome =
    planned.is === 'unchanged' && isLeft ? { is: 'held', address: planned.address } : planned
  return {
    outcome: allowed(withMergedNotes(outcome, edits)),
    liveEdit: tellFields(context, live, edits, recorded),
  }
}

function planExistence(
  context: ObjectContext,
  live: Live | undefined,
  recorded: OnRecord,
  asEver: () => PlannedObject,
): PlannedObject {
  const existence = editedExistence(context, live, recorded)
  if (existence.is === 'nothing' || existence.is === 'send') {
    const { outcome } = asEver()
    return { outcome: existence.isLifted ? withAllowed(outcome) : outcome }
  }
  // An object exists or not: the two cannot be merged.
  const treatment: Treatment = existence.is === 'merge' ? 'conflict' : existence.is
  const liveEdit = tellExistence(context, { ...existence, treatment }, recorded)
  if (isLeftOut(treatment)) return { outcome: { is: 'held', address: context.desired.address }, liveEdit }
  const { outcome } = asEver()
  return { outcome: existence.isLifted ? withAllowed(outcome) : outcome, liveEdit }
}

/** The declaration to plan: without the fields that are left out, and with merged values. */
function withoutLeftOut({ kind, desired }: ObjectContext, edits: readonly EditedField[]): Desired {
  const left = new Set(edits.filter(({ treatment }) => isLeftOut(treatment)).map(({ field }) => field))
  const merged = edits.flatMap(({ field, merged: value }) =>
    value === undefined ? [] : [[field, value] as const],
  )
  if (left.size === 0 && merged.length === 0) return desired
  const isTouched = (field: string) => left.has(field) || merged.some(([name]) => name === field)
  const { tags, prefixedTags, audiences, files, ignore, liveOnly = [], ...others } = desired
  // The live values at these places are in a merged value already.
  const places = ignore?.filter(pointer => !isTouched(pointer.split('/')[1] ?? ''))
  const isOurs = !left.has(kind.lifecycle.ownedBy ?? '')
  return {
    ...others,
    fields: {
      ...pickMembers(desired.fields, (_, name) => !left.has(name)),
      ...Object.fromEntries(merged),
    },
    ...(files ? { files: withoutLeftFiles(files, left) } : {}),
    ...(places ? { ignore: places } : {}),
    ...(isOurs && tags ? { tags } : {}),
    ...(isOurs && prefixedTags ? { prefixedTags } : {}),
    // The numbers of declared conditions do not fit other conditions.
    ...(audiences && !isTouched(targetingField(kind) ?? '') ? { audiences } : {}),
    liveOnly: liveOnly.filter(
      ({ requires }) => requires.is !== 'filters' || !left.has(targetingField(kind) ?? ''),
    ),
  }
}

function withoutLeftFiles(
  files: NonNullable<Desired['files']>,
  left: ReadonlySet<string>,
): NonNullable<Desired['files']> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !left.has(fieldOfFile(name))))
}

/** The reader of the change must know that it contains more than the declared values. */
function withMergedNotes(outcome: Outcome, edits: readonly EditedField[]): Outcome {
  const notes = edits
    .filter(({ treatment }) => treatment === 'merged')
    .map(({ field }) => `${field}: together with what was changed in the product`)
  if (outcome.is !== 'change' || notes.length === 0) return outcome
  return { is: 'change', change: { ...outcome.change, summary: [...outcome.change.summary, ...notes] } }
}

function withAllowed(outcome: Outcome): Outcome {
  if (outcome.is !== 'change') return outcome
  const change: Change = { ...outcome.change, allowed: [...outcome.change.allowed, 'live_edit'] }
  return { is: 'change', change }
}

/**
 * Marks each field that is held longer than the policy `longest_hold` allows. A hold counts from the end of
 * the first run that left the field unchanged, so a hold that no run has met yet is not overdue.
 */
export function withOverdue(liveEdits: readonly LiveEdit[], { planned, now }: Policy): readonly LiveEdit[] {
  const rule = planned?.longest_hold
  if (!rule || now === undefined) return liveEdits
  const { level, within, except } = rule
  const words = `held longer than the ${durationText(within)} that the settings allow (policy longest_hold)`
  const described = (field: LiveEditField): LiveEditField =>
    field.heldSince === undefined || now - field.heldSince <= within
      ? field
      : { ...field, summary: [...field.summary, words], overdue: level }
  return liveEdits.map(edit =>
    fitsAnyGlob(except, nameOf(edit)) ? edit : { ...edit, fields: edit.fields.map(described) },
  )
}

/** A grant goes by its flag. */
function nameOf({ address }: LiveEdit): string {
  const own = parentAddress(address) ?? address
  return own.slice(own.indexOf('.') + 1)
}

/**
 * The living object that had the declared name when it last converged, and has another one now: somebody renamed it in
 * the product, and its id stays. Undefined where an object has the declared name.
 */
export function renamedInProduct(
  { kind, desired, found, index, snapshot }: ObjectContext,
  recordedOf: (address: string) => OnRecord,
  address: string,
): Live | undefined {
  if (found.some(live => !live.isSoftDeleted)) return undefined
  if (desired.id !== undefined || desired.renamedTo !== undefined) return undefined
  const { base } = recordedOf(address)
  if (base?.ensure !== 'present' || base.id === undefined || kind.identity.by !== 'field') return undefined
  const isIt = (live: Live) => live.kind === kind.name && live.id === base.id && !live.isSoftDeleted
  return [index.byId().get(idKey(kind.name, base.id)), ...(snapshot.undeclared ?? [])].find(
    live => live !== undefined && isIt(live),
  )
}

/** Why nothing is made of a declaration whose object has another name now: it would be a second one. */
function renamedBlock({ kind, desired, policy }: ObjectContext, { id, identity }: Live): Block {
  const name = identityField(kind)
  const body = shellWord(JSON.stringify({ [name]: desired.identity }))
  const call = `vexil call ${kind.name}.update id=${id} --body ${body}`
  const follow =
    desired.ensure === 'absent'
      ? `declare ${visible(identity)} absent in its place`
      : `declare it as ${visible(identity)}`
  return {
    rule: 'renamed_in_product',
    reason: `it was renamed in the product: id ${id} is ${visible(identity)} now`,
    remedy: `${follow}, or ${commandAt(call, policy.placeOptions)} gives it the declared ${name} again`,
  }
}
