import { parentAddress } from '../../kinds/index.ts'
import { fieldOfFile, fileOfField } from '../../model/field.ts'
import { identityField, targetingField } from '../../model/kind.ts'
import { type Json, type JsonObject, pickMembers } from '../../model/text/json.ts'
import { fitsAnyGlob } from '../../model/text/names.ts'
import { durationText, shellWord } from '../../model/text/printable.ts'
import { visible } from '../../targeting/value-words.ts'
import type { Block, Change, Outcome } from '../change.ts'
import { summaryOf } from '../describe/describe-change.ts'
import { fileSummary } from '../describe/describe-field.ts'
import type { Desired } from '../desired.ts'
import { canonicalIdentity, compactManaged, idKey, type Live } from '../live.ts'
import { blockedOf, unreadable } from '../plan/block.ts'
import { isAsDeclared, type ObjectContext } from '../plan/object-context.ts'
import { planAbsent, planPresent } from '../plan/plan-object.ts'
import { allowFlag, commandAt, type Policy } from '../policy.ts'
import { type EditedExistence, type EditedField, editedExistence, editedFields } from './edited-fields.ts'
import { existsField, isLeftOut, type LiveEdit, type LiveEditField, type Treatment } from './live-edit.ts'
import type { OnRecord } from './records.ts'

export interface PlannedObject {
  readonly outcome: Outcome
  readonly liveEdit?: LiveEdit
}

/**
 * Plans one declared object. Fields that keep their live values count as undeclared; the others are planned
 * normally, with guards, risk and summary.
 *
 * | declared | live                               | outcome                                   |
 * |----------|------------------------------------|-------------------------------------------|
 * | present  | changed, and no difference is sent | held                                      |
 * | present  | changed, and more differs          | a change of the other differences         |
 * | present  | deleted in the product, and held   | held                                      |
 * | present  | its `id:` never existed            | blocked, as without a record              |
 * | any      | renamed in the product             | blocked: a second object would be created |
 * | absent   | changed or created again, and held | held                                      |
 * | any      | anything else                      | as without a record                       |
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

/** Whether the declared id is wrong: no object has it, and the recorded object had another. */
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
    liveEdit: describeFields(context, live, edits, recorded),
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
  const liveEdit = describeExistence(context, { ...existence, treatment }, recorded)
  if (isLeftOut(treatment)) return { outcome: { is: 'held', address: context.desired.address }, liveEdit }
  const { outcome } = asEver()
  return { outcome: existence.isLifted ? withAllowed(outcome) : outcome, liveEdit }
}

