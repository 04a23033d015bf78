import { isGuardRule } from '../../model/guard-rules.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { members, type Shape, text } from '../../model/text/json-shape.ts'
import { writeJson, writeJsonOnce } from '../../model/text/json-text.ts'
import { type SchemaProblem, validateAgainst } from '../../schema/validate-against.ts'
import type { BlockRule, Change } from '../change.ts'
import type { GuardRule } from '../desired.ts'
import type { Target } from '../target.ts'
import { changeForm, changeToJson, type Form, fromDocument, targetForm, toDocument } from './change-json.ts'

/** The commands that write. Each of their runs is recorded. */
const runCommands = ['apply', 'undo', 'claim', 'unclaim', 'disable', 'enable'] as const
export type RunCommand = (typeof runCommands)[number]

/** Who started a run, and the source of the name: a pipeline variable, `git` or `system`. */
export interface Who {
  readonly name: string
  readonly from: string
}

/** The commit of a run's declarations. Without git there is none. */
export interface RunCommit {
  readonly commit: string
  /** Whether the folder contained anything besides that commit. */
  readonly dirty: boolean
}

/** What is known before a run begins: the first line of its journal. */
export interface Run {
  readonly run: string
  readonly command: RunCommand
  readonly environment?: string
  readonly target: Target
  readonly revision?: RunCommit
  readonly who?: Who
  /** The reason that the person gave, in one line. Required for a disable. */
  readonly reason?: string
  /** Milliseconds since 1970, by the clock of its machine. */
  readonly startedAt: number
  /** The newest runs of its target that it knew. */
  readonly after?: readonly string[]
  readonly planDigest?: string
  readonly undoes?: string
  readonly changes: readonly Change[]
  readonly blocked: readonly Blocked[]
  /** Declared objects that the command line excluded. */
  readonly notTargeted: readonly string[]
  /** Fields that were not written because they differ in the product; absent means none. */
  readonly held?: readonly HeldFields[]
  /** Permissions for rules about a run as a whole; absent means none. */
  readonly allowed?: readonly GuardRule[]
  /** How many objects matched their declarations. */
  readonly unchanged: number
  /** The name of the table of declarations: see `declaredDigests`. */
  readonly declared?: string
}

/** Declared fields of one object that a run did not change; `exists` means the object itself. */
export interface HeldFields {
  readonly address: string
  readonly fields: readonly string[]
}

export interface Blocked {
  readonly address: string
  readonly rule: BlockRule
}

const entryOutcomes = ['done', 'already', 'failed', 'pending', 'stale', 'skipped'] as const
export type EntryOutcome = (typeof entryOutcomes)[number]

/**
 * One change of a run, with its result. `id` is the id of the object, also if the run created it. A failed
 * change has an id if only its source files failed.
 */
export interface RunEntry {
  readonly change: Change
  readonly outcome: EntryOutcome
  readonly id?: string
  /** For a pending change: the request that waits for approval in the service. */
  readonly changeRequest?: string
  /** Fields that the service accepted but did not store. */
  readonly notKept?: readonly string[]
  /** Requests were sent, and their effect is unknown. */
  readonly maybeWritten?: true
  /** A request was sent, then the run was cut off (or still runs). Only for runs without a record. */
  readonly brokeOff?: true
}

/** What a run did: enough to find later changes, and to undo it. */
export interface RunRecord extends Omit<Run, 'changes'> {
  /** Unknown for a run that was cut off. */
  readonly finishedAt?: number
  /** Whether it ran to its end, neither cut off nor stopped. */
  readonly isComplete: boolean
  readonly entries: readonly RunEntry[]
}

export const objectOutcomes = [
  ...entryOutcomes,
  'not_known',
  'blocked',
  'held',
  'not_targeted',
  'unchanged',
] as const
export type ObjectOutcome = (typeof objectOutcomes)[number]

export function entryOutcome({ outcome, brokeOff }: RunEntry): ObjectOutcome {
  return brokeOff ? 'not_known' : outcome
}

/** Whether a run has written, or may have written, an object. */
export function hasWritten({ outcome, id, maybeWritten }: RunEntry): boolean {
  return (
    outcome === 'done' ||
    maybeWritten === true ||
    ((outcome === 'failed' || outcome === 'stale') && id !== undefined)
  )
}

/** The number of objects for each outcome of a run. Objects with held fields count as held too. */
export function outcomeCounts(record: RunRecord): Readonly<Record<ObjectOutcome, number>> {
  const outcomes = record.entries.map(entryOutcome)
  const of = (wanted: ObjectOutcome) => outcomes.filter(outcome => outcome === wanted).length
  return {
    done: of('done'),
    already: of('already'),
    unchanged: record.unchanged,
    failed: of('failed'),
    pending: of('pending'),
    stale: of('stale'),
    skipped: of('skipped'),
    not_known: of('not_known'),
    blocked: record.blocked.length,
    held: record.held?.length ?? 0,
    not_targeted: record.notTargeted.length,
  }
}

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

/** The text of the first line of a journal. */
export function runText({ changes, ...run }: Run, at: string): string {
  const head = writeJson({ at, type: 'run', ...toRunJson(run) })
  // Keys were already searched for in this form.
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

function whyNoFirstLine(line: JsonObject): string | undefined {
  return (
    (line.type === 'run' ? undefined : 'it is not the line of a run') ?? whyNoFormat(line) ?? whyNoLine(line)
  )
}

export function whyNoLine(line: JsonObject): string | undefined {
  const event =
    typeof line.type === 'string' && Object.hasOwn(events, line.type) ? events[line.type] : undefined
  return firstOf(validateAgainst('journal', line)) ?? event?.(line, '')
}

const head = members({ format_version: text })

/** What a journal line must have. The schema has more optional members, since `--json` uses it too. */
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
