import { dependencyProblems } from '../../core/plan/flags/declared-dependencies.ts'
import type { Problem } from '../../model/problem.ts'
import type { FileDeclarations } from '../declaration.ts'
import type { DeclaredNames } from '../resolve/declared-names.ts'
import { namingFlags } from '../resolve/naming-flags.ts'
import { resolveDeclarations } from '../resolve/resolve.ts'
import { environmentsOf, type Settings } from '../settings.ts'

/** How flags of a repository name each other, in any environment. Files need to have those alone that name any. */
export function checkDependencies(
  declared: readonly FileDeclarations[],
  settings: Settings,
  isTaken: DeclaredNames['isTaken'],
): readonly Problem[] {
  const naming = namingFlags(declared)
  if (naming.every(({ objects }) => objects.length === 0)) return []
  const problems = environmentsOf(settings).flatMap(environment => {
    const { desired } = resolveDeclarations(naming, environment, () => undefined)
    return dependencyProblems(desired, isTaken)
  })
  // What holds in several environments is one problem.
  return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()]
}
