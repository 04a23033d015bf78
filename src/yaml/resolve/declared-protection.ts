import type { DeclaredProtection } from '../../core/record/undo/protected-today.ts'
import type { FileDeclarations } from '../declaration.ts'
import type { Environment } from '../settings.ts'
import { effectiveIn } from './effective.ts'

export function declaredProtection(
  files: readonly FileDeclarations[],
  environment: Environment,
  isPartial: boolean,
): DeclaredProtection {
  const [addresses, ids] = [new Set<string>(), new Set<string>()]
  for (const declaration of files.flatMap(({ objects }) => objects)) {
    const { protect, id } = effectiveIn(declaration, environment)?.layer ?? {}
    if (!protect) continue
    addresses.add(declaration.address)
    // A declaration may call an object otherwise, where it says which one is meant.
    if (id !== undefined) ids.add(`${declaration.kind.name}#${id}`)
  }
  return {
    has: ({ address, kind, id }) => addresses.has(address) || (id !== undefined && ids.has(`${kind}#${id}`)),
    isPartial,
  }
}
