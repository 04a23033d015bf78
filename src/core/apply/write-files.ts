import type { DeclarableKind } from '../../model/kind.ts'
import type { Change } from '../change.ts'
import { readAgain } from '../read/locate.ts'
import { type Confirmed, confirmWrite } from './confirm-write.ts'
import type { PerformContext } from './performed.ts'

/** Sends the source files that a change names, where it names any; what became of a lost answer, the files tell. */
export async function writeFiles(
  kind: DeclarableKind,
  change: Change,
  id: string,
  context: PerformContext,
): Promise<Confirmed> {
  const { files } = change
  const endpoint = kind.lifecycle.files?.write
  if (!files || !endpoint) return { is: 'settled', already: true }
  return confirmWrite({
    ...context,
    write: { kind, endpoint, params: { id }, body: files },
    find: () => readAgain(kind, { ...change, id }, context),
    isDone: live => Object.entries(files).every(([name, text]) => (live.files?.[name] ?? null) === text),
    // Naming the same files with the same texts again changes nothing, so they may be sent whatever is there, or
    // where nobody can see them.
    isUntouched: () => true,
  })
}
