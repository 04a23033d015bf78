import { fieldOfFile, sourceField } from '../../model/field.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { tagMemberNames } from '../../model/tag-member.ts'
import { isUuid } from '../../model/text/uuid.ts'
import { shortMembers } from '../../targeting/short/short-form.ts'
import { isFilledIn, type Layer, type ObjectDeclaration } from '../declaration.ts'
import type { Environment } from '../settings.ts'

/** A declaration in one environment: with its overrides merged over it, value by value. */
export interface Effective {
  readonly layer: Layer
  readonly ensure: 'present' | 'absent'
}

/** Undefined if the declaration skips the object in this environment. */
export function effectiveIn(declaration: ObjectDeclaration, { name }: Environment): Effective | undefined {
  const { base } = declaration
  if (!belongsTo(declaration, name)) return undefined
  if (isSkipped(declaration, { name })) return undefined
  const override = name === undefined ? undefined : declaration.environments.get(name)
  const ensure = override?.ensure ?? base.ensure ?? 'present'
  if (!override) return { layer: base, ensure }
  const tagMembers = { ...base.tagMembers, ...override.tagMembers }
  return {
    layer: { ...base, ...override, fields: { ...base.fields, ...override.fields }, tagMembers },
    ensure,
  }
}

/** The layers that may hold a value in an environment: the first one that has it decides. */
export function layersIn(
  { base, environments }: ObjectDeclaration,
  name: string | undefined,
): readonly Layer[] {
  const override = name === undefined ? undefined : environments.get(name)
  return override ? [override, base] : [base]
}

/** Whether the declaration skips the object in this environment. */
export function isSkipped({ environments }: ObjectDeclaration, { name }: Pick<Environment, 'name'>): boolean {
  return name !== undefined && environments.get(name)?.skip === true
}

/** Whether a declaration with limits to environments belongs to this one. */
export function belongsTo({ only }: Pick<ObjectDeclaration, 'only'>, name: string | undefined): boolean {
  return only === undefined || (name !== undefined && only.has(name))
}

/**
 * The fields of a declaration that contain a value from the environment, in the declaration itself, in its
 * override or in an audience. With the same files, another machine declares another value there.
 */
export function fieldsFromEnvironment(
  declaration: ObjectDeclaration,
  layer: Layer,
  { name: environment }: Environment,
): string[] {
  const { kind, file } = declaration
  // Usually nothing does, and this runs for all objects of a repository.
  if (file.secrets.size === 0 && !layer.expanded?.audiences.length) return []
  const layers = layersIn(declaration, environment)
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

/** The members of a declaration that form a field. */
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

export interface ResolvedRole {
  readonly id: string
  /** The name, if one is known. */
  readonly label: string
}

/** The role for a name or UUID in an environment. */
export function resolveRole(role: string, { roles }: Pick<Environment, 'roles'>): ResolvedRole | undefined {
  const name = role.trim()
  if (Object.hasOwn(roles, name)) return { id: roles[name] ?? '', label: name }
  const id = name.toLowerCase()
  if (!isUuid(id)) return undefined
  const label = Object.keys(roles).find(candidate => roles[candidate] === id)
  return { id, label: label ?? id }
}
