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
    summary: [existenceSummary(existence)],
    ...(author ? { author } : {}),
    ...heldSinceOf(recorded, existsField, treatment),
    ...(commit === undefined ? {} : { commit }),
  }
  return told(context, [field], [{ field: existsField, ...existence }])
}

function told(
  { kind, desired }: ObjectContext,
  fields: readonly LiveEditField[],
  edits: readonly Pick<EditedField, 'field' | 'treatment' | 'write' | 'commit'>[],
): LiveEdit {
  const { address, source, ensure } = desired
  return {
    address,
    kind: kind.name,
    fields,
    remedies: remediesFor(desired.address, { edits, source, ensure }),
    ...(source ? { source } : {}),
  }
}

/** From what is declared to what is live: what somebody did in the product, told as a change of it. */
function fieldSummary({ kind, rules }: ObjectContext, now: JsonObject, { field, change }: EditedField) {
  const before = { ...now, [field]: change.after }
  return summaryOf(kind, { action: 'update', before, after: now, fields: [field], rules }).summary
}

function existenceSummary({
  isLive,
  edited,
  treatment,
}: EditedExistence & { readonly treatment: Treatment }) {
  if (!isLive) return 'deleted in the product'
  if (edited.length > 0) return `declared absent, and changed in the product: ${edited.join(', ')}`
  return treatment === 'behind'
    ? 'declared absent here, and present by that commit'
    : 'declared absent, and made again in the product'
}

function heldSinceOf({ heldSince }: OnRecord, field: string, treatment: Treatment) {
  const since = Object.hasOwn(heldSince, field) ? heldSince[field] : undefined
  return since === undefined || treatment !== 'held' ? {} : { heldSince: since }
}

interface Told {
  readonly edits: readonly Pick<EditedField, 'field' | 'treatment' | 'write' | 'commit'>[]
  readonly source: ObjectContext['desired']['source']
  readonly ensure: ObjectContext['desired']['ensure']
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
function remediesFor(address: string, { edits, source, ensure }: Told): string[] {
  const isAny = (...treatments: readonly Treatment[]) =>
    edits.some(({ treatment }) => treatments.includes(treatment))
  const behind = edits.flatMap(({ commit }) => (commit === undefined ? [] : [commit.slice(0, 12)]))[0]
  const isDisabled = edits.some(({ treatment, write }) => treatment === 'held' && write?.by === 'disable')
  const gone = edits.some(({ field }) => field === existsField) && ensure === 'present'
  const isLeftOut = isAny('held', 'conflict')
  const edit = source ? `edit ${source.file}:${source.line}` : 'edit its declaration'
  return [
    ...(isDisabled ? [`\`vexil enable ${shellWord(address)}\` turns it on again`] : []),
    ...(isLeftOut || isAny('reverted', 'merged')
      ? [`\`vexil pull ${shellWord(address)}\` takes what is live into the files`]
      : []),
    ...(behind === undefined ? [] : [`take commit ${behind} into this line: \`git merge ${behind}\``]),
    ...(isLeftOut || isAny('behind')
      ? [`${allowFlag('live_edit', address)} ${gone ? 'makes it again' : 'sends what is declared'}`]
      : []),
    ...(isLeftOut ? [`${edit}${gone ? ', to `ensure: absent`' : ''}`] : []),
  ]
}
