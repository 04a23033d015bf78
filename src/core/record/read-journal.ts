import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { readJson } from '../../model/json/json-text.ts'
import { validateJournalLine } from '../../schema/validate-against.ts'
import { inTodaysFormat } from './earlier-runs.ts'
import { entriesOf } from './entries.ts'
import type { RunRecord } from './run.ts'
import { runFromJson } from './run-json.ts'

/** A journal, or why it cannot be relied on. */
export type JournalReading = { readonly record: RunRecord } | { readonly unreadable: string }

/**
 * What a run did as its journal tells it, for a run that left no record.
 *
 * | line                        | when it is broken                                                              |
 * |-----------------------------|--------------------------------------------------------------------------------|
 * | the first                   | unreadable: nobody knows what the run has changed                              |
 * | another, with its line end  | unreadable: it may have said that a request left                               |
 * | the last, without line end  | passed over: it was being written when the run was killed, and nothing followed |
 */
export function readJournal(text: string): JournalReading {
  const lines = text.split('\n')
  const unfinished = lines.pop() ?? ''
  const [first, ...events] = lines.map(lineFrom)
  const run = first && runFromJson(first)
  if (!run) return { unreadable: 'its first line does not say what was to be changed' }
  const broken = events.indexOf(undefined)
  if (broken >= 0) return { unreadable: `line ${broken + 2} is broken` }
  const last = lineFrom(unfinished)
  const known = [...events, last].filter(line => line !== undefined)
  const { changes, ...head } = run
  return { record: { ...head, isComplete: false, entries: entriesOf(changes, known) } }
}

function lineFrom(text: string): JsonObject | undefined {
  try {
    const value = readJson(text)
    if (!isJsonObject(value)) return undefined
    const line = inTodaysFormat(value)
    return validateJournalLine(line).length === 0 ? line : undefined
  } catch {
    return undefined
  }
}
