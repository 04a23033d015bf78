import { fieldOfFile, sourceField } from '../../model/field.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { tagMemberNames } from '../../model/tag-member.ts'
import { shortMembers } from '../../targeting/short/short-form.ts'
import type { Layer, ObjectDeclaration } from '../declaration.ts'
import { isFilledIn } from '../declaration-file.ts'
import type { Environment } from '../settings.ts'

/**
 * Those fields of a declaration in which something comes out of the environment, in the declaration itself, in its
 * override or in an audience. Another machine declares something else there with the same files.
 */
export function fieldsFromEnvironment(
  declaration: ObjectDeclaration,
  layer: Layer,
  { name: environment }: Environment,
): string[] {
  const { kind, base, file } = declaration
  // Mostly nothing does, and all objects of a repository come by here.
  if (file.secrets.size === 0 && !layer.expanded?.audiences.length) return []
  const override = environment === undefined ? undefined : declaration.environments.get(environment)
  const layers = override ? [base, override] : [base]
  const isFilled = (member: string) =>
    layers.some(({ pointer }) => isFilledIn(file, `${pointer}${pointerOf(member)}`))
  const fields = Object.keys(layer.fields).filter(
    field =>
      membersOf(kind, field).some(isFilled) || (field === layer.expanded?.field && hasFilledAudience(layer)),
  )
  const isFileFilled = (name: string) =>
    layers.some(({ pointer }) => isFilledIn(file, `${pointer}${pointerOf(sourceField, name)}`))
  const files = Object.keys(layer.files ?? {}).filter(isFileFilled)
  return [...fields, ...files.map(fieldOfFile)]
}

/** The members of a declaration that make up a field. */
function membersOf(kind: DeclarableKind, field: string): readonly string[] {
  if (field === targetingField(kind)) return [field, ...shortMembers]
  return field === kind.lifecycle.ownedBy ? [field, ...tagMemberNames] : [field]
}

function hasFilledAudience({ expanded }: Layer): boolean {
  return (expanded?.audiences ?? []).some(({ condition, parts }) => {
    const count = parts.reduce((sum, { properties }) => sum + properties, 0)
    return Array.from({ length: count }, (_, index) =>
      expanded?.sharedAt(pointerOf('groups', condition, 'properties', index)),
    ).some(shared => shared !== undefined && isFilledIn(shared.file, shared.pointer))
  })
}
