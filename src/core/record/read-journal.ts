import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { nounOf } from '../../model/json/json-shape.ts'
import { readJson } from '../../model/json/json-text.ts'
import { entriesOf } from './entries.ts'
import type { RunRecord } from './run.ts'
import { runFromJson } from './run-json.ts'
import { whyNoLine } from './run-shape.ts'

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
  const [first = noJson, ...events] = lines.map(lineFrom)
  const run = typeof first === 'string' ? first : runFromJson(first)
  if (typeof run === 'string')
    return { unreadable: `its first line does not say what was to be changed: ${run}` }
  const known: JsonObject[] = []
  const addresses = new Set(run.changes.map(({ address }) => address))
  for (const [index, line] of events.entries()) {
    const why = typeof line === 'string' ? line : whyNoEvent(line, addresses)
    if (why !== undefined) return { unreadable: `line ${index + 2} is broken: ${why}` }
    if (typeof line !== 'string') known.push(line)
  }
  const last = lineFrom(unfinished)
  if (typeof last !== 'string' && whyNoEvent(last, addresses) === undefined) known.push(last)
  const { changes, ...head } = run
  return { record: { ...head, isComplete: false, entries: entriesOf(changes, known) } }
}

const noJson = 'it is no JSON, or was cut off'

/** Whose change a line tells of has to be known: taken for nothing, it would hide that a request left. */
function whyNoEvent(line: JsonObject, addresses: ReadonlySet<string>): string | undefined {
  const { address } = line
  const isOther = typeof address === 'string' && !addresses.has(address)
  return (
    whyNoLine(line) ??
    (isOther ? `it is of ${JSON.stringify(address)}, which the first line does not name` : undefined)
  )
}

/** A line, or why it is none. */
function lineFrom(text: string): JsonObject | string {
  try {
    const value = readJson(text)
    return isJsonObject(value) ? value : `it is ${nounOf(value)} and not an object`
  } catch {
    return noJson
  }
}
