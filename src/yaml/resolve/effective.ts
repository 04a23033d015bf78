import type { Layer, ObjectDeclaration } from '../declaration.ts'
import type { Environment } from '../settings.ts'

/** What a declaration says in one environment: its overrides laid over it, value by value. */
export interface Effective {
  readonly layer: Layer
  readonly ensure: 'present' | 'absent'
}

/** Undefined when the declaration leaves the object alone in this environment. */
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

/** Whether the declaration says to leave the object alone in this environment. */
export function isSkipped({ environments }: ObjectDeclaration, { name }: Pick<Environment, 'name'>): boolean {
  return name !== undefined && environments.get(name)?.skip === true
}

/** Whether something that is limited to environments belongs to this one. */
export function belongsTo({ only }: Pick<ObjectDeclaration, 'only'>, name: string | undefined): boolean {
  return only === undefined || (name !== undefined && only.has(name))
}
