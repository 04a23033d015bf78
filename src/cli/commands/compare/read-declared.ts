import { declaredObjects } from '../../../core/compare/declared-objects.ts'
import type { RepositoryFlags } from '../../connection/repository-settings.ts'
import type { Host } from '../../host/host.ts'
import { noteDeclarations, openRepository } from '../../repository/repository.ts'
import { isWanted, type ReadEnvironment, type ReadOptions } from './read-environment.ts'

/** What the files declare for each environment. */
export async function readDeclared(
  host: Host,
  names: readonly string[],
  flags: RepositoryFlags & ReadOptions,
): Promise<readonly ReadEnvironment[]> {
  const read: ReadEnvironment[] = []
  for (const [index, name] of names.entries()) {
    const repository = await openRepository(host, { ...flags, env: name })
    // The files are the same for all of them.
    if (index === 0) noteDeclarations(host, repository, flags)
    const objects = declaredObjects(repository.declarations)
    const { cohorts, groupTypes } = repository
    read.push({
      name,
      objects: objects.filter(object => isWanted(object, flags)),
      numbers: { cohorts, groupTypes },
    })
  }
  return read
}
