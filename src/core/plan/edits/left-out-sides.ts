import { pickMembers } from '../../../model/json/json.ts'
import { managedFields } from '../../../model/kind.ts'
import { fileOfField } from '../../../model/source-field.ts'
import type { Action, LeftOut } from '../../change.ts'
import { declaredFields } from '../../diff.ts'
import { compactManaged, type Live } from '../../live.ts'
import type { Treatment } from '../../live-edits/live-edit.ts'
import { declaredSealed } from '../../sealed.ts'
import type { ObjectContext } from '../object/object-context.ts'
import type { EditedField } from './edited-fields.ts'

/** Those treatments that leave a field as it is live. */
const leaving = ['conflict', 'held', 'behind'] as const satisfies readonly Treatment[]

/** The fields of a living object that a plan leaves as they are, live and declared, by what is said of them. */
export function leftOutFieldsOf(
  context: ObjectContext,
  live: Live,
  edits: readonly EditedField[],
): readonly LeftOut[] {
  if (hasSealed(context, live)) return []
  return leaving.flatMap(treatment => {
    const changes = edits.flatMap(edit => (edit.treatment === treatment ? [edit.change] : []))
    if (changes.length === 0) return []
    const fields = changes.filter(({ field }) => fileOfField(field) === undefined)
    const files = changes.flatMap(({ field, ...sides }) => {
      const name = fileOfField(field)
      return name === undefined ? [] : [{ name, ...sides }]
    })
    const sideOf = (side: 'before' | 'after') => ({
      fields: Object.fromEntries(fields.map(change => [change.field, change[side]])),
      files: Object.fromEntries(
        files.map(file => [file.name, typeof file[side] === 'string' ? file[side] : null]),
      ),
    })
    const [before, after] = [sideOf('before'), sideOf('after')]
    return [
      {
        ...about(context, treatment, 'update'),
        before: before.fields,
        after: after.fields,
        ...(files.length > 0 ? { files: after.files, filesBefore: before.files } : {}),
      },
    ]
  })
}

/** An object that is there and should not be, or the other way round: one side has nothing. */
export function leftOutExistence(
  context: ObjectContext,
  live: Live | undefined,
  treatment: Treatment,
): readonly LeftOut[] {
  const { kind, desired, policy } = context
  const is = leaving.find(each => each === treatment)
  if (is === undefined || hasSealed(context, live)) return []
  if (live) return [{ ...about(context, is, 'delete'), before: compactManaged(kind, live.record), after: {} }]
  const declared = declaredFields(kind, desired, undefined, policy.ownership.tag)
  const managed = managedFields(kind)
  const after = pickMembers(declared, (_, name) => managed.includes(name))
  return [{ ...about(context, is, 'create'), before: {}, after }]
}

function about({ kind, desired }: ObjectContext, is: LeftOut['is'], action: Action) {
  const { address, sensitive } = desired
  return { is, address, kind: kind.name, action, ...(sensitive === undefined ? {} : { sensitive }) }
}

/** What the service keeps encrypted is shown nowhere. */
function hasSealed({ kind, desired }: ObjectContext, live: Live | undefined): boolean {
  return declaredSealed(kind, desired.fields, live?.record) !== undefined
}
