import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { members, type Shape, text } from '../../model/json/json-shape.ts'
import { type SchemaProblem, validateJournalLine, validateRun } from '../../schema/validate-against.ts'

/** The format of records and of the first line of journals. */
export const runFormat = '1.0'

/** What is wrong with the record of a run; undefined where it can be read. */
export function whyNoRecord(json: Json): string | undefined {
  if (!isJsonObject(json)) return head(json, '')
  return whyNoFormat(json) ?? firstOf(validateRun(json))
}

/** The same of the first line of a journal. */
export function whyNoFirstLine(line: JsonObject): string | undefined {
  return (
    (line.type === 'run' ? undefined : 'it is not the line of a run') ?? whyNoFormat(line) ?? whyNoLine(line)
  )
}

/** The same of any line. */
export function whyNoLine(line: JsonObject): string | undefined {
  const event =
    typeof line.type === 'string' && Object.hasOwn(events, line.type) ? events[line.type] : undefined
  return firstOf(validateJournalLine(line)) ?? event?.(line, '')
}

const head = members({ format_version: text })

/**
 * What a line has to say so that what came of a change is known. The schema is that of what `--json` prints as well, and
 * leaves all of it out where it may be missing there.
 */
const events: Readonly<Record<string, Shape>> = {
  change_start: members({ address: text }),
  change_attempt: members({ address: text, request: text }),
  change_done: members({ address: text, id: text }),
  change_failed: members({ address: text }),
  change_pending: members({ address: text, change_request: text }),
  change_stale: members({ address: text }),
  change_skipped: members({ address: text }),
}

function whyNoFormat(json: JsonObject): string | undefined {
  const misshapen = head(json, '')
  if (misshapen !== undefined || json.format_version === runFormat) return misshapen
  return `it has format ${JSON.stringify(json.format_version)} and not "${runFormat}"`
}

function firstOf([problem]: readonly SchemaProblem[]): string | undefined {
  return problem && `${problem.pointer || 'it'} ${problem.message}`
}
