import { isGuardRule } from '../../model/guard-rules.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { members, type Shape, text } from '../../model/json/json-shape.ts'
import { writeJson, writeJsonOnce } from '../../model/json/json-text.ts'
import { type SchemaProblem, validateJournalLine, validateRun } from '../../schema/validate-against.ts'
import { targetFromJson, targetToJson } from '../target.ts'
import { changeFromJson, changeToJson } from './change-json.ts'
import type { Blocked, EntryOutcome, HeldFields, Run, RunCommand, RunEntry, RunRecord } from './run.ts'

/** The facts of a run before it begins, as the first line of its journal has them. */
export function runText(run: Run, at: string): string {
  const head = writeJson({ at, type: 'run', ...headToJson(run) })
  // Each change was searched for a key in the same form.
  const changes = run.changes.map(change => writeJsonOnce(changeToJson(change)))
  return `${head.slice(0, -1)},"changes":[${changes.join(',')}]}`
}

export function recordToJson(record: RunRecord): JsonObject {
  return {
    ...headToJson(record),
    ...(record.finishedAt === undefined ? {} : { finished_at: timeText(record.finishedAt) }),
    complete: record.isComplete,
    entries: record.entries.map(({ change, outcome, id, changeRequest, notKept, maybeWritten }) => ({
      outcome,
      ...(id === undefined ? {} : { id }),
      ...(changeRequest === undefined ? {} : { change_request: changeRequest }),
      ...(notKept ? { not_kept: [...notKept] } : {}),
      ...(maybeWritten ? { maybe_written: true } : {}),
      change: changeToJson(change),
    })),
  }
}

/** Reads the first line of a journal back; returns a reason if it is not one. */
export function runFromJson(line: JsonObject): Run | string {
  const why = whyNoFirstLine(line)
  if (why !== undefined) return why
  const changes = isJsonArray(line.changes) ? line.changes : []
  return { ...headFromJson(line), changes: changes.filter(isJsonObject).map(changeFromJson) }
}

/** Reads a record back; returns a reason if it is not one, or has another format. */
export function recordFromJson(value: Json): RunRecord | string {
  const why = whyNoRecord(value)
  if (why !== undefined) return why
  const run = isJsonObject(value) ? value : {}
  const { finished_at, complete, entries } = run
  return {
    ...headFromJson(run),
    ...(typeof finished_at === 'string' ? { finishedAt: Date.parse(finished_at) } : {}),
    isComplete: complete === true,
    entries: isJsonArray(entries) ? entries.filter(isJsonObject).map(entryFromJson) : [],
  }
}

function headToJson(run: Omit<Run, 'changes'>): JsonObject {
  const {
    command,
    environment,
    revision,
    who,
    reason,
    after,
    planDigest,
    undoes,
    held,
    allowed,
    unchanged,
    declared,
  } = run
  return {
    format_version: runFormat,
    run: run.run,
    command,
    ...(environment === undefined ? {} : { environment }),
    target: targetToJson(run.target),
    ...(revision === undefined ? {} : { commit: revision.commit, dirty: revision.dirty }),
    ...(who === undefined ? {} : { who: { ...who } }),
    ...(reason === undefined ? {} : { reason }),
    started_at: timeText(run.startedAt),
    ...(after === undefined ? {} : { after: [...after] }),
    ...(planDigest === undefined ? {} : { plan_digest: planDigest }),
    ...(undoes === undefined ? {} : { undoes }),
    ...(run.blocked.length === 0 ? {} : { blocked: run.blocked.map(each => ({ ...each })) }),
    ...(run.notTargeted.length === 0 ? {} : { not_targeted: [...run.notTargeted] }),
    ...(held === undefined
      ? {}
      : { held: held.map(({ address, fields }) => ({ address, fields: [...fields] })) }),
    ...(allowed === undefined ? {} : { allowed: [...allowed] }),
    unchanged,
    ...(declared === undefined ? {} : { declared }),
  }
}

function headFromJson(value: JsonObject): Omit<Run, 'changes'> {
  const { command, environment, commit, dirty, who, reason, plan_digest, undoes, held, allowed } = value
  const { unchanged, declared, after } = value
  return {
    run: String(value.run),
    // The schema names the same commands.
    command: command as RunCommand,
    ...(typeof environment === 'string' ? { environment } : {}),
    target: targetFromJson(isJsonObject(value.target) ? value.target : {}),
    ...(typeof commit === 'string' ? { revision: { commit, dirty: dirty === true } } : {}),
    ...(isJsonObject(who) ? { who: { name: String(who.name), from: String(who.from) } } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    startedAt: Date.parse(String(value.started_at)),
    ...(isJsonArray(after) ? { after: after.map(String) } : {}),
    ...(typeof plan_digest === 'string' ? { planDigest: plan_digest } : {}),
    ...(typeof undoes === 'string' ? { undoes } : {}),
    // The schema gives each of them the members of one.
    blocked: (value.blocked ?? []) as unknown as readonly Blocked[],
    notTargeted: isJsonArray(value.not_targeted) ? value.not_targeted.map(String) : [],
    // The schema gives each of them the members of one.
    ...(isJsonArray(held) ? { held: held as unknown as readonly HeldFields[] } : {}),
    ...(isJsonArray(allowed) ? { allowed: allowed.map(String).filter(isGuardRule) } : {}),
    unchanged: Number(unchanged),
    ...(typeof declared === 'string' ? { declared } : {}),
  }
}

function entryFromJson(entry: JsonObject): RunEntry {
  return {
    change: changeFromJson(isJsonObject(entry.change) ? entry.change : {}),
    // The schema names the same outcomes.
    outcome: entry.outcome as EntryOutcome,
    ...(typeof entry.id === 'string' ? { id: entry.id } : {}),
    ...(typeof entry.change_request === 'string' ? { changeRequest: entry.change_request } : {}),
    ...(isJsonArray(entry.not_kept) ? { notKept: entry.not_kept.map(String) } : {}),
    ...(entry.maybe_written === true ? { maybeWritten: true } : {}),
  }
}

function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

/** The format of records and of the first line of journals. */
const runFormat = '1.0'

/** What is wrong with the record of a run; undefined if it can be read. */
function whyNoRecord(json: Json): string | undefined {
  if (!isJsonObject(json)) return head(json, '')
  return whyNoFormat(json) ?? firstOf(validateRun(json))
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
  return firstOf(validateJournalLine(line)) ?? event?.(line, '')
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