/** The declaration to plan: without fields that are not sent, and with merged values. */
function withoutLeftOut({ kind, desired }: ObjectContext, edits: readonly EditedField[]): Desired {
  const left = new Set(edits.filter(({ treatment }) => isLeftOut(treatment)).map(({ field }) => field))
  const merged = edits.flatMap(({ field, merged: value }) =>
    value === undefined ? [] : [[field, value] as const],
  )
  if (left.size === 0 && merged.length === 0) return desired
  const isTouched = (field: string) => left.has(field) || merged.some(([name]) => name === field)
  const { tags, prefixedTags, audiences, files, ignore, liveOnly = [], ...others } = desired
  // Merged values already include the live values at ignored places.
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

/** Notes for reviewers which fields contain more than the declared value. */
function withMergedNotes(outcome: Outcome, edits: readonly EditedField[]): Outcome {
  const notes = edits
    .filter(({ treatment }) => treatment === 'merged')
    .map(({ field }) => `${field}: merged with the change in the product`)
  if (outcome.is !== 'change' || notes.length === 0) return outcome
  return { is: 'change', change: { ...outcome.change, summary: [...outcome.change.summary, ...notes] } }
}

function withAllowed(outcome: Outcome): Outcome {
  if (outcome.is !== 'change') return outcome
  const change: Change = { ...outcome.change, allowed: [...outcome.change.allowed, 'live_edit'] }
  return { is: 'change', change }
}

/** Marks fields held longer than `longest_hold` allows, from the end of the first run that held them. */
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
 * The live object that was renamed in the product since it last converged, found by its id. Undefined if an
 * object has the declared name.
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

/** The block for an object that was renamed in the product: a second object would be created. */
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

function describeFields(
  context: ObjectContext,
  live: Live,
  edits: readonly EditedField[],
  recorded: OnRecord,
): LiveEdit {
  const whole = compactManaged(context.kind, live.record)
  const fields = edits.map(edit => {
    const reason = edit.reason === undefined ? [] : [edit.reason]
    return describeField(edit, [...fieldSummary(context, whole, edit), ...reason], recorded)
  })
  return describeObject(context, fields, edits)
}

/** Describes an object that exists although it is declared absent, or the reverse. */
function describeExistence(
  context: ObjectContext,
  existence: EditedExistence & { readonly treatment: Treatment },
  recorded: OnRecord,
): LiveEdit {
  const edit = { ...existence, field: existsField, isOnBothSides: undefined }
  const field = describeField(edit, [existenceSummary(context, existence)], recorded)
  return describeObject(context, [field], [edit])
}

type Edit = Pick<EditedField, 'field' | 'treatment' | 'evidence' | 'commit' | 'write' | 'author'>

function describeField(
  edit: Edit & { readonly isOnBothSides?: true | undefined },
  summary: readonly string[],
  { heldSince }: OnRecord,
): LiveEditField {
  const { field, treatment, evidence, commit, isOnBothSides, write, author } = edit
  const since = treatment === 'held' && Object.hasOwn(heldSince, field) ? heldSince[field] : undefined
  // If a field is behind, its commit shows the author.
  const isShown = author && (treatment !== 'behind' || write)
  return {
    field,
    treatment,
    ...(evidence === undefined ? {} : { evidence }),
    ...(isOnBothSides ? { isOnBothSides } : {}),
    summary,
    ...(isShown ? { author } : {}),
    ...(evidence === 'run' && write ? { setBy: { command: write.by, run: write.run } } : {}),
    ...(since === undefined ? {} : { heldSince: since }),
    ...(commit === undefined ? {} : { commit }),
  }
}

function describeObject(
  context: ObjectContext,
  fields: readonly LiveEditField[],
  edits: readonly Edit[],
): LiveEdit {
  const { address, source } = context.desired
  const remedies = remediesFor(context, edits)
  return { address, kind: context.kind.name, fields, remedies, ...(source ? { source } : {}) }
}

/**
 * Describes the change of a field in the product.
 *
 * | the field                          | description                                             |
 * |------------------------------------|---------------------------------------------------------|
 * | was changed in the product         | from declared to live                                   |
 * | is reverted; both sides changed it | from base to live, if the base is known                 |
 * | is merged                          | from base to live; the planned change shows more        |
 * | is in conflict                     | from base to live and to declared, if the base is known |
 */
function fieldSummary(
  { kind, rules, policy, redaction }: ObjectContext,
  now: JsonObject,
  { field, change, treatment, was }: EditedField,
): readonly string[] {
  const file = fileOfField(field)
  const fromTo = (from: Json, to: Json) => {
    if (file !== undefined) {
      const [was, becomes] = [from, to].map(text => ({ [file]: textOrNone(text) }))
      const shown = (files = {}) => redaction?.files(files) ?? files
      return fileSummary(shown(becomes), shown(was))
    }
    const [before, after] = [from, to].map(value => ({ ...now, [field]: value }))
    return before && after
      ? summaryOf(kind, {
          action: 'update',
          before,
          after,
          fields: [field],
          rules,
          risk: policy.risk,
          groupTypes: policy.groupTypes,
          redaction,
        }).summary
      : []
  }
  if (was === undefined) return fromTo(change.after, change.before)
  const inProduct = fromTo(was, change.before)
  if (treatment !== 'conflict') return inProduct
  return [
    ...inProduct.map(line => `in the product: ${line}`),
    ...fromTo(was, change.after).map(line => `in the repository: ${line}`),
  ]
}

/** The text of a source file; null if there is none. */
function textOrNone(value: Json): string | null {
  return typeof value === 'string' ? value : null
}

function existenceSummary(
  context: ObjectContext,
  { isLive, edited, treatment, evidence, write }: EditedExistence & { readonly treatment: Treatment },
): string {
  const by = evidence === 'run' && write ? `by \`vexil ${write.by}\`` : undefined
  if (!isLive) return `deleted ${by ?? 'in the product'}`
  const declared = isBesideList(context) ? 'not in the declared list' : 'declared absent'
  if (by !== undefined) return `${declared}, and put back ${by}`
  if (edited.length > 0) return `declared absent, and changed in the product: ${edited.join(', ')}`
  if (treatment === 'behind') return `${declared} here, and present by that commit`
  return isBesideList(context)
    ? `${declared}, and granted in the product`
    : `${declared}, and created again in the product`
}

/** Whether the grant counts as absent because the declared list does not contain it. */
function isBesideList({ desired, ensured }: ObjectContext): boolean {
  return desired.parent !== undefined && ensured(desired.address) === undefined
}

/**
 * The remedies to show.
 *
 * | the object                       | the remedies, in this order                     |
 * |----------------------------------|-------------------------------------------------|
 * | is off by `vexil disable`        | turn it on again                                |
 * | something is overwritten or held | pull it; if `vexil undo` has set it, the reason |
 * |                                  | is in the files, which must change              |
 * | something is merged              | pull it after the apply                         |
 * | something is behind              | merge the commit                                |
 * | a value of `vexil undo` is held  | revert the commit, or declare the live value    |
 * | something is held, or behind     | allow it                                        |
 * | something else is held           | declare the live value                          |
 */
function remediesFor(context: ObjectContext, edits: readonly Edit[]): string[] {
  const { address, source, ensure } = context.desired
  const { placeOptions } = context.policy
  // A grant outside the declared list is declared with its flag.
  const pulledBy = isBesideList(context) ? (parentAddress(address) ?? address) : address
  const isAny = (...treatments: readonly Treatment[]) =>
    edits.some(({ treatment }) => treatments.includes(treatment))
  const behind = edits.flatMap(({ commit }) => (commit === undefined ? [] : [commit.slice(0, 12)]))[0]
  const left = edits.filter(({ treatment }) => treatment === 'held' || treatment === 'conflict')
  const isDisabled = left.some(({ write }) => write?.by === 'disable')
  const isExistence = edits.some(({ field }) => field === existsField)
  const gone = isExistence && ensure === 'present'
  const sends = isExistence ? (gone ? 'creates it again' : 'deletes it') : 'sends the declared values'
  const isUndone = left.some(({ write }) => write?.by === 'undo')
  const isPulled = [...left, ...edits.filter(({ treatment }) => treatment === 'reverted')].some(
    ({ write }) => write?.by !== 'undo',
  )
  const pull = commandAt(`vexil pull ${shellWord(pulledBy)}`, placeOptions)
  const place = source ? `${source.file}:${source.line}` : 'its declaration'
  const edit = `edit ${place} to match${gone ? ': `ensure: absent`' : ''}`
  return [
    ...(isDisabled
      ? [`${commandAt(`vexil enable ${shellWord(address)}`, placeOptions)} turns it on again`]
      : []),
    ...(isPulled ? [`${pull} writes the live values into the files`] : []),
    ...(isAny('merged') && left.length === 0 && !isAny('reverted')
      ? [`apply this plan; then ${pull} writes the result into the files`]
      : []),
    ...(behind === undefined ? [] : [`merge commit ${behind} into this branch: \`git merge ${behind}\``]),
    ...(isUndone ? [`revert the commit that asked for it, or ${edit}`] : []),
    ...(left.length > 0 || isAny('behind') ? [`${allowFlag('live_edit', address)} ${sends}`] : []),
    ...(left.length > 0 && !isUndone ? [edit] : []),
  ]
}
