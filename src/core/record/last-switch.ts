import { endOf, isKnown } from './left/run-end.ts'
import type { RunRecord } from './run.ts'
import { listRuns, readRun } from './run-folder.ts'

/** How the newest run that has changed it left a flag: on, off or deleted; and when, in milliseconds since 1970. */
export interface LastSwitch {
  readonly is: 'on' | 'off' | 'deleted'
  readonly at: number
}

/**
 * When runs on record have last turned a flag on or off, or deleted it. Undefined where none has, where its newest change may
 * or may not have been written, and where the folder cannot be looked into. Runs are read from the newest one on.
 */
export async function lastSwitch(
  directory: string,
  { address, field }: { readonly address: string; readonly field: string },
  isMeant: (record: RunRecord) => boolean,
): Promise<LastSwitch | undefined> {
  for (const file of await listRuns(directory).catch(() => [])) {
    const reading = await readRun(file)
    if ('unreadable' in reading || !isMeant(reading.record)) continue
    const { record } = reading
    const entry = record.entries.find(({ change }) => change.address === address)
    if (!entry) continue
    if (!isKnown(entry) && entry.maybeWritten) return undefined
    if (!isKnown(entry)) continue
    const { change } = entry
    const at = endOf(record)
    if (change.action === 'delete') return { is: 'deleted', at }
    const { [field]: turned } = change.after
    if (typeof turned === 'boolean') return { is: turned ? 'on' : 'off', at }
  }
  return undefined
}
