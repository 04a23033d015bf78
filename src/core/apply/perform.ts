import { declarableKind } from '../../kinds/index.ts'
import type { Change } from '../change.ts'
import { namingById } from './naming-by-id.ts'
import { performCreate } from './perform-create.ts'
import { performDelete } from './perform-delete.ts'
import { performRestore, performUpdate } from './perform-update.ts'
import { orFailed, type PerformContext, type Performed } from './performed.ts'

export type { PerformContext, Performed } from './performed.ts'

/**
 * Carries out one change, so that doing it twice is doing it once.
 *
 * | action        | before the write                       | the write                            | lost answer            |
 * |---------------|----------------------------------------|--------------------------------------|------------------------|
 * | create        | a grant: its flag is still there, and  | POST                                 | look the identity up   |
 * |               | its role does not hold one;            |                                      |                        |
 * |               | a flag: nothing soft-deleted has its key |                                      |                        |
 * |               | a plugin: none of its name is there    | POST, then the second copy, if any   |                        |
 * | update, claim | read again; same fingerprint, or stop; | PATCH with what changed              | read again             |
 * |               | nothing where the service looks itself |                                      |                        |
 * | restore       | read again; still soft-deleted         | PATCH the fields, then `deleted`     | read again             |
 * | delete        | read again; same fingerprint, or stop  | PATCH `deleted`, with what is left   | read again             |
 * |               |                                        | in the object, or DELETE             |                        |
 *
 * What went wrong is in the result, and so is what there is in spite of it.
 */
export async function perform(change: Change, context: PerformContext): Promise<Performed> {
  return orFailed(() => performAction(change, namingById(change, context)))
}

function performAction(change: Change, context: PerformContext): Promise<Performed> {
  const kind = declarableKind(change.kind)
  switch (change.action) {
    case 'create':
      return performCreate(kind, change, context)
    case 'update':
    case 'claim':
      return performUpdate(kind, change, context)
    case 'restore':
      return performRestore(kind, change, context)
    case 'delete':
      return performDelete(kind, change, context)
  }
}
