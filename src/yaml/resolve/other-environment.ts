import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import type { FileDeclarations, ObjectDeclaration } from '../declaration.ts'
import { belongsTo } from './effective.ts'
import { isMergedMember } from './short-layers.ts'

/** Tells of places in a file whether what stands there has a part in what it declares for an environment. */
export function concernsEnvironment(
  { objects, grants }: FileDeclarations,
  environment: string,
): (pointer: string) => boolean {
  const grantAt = new Map(grants.map(grant => [grant.pointer, grant]))
  const objectAt = new Map(objects.map(declaration => [declaration.base.pointer, declaration]))
  return pointer => {
    const [section = '', name = '', ...inside] = segmentsOf(pointer)
    if (inside.length === 0) return true
    const around = pointerOf(section, name)
    const grant = grantAt.get(around)
    if (grant) return belongsTo(grant, environment)
    const declaration = objectAt.get(around)
    return !declaration || isUsed(declaration, inside, environment)
  }
}

function isUsed(declaration: ObjectDeclaration, inside: readonly string[], environment: string): boolean {
  if (!belongsTo(declaration, environment)) return false
  const override = declaration.environments.get(environment)
  const [member, name] = inside
  if (member === 'environments') return name === environment
  if (override === undefined) return true
  // An override replaces a member whole, so what it replaces is never used; the short form is merged.
  const isReplaced =
    member !== undefined && member in override.members && !isMergedMember(declaration.kind, member)
  return !override.skip && !isReplaced
}
