import { segmentsOf } from '../model/pointer.ts'
import type { FileDeclarations } from './declaration.ts'
import { belongsTo } from './effective.ts'

/** Whether what stands at a pointer has a part in what a file declares for an environment. */
export function concernsEnvironment(
  { objects, grants }: FileDeclarations,
  pointer: string,
  environment: string,
): boolean {
  const grant = grants.find(one => pointer.startsWith(`${one.pointer}/`))
  if (grant) return belongsTo(grant, environment)
  const declaration = objects.find(({ base }) => pointer.startsWith(`${base.pointer}/`))
  if (!declaration) return true
  if (!belongsTo(declaration, environment)) return false
  const override = declaration.environments.get(environment)
  const [member, name] = segmentsOf(pointer.slice(declaration.base.pointer.length))
  if (member === 'environments') return name === environment
  // An override replaces the member whole, so what it replaces is never used.
  return override === undefined || !(override.skip || (member !== undefined && member in override.members))
}
