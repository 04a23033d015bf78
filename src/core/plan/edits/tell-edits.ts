import { parentAddress } from '../../../kinds/index.ts'
import type { JsonObject } from '../../../model/json/json.ts'
import { shellWord } from '../../../model/text/shell-word.ts'
import { compactManaged, type Live } from '../../live.ts'
import { existsField, type LiveEdit, type LiveEditField, type Treatment } from '../../live-edits/live-edit.ts'
import { allowFlag } from '../../policy.ts'
import type { ObjectContext } from '../object-context.ts'
import { summaryOf } from '../summary/change-summary.ts'
import type { EditedExistence } from './edited-existence.ts'
import type { EditedField } from './edited-fields.ts'
import type { OnRecord } from './on-record.ts'

/** What is told of the fields of a living object. */
export function tellFields(
  context: ObjectContext,
  live: Live,
  edits: readonly EditedField[],
  recorded: OnRecord,
): LiveEdit {
  const whole = compactManaged(context.kind, live.record)
  const fields = edits.map((edit): LiveEditField => {
    const { field, treatment, evidence, author, commit, reason } = edit
    const told = fieldSummary(context, whole, edit)
    return {
      field,
      treatment,
      ...(evidence === undefined ? {} : { evidence }),
      summary: [...told, ...(reason === undefined ? [] : [reason])],
      ...(author ? { author } : {}),
      ...heldSinceOf(recorded, field, treatment),
      ...(commit === undefined ? {} : { commit }),
    }
  })
  return told(context, fields, edits)
}

/** What is told of an object that is there and should not be, or the other way round. */
export function tellExistence(
  context: ObjectContext,
  existence: EditedExistence & { readonly treatment: Treatment },
  recorded: OnRecord,
): LiveEdit {
  const { treatment, evidence, author, commit } = existence
  const field: LiveEditField = {
    field: existsField,
    treatment,
    ...(evidence === undefined ? {} : { evidence }),
    summary: [existenceSummary(context, existence)],
    ...(author ? { author } : {}),
    ...heldSinceOf(recorded, existsField, treatment),
    ...(commit === undefined ? {} : { commit }),
  }
  return told(context, [field], [{ field: existsField, ...existence }])
}

function told(
  context: ObjectContext,
  fields: readonly LiveEditField[],
  edits: readonly Pick<EditedField, 'field' | 'treatment' | 'write' | 'commit'>[],
): LiveEdit {
  const { kind, desired } = context
  const { address, source, ensure } = desired
  // Nothing declares it by its own name.
  const pulledBy = isBesideList(context) ? (parentAddress(address) ?? address) : address
  return {
    address,
    kind: kind.name,
    fields,
    remedies: remediesFor(desired.address, { edits, source, ensure, pulledBy }),
    ...(source ? { source } : {}),
  }
}

/** From what is declared to what is live: what somebody did in the product, told as a change of it. */
function fieldSummary({ kind, rules }: ObjectContext, now: JsonObject, { field, change }: EditedField) {
  const before = { ...now, [field]: change.after }
  return summaryOf(kind, { action: 'update', before, after: now, fields: [field], rules }).summary
}

function existenceSummary(
  context: ObjectContext,
  { isLive, edited, treatment }: EditedExistence & { readonly treatment: Treatment },
): string {
  if (!isLive) return 'deleted in the product'
  if (edited.length > 0) return `declared absent, and changed in the product: ${edited.join(', ')}`
  const declared = isBesideList(context) ? 'not in the declared list' : 'declared absent'
  if (treatment === 'behind') return `${declared} here, and present by that commit`
  return isBesideList(context)
    ? `${declared}, and granted in the product`
    : `${declared}, and made again in the product`
}

/** Whether it is declared absent only by a list that does not name it. */
function isBesideList({ desired, ensured }: ObjectContext): boolean {
  return desired.parent !== undefined && ensured(desired.address) === undefined
}

function heldSinceOf({ heldSince }: OnRecord, field: string, treatment: Treatment) {
  const since = Object.hasOwn(heldSince, field) ? heldSince[field] : undefined
  return since === undefined || treatment !== 'held' ? {} : { heldSince: since }
}

interface Told {
  readonly edits: readonly Pick<EditedField, 'field' | 'treatment' | 'write' | 'commit'>[]
  readonly source: ObjectContext['desired']['source']
  readonly ensure: ObjectContext['desired']['ensure']
  /** What `vexil pull` is told to take. */
  readonly pulledBy: string
}

/**
 * How to go on.
 *
 * | of the object            | the ways                                                             |
 * |--------------------------|----------------------------------------------------------------------|
 * | something is left out    | take it into the files, allow it, edit the file                      |
 * | something is lost        | take it into the files first                                         |
 * | something is behind      | take the commit into this line, allow it                             |
 * | is off by `vexil disable` | turn it on again, before all others                                  |
 */
function remediesFor(address: string, { edits, source, ensure, pulledBy }: Told): string[] {
  const isAny = (...treatments: readonly Treatment[]) =>
    edits.some(({ treatment }) => treatments.includes(treatment))
  const behind = edits.flatMap(({ commit }) => (commit === undefined ? [] : [commit.slice(0, 12)]))[0]
  const isDisabled = edits.some(({ treatment, write }) => treatment === 'held' && write?.by === 'disable')
  const isExistence = edits.some(({ field }) => field === existsField)
  const gone = isExistence && ensure === 'present'
  const sends = isExistence ? (gone ? 'makes it again' : 'deletes it') : 'sends what is declared'
  const isLeftOut = isAny('held', 'conflict')
  const edit = source ? `edit ${source.file}:${source.line}` : 'edit its declaration'
  return [
    ...(isDisabled ? [`\`vexil enable ${shellWord(address)}\` turns it on again`] : []),
    ...(isLeftOut || isAny('reverted', 'merged')
      ? [`\`vexil pull ${shellWord(pulledBy)}\` takes what is live into the files`]
      : []),
    ...(behind === undefined ? [] : [`take commit ${behind} into this line: \`git merge ${behind}\``]),
    ...(isLeftOut || isAny('behind') ? [`${allowFlag('live_edit', address)} ${sends}`] : []),
    ...(isLeftOut ? [`${edit}${gone ? ', to `ensure: absent`' : ''}`] : []),
  ]
}
