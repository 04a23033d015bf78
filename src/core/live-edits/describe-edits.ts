import { parentAddress } from '../../kinds/index.ts'
import { fileOfField } from '../../model/field.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import { compactManaged, type Live } from '../live.ts'
import type { ObjectContext } from '../plan/object-context.ts'
import { allowFlag, commandAt } from '../policy.ts'
import { summaryOf } from '../summary/change-summary.ts'
import { fileSummary } from '../summary/field-summary.ts'
import type { EditedExistence, EditedField } from './edited-fields.ts'
import { existsField, type LiveEdit, type LiveEditField, type Treatment } from './live-edit.ts'
import type { OnRecord } from './records.ts'

/** Describes the edited fields of a living object. */
export function tellFields(
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

/** Describes an object that exists and should not, or the reverse. */
export function tellExistence(
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
  // The commit of a field that is behind shows its author.
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
 * What somebody did in the product, described as a change of it.
 *
 * | the field                            | description                                                     |
 * |--------------------------------------|-----------------------------------------------------------------|
 * | was changed there                    | from declared to live                                           |
 * | is taken back; both sides changed it | from the earlier value to live, if that is known                |
 * | is merged                            | from the earlier value to live; the change beside it shows more |
 * | is in conflict                       | from the earlier value to live and to declared; else two values |
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

/** Null means no file. */
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
    : `${declared}, and made again in the product`
}

/** Whether it counts as absent only because a declared list does not name it. */
function isBesideList({ desired, ensured }: ObjectContext): boolean {
  return desired.parent !== undefined && ensured(desired.address) === undefined
}

/**
 * The remedies to show.
 *
 * | the object                          | the remedies, in this order                                    |
 * |-------------------------------------|----------------------------------------------------------------|
 * | is off by `vexil disable`           | turn it on again                                               |
 * | something is lost, or left out      | take it into the files; if `vexil undo` has set it, the reason |
 * |                                     | is in the files, and has to change there                       |
 * | something is merged                 | take it into the files once it is applied                      |
 * | something is behind                 | take the commit into this line                                 |
 * | a value of `vexil undo` is left out | revert the commit, or declare what is live                     |
 * | something is left out, or behind    | allow it                                                       |
 * | something else is left out          | declare what is live                                           |
 */
function remediesFor(context: ObjectContext, edits: readonly Edit[]): string[] {
  const { address, source, ensure } = context.desired
  const { placeOptions } = context.policy
  // No declaration has the own name of a grant beside a list.
  const pulledBy = isBesideList(context) ? (parentAddress(address) ?? address) : address
  const isAny = (...treatments: readonly Treatment[]) =>
    edits.some(({ treatment }) => treatments.includes(treatment))
  const behind = edits.flatMap(({ commit }) => (commit === undefined ? [] : [commit.slice(0, 12)]))[0]
  const left = edits.filter(({ treatment }) => treatment === 'held' || treatment === 'conflict')
  const isDisabled = left.some(({ write }) => write?.by === 'disable')
  const isExistence = edits.some(({ field }) => field === existsField)
  const gone = isExistence && ensure === 'present'
  const sends = isExistence ? (gone ? 'makes it again' : 'deletes it') : 'sends what is declared'
  const isUndone = left.some(({ write }) => write?.by === 'undo')
  const isPulled = [...left, ...edits.filter(({ treatment }) => treatment === 'reverted')].some(
    ({ write }) => write?.by !== 'undo',
  )
  const pull = commandAt(`vexil pull ${shellWord(pulledBy)}`, placeOptions)
  const place = source ? `in ${source.file}:${source.line}` : 'in its declaration'
  const edit = `say ${place} what is live${gone ? ': `ensure: absent`' : ''}`
  return [
    ...(isDisabled
      ? [`${commandAt(`vexil enable ${shellWord(address)}`, placeOptions)} turns it on again`]
      : []),
    ...(isPulled ? [`${pull} takes what is live into the files`] : []),
    ...(isAny('merged') && left.length === 0 && !isAny('reverted')
      ? [`apply this; ${pull} takes it into the files afterwards`]
      : []),
    ...(behind === undefined ? [] : [`take commit ${behind} into this line: \`git merge ${behind}\``]),
    ...(isUndone ? [`revert the commit that asked for it, or ${edit}`] : []),
    ...(left.length > 0 || isAny('behind') ? [`${allowFlag('live_edit', address)} ${sends}`] : []),
    ...(left.length > 0 && !isUndone ? [edit] : []),
  ]
}
