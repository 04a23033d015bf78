import { isGuardRule } from '../../model/guard-rules.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { members, type Shape, text } from '../../model/json/json-shape.ts'
import { writeJson, writeJsonOnce } from '../../model/json/json-text.ts'
import { type SchemaProblem, validateAgainst } from '../../schema/validate-against.ts'
import { changeForm, changeToJson, type Form, fromDocument, targetForm, toDocument } from './change-json.ts'
import type { Run, RunRecord } from './run.ts'

const runForm: Form = {
  names: {
    startedAt: 'started_at',
    finishedAt: 'finished_at',
    planDigest: 'plan_digest',
    notTargeted: 'not_targeted',
    isComplete: 'complete',
  },
  times: ['startedAt', 'finishedAt'],
  parts: {
    target: { ...targetForm, omits: ['known'] },
    changes: changeForm,
    entries: {
      names: { changeRequest: 'change_request', notKept: 'not_kept', maybeWritten: 'maybe_written' },
      parts: { change: changeForm },
      omits: ['brokeOff'],
    },
  },
  spread: { member: 'revision', of: ['commit', 'dirty'] },
}

/** The facts of a run before it begins, as in the first line of its journal. */
export function runText({ changes, ...run }: Run, at: string): string {
  const head = writeJson({ at, type: 'run', ...toRunJson(run) })
  // Each change was already searched for keys in this form.
  const texts = changes.map(change => writeJsonOnce(changeToJson(change)))
  return `${head.slice(0, -1)},"changes":[${texts.join(',')}]}`
}

/** Empty lists are not written. */
export function toRunJson({ blocked, notTargeted, ...run }: Omit<Run, 'changes'> | RunRecord): JsonObject {
  const lists = {
    blocked: blocked.length > 0 ? blocked : undefined,
    notTargeted: notTargeted.length > 0 ? notTargeted : undefined,
  }
  return { format_version: runFormat, ...toDocument({ ...run, ...lists }, runForm) }
}

function fromRunJson<Value extends Run | RunRecord>(json: JsonObject): Value {
  const { at: _, type: __, format_version: ___, ...run } = json
  const read = fromDocument<Value>(run, runForm)
  const allowed = read.allowed?.filter(isGuardRule)
  const { blocked = [], notTargeted = [] } = read
  return { ...read, blocked, notTargeted, ...(allowed ? { allowed } : {}) }
}

/** Reads the first line of a journal; returns a reason if it is not one. */
export function runFromJson(line: JsonObject): Run | string {
  return whyNoFirstLine(line) ?? fromRunJson<Run>(line)
}

/** Reads a record; returns a reason if it is not one, or has another format. */
export function recordFromJson(value: Json): RunRecord | string {
  const why = whyNoRecord(value)
  return why ?? fromRunJson<RunRecord>(isJsonObject(value) ? value : {})
}

/** The format of records and of the first line of journals. */
const runFormat = '1.0'

/** What is wrong with the record of a run; undefined if it can be read. */
function whyNoRecord(json: Json): string | undefined {
  if (!isJsonObject(json)) return head(json, '')
  return whyNoFormat(json) ?? firstOf(validateAgainst('run', json))
}

/** The same for the first line of a journal. */
function whyNoFirstLine(line: JsonObject): string | undefined {
  return (
    (line.type === 'run' ? undefined : 'it is not the line of a run') ?? whyNoFormat(line) ?? whyNoLine(line)
  )
}

/** The same for any line. */
export function whyNoLine(line: JsonObject): string | undefined {
  const event =
    typeof line.type === 'string' && Object.hasOwn(events, line.type) ? events[line.type] : undefined
  return firstOf(validateAgainst('journal', line)) ?? event?.(line, '')
}

const head = members({ format_version: text })

/**
 * The members that a line needs to show the result of a change. The schema is also that of `--json`, so
 * members that may be missing there are optional in it.
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
