import type { DeclarableKind } from '../../model/kind.ts'
import type { Change } from '../change.ts'
import { readAgain } from '../read/locate.ts'
import type { PerformContext } from './performed.ts'
import { type Settled, settleWrite } from './settle-write.ts'

/** Sends the source files that a change names, where it names any; what became of a lost answer, the files tell. */
export async function writeFiles(
  kind: DeclarableKind,
  change: Change,
  id: string,
  context: PerformContext,
): Promise<Settled> {
  const { files } = change
  const endpoint = kind.lifecycle.files?.write
  if (!files || !endpoint) return { is: 'settled', already: true }
  return settleWrite({
    ...context,
    write: { kind, endpoint, params: { id }, body: files },
    find: () => readAgain(kind, { ...change, id }, context),
    isDone: live => Object.entries(files).every(([name, text]) => (live.files?.[name] ?? null) === text),
    // Naming the same files with the same texts again changes nothing, so they may be sent whatever is there, or
    // where nobody can see them.
    isUntouched: () => true,
  })
}
