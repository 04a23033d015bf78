import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { stateFolder } from '../../../core/record/run-folder.ts'
import type { RepositorySettings } from '../../connection/repository-settings.ts'

/** Whether a folder is a repository, or has kept runs before: nothing is left in any other that a command is run in. */
export async function keepsRecords({ directory, settingsFile }: RepositorySettings): Promise<boolean> {
  if (settingsFile !== undefined) return true
  return access(join(directory, stateFolder)).then(
    () => true,
    () => false,
  )
}
