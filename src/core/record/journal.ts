import { appendFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isServiceError, type Redact } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { linkOrCopy, makeFolder } from '../../model/files.ts'
import type { Runtime } from '../../model/runtime.ts'
import { isJsonArray, isJsonObject, type JsonObject } from '../../model/text/json.ts'
import { nounOf } from '../../model/text/json-shape.ts'
import { readJson, writeJson } from '../../model/text/json-text.ts'
import { messageOf } from '../../model/text/message-of.ts'
import type { ApplyEvent } from '../apply/apply-event.ts'
import type { Change } from '../change.ts'
import { type Form, toDocument } from './change-json.ts'
import {
  type EntryOutcome,
  type Run,
  type RunEntry,
  type RunRecord,
  runFromJson,
  runText,
  whyNoLine,
} from './run.ts'

/**
 * An append-only record of one run: a first line with all planned changes, then one line of JSON for each
 * event, written before the run continues. After a kill, only the journal remains.
 */
export interface Journal {
  readonly path: string
  /** Resolves when the line is in the file. */
  append(event: ApplyEvent): Promise<void>
  close(): Promise<void>
}

/** Stores lines of a journal in a second place. Resolves when they are stored; a failure stops the run. */
export type JournalCopy = (lines: string) => Promise<void>

/**
 * Begins a journal. Only its owner can read the file, since it contains all changed values. `hide` removes
 * secrets from each line.
 */
export async function openJournal(
  path: string,
  run: Run,
  runtime: Runtime,
  hide: Redact = all => all,
  copy?: JournalCopy,
): Promise<Journal> {
  await makeFolder(dirname(path))
  const firstLine = hide(`${runText(run, timeText(runtime))}\n`)
  await writeFirstLine(path, firstLine)
  await copy?.(firstLine)
  const file = await open(path, 'a', 0o600)
  let waiting: string[] = []
  let next: Promise<void> | undefined
  // Simultaneous lines share one write. It is synchronous, because a thread would take longer.
  const writeWaiting = async () => {
    await undefined
    const lines = waiting.join('')
    waiting = []
    next = undefined
    appendFileSync(file.fd, lines)
    await copy?.(lines)
  }
  return {
    path,
    append(event) {
      waiting.push(hide(lineOf(eventJson(event), runtime)))
      next ??= writeWaiting()
      return next
    },
    close: () => file.close(),
  }
}

/**
 * A journal has a complete first line or does not exist, even after a power failure. A journal without this
 * line would block every later undo, since its changes would be unknown.
 */
async function writeFirstLine(path: string, line: string): Promise<void> {
  const unfinished = `${path}.unfinished`
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.appendFile(line)
    await file.datasync()
  } finally {
    await file.close()
  }
  await linkOrCopy(unfinished, path)
  await rm(unfinished)
}

function lineOf(content: JsonObject, runtime: Runtime): string {
  return `${writeJson({ at: timeText(runtime), ...content })}\n`
}

function timeText(runtime: Runtime): string {
  return new Date(runtime.now()).toISOString()
}

const eventForm: Form = {
  names: {
    requestLine: 'request',
    notKept: 'not_kept',
    changedBeside: 'changed_beside',
    elapsedMs: 'elapsed_ms',
    changeRequest: 'change_request',
  },
  omits: ['cause', 'error'],
}

/** An event as plain data, for journals and for `--json`. */
export function eventJson(event: ApplyEvent): JsonObject {
  const json = toDocument(event, eventForm)
  if (event.type === 'change_failed') return { ...json, ...errorJson(event.error) }
  return event.type === 'change_done' ? { ...json, elapsed_ms: Math.round(event.elapsedMs) } : json
}

function errorJson(error: unknown): JsonObject {
  const message = messageOf(error)
  if (!isServiceError(error)) return { error: message }
  const { requestLine: request, status, code = null, attr = null, retryAfterMs } = error
  const failure = { error: message, request, status, code, attr }
  return retryAfterMs === undefined ? failure : { ...failure, retry_after_ms: retryAfterMs }
}

export type JournalReading = { readonly record: RunRecord } | { readonly unreadable: string }

/**
 * The result of a run without a record, from its journal.
 *
 * | broken line                | result                                                                      |
 * |----------------------------|-----------------------------------------------------------------------------|
 * | the first                  | unreadable: the changes of the run are unknown                              |
 * | another, with its line end | unreadable: it may have recorded a request                                  |
 * | the last, without line end | skipped: it was being written when the run was killed, and nothing followed |
 */
export function readJournal(text: string): JournalReading {
  const lines = text.split('\n')
  const unfinished = lines.pop() ?? ''
  const [first = noJson, ...events] = lines.map(lineFrom)
  const run = typeof first === 'string' ? first : runFromJson(first)
  if (typeof run === 'string') return { unreadable: `its first line does not describe a run: ${run}` }
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

const noJson = 'it is not JSON, or was cut off'

/** Why a line is not a valid event. Ignoring it could hide a request that was sent. */
function whyNoEvent(line: JsonObject, addresses: ReadonlySet<string>): string | undefined {
  const { address } = line
  const isOther = typeof address === 'string' && !addresses.has(address)
  return (
    whyNoLine(line) ??
    (isOther ? `it is about ${JSON.stringify(address)}, which the first line does not name` : undefined)
  )
}

function lineFrom(text: string): JsonObject | string {
  try {
    const value = readJson(text)
    return isJsonObject(value) ? value : `it is ${nounOf(value)} and not an object`
  } catch {
    return noJson
  }
}

/**
 * The result of each change of a run, from the lines of its journal.
 *
 * | its last line                          | requests sent | entry                                    |
 * |----------------------------------------|---------------|------------------------------------------|
 * | done                                   |               | done, or already done                    |
 * | failed, its only request refused (4xx) | one           | failed                                   |
 * | failed in another way                  | any           | failed, and maybe written                |
 * | pending, its only request accepted     | one           | pending: nothing was written             |
 * | pending, after other requests          | several       | pending, and maybe written               |
 * | stale                                  | none          | stale                                    |
 * | stale, its only request refused        | one           | stale                                    |
 * | stale in another way                   | any           | stale, and maybe written                 |
 * | skipped, or no line                    | none          | skipped                                  |
 * | started                                | none          | skipped: the run ended before it         |
 * | attempted                              | any           | failed, and maybe written: the run ended |
 */
export function entriesOf(changes: readonly Change[], lines: readonly JsonObject[]): RunEntry[] {
  const byAddress = new Map<string, JsonObject[]>(changes.map(({ address }) => [address, []]))
  for (const line of lines) byAddress.get(String(line.address))?.push(line)
  return changes.map(change => entryOf(change, byAddress.get(change.address) ?? []))
}

function entryOf(change: Change, lines: readonly JsonObject[]): RunEntry {
  const last = lines.at(-1)
  if (last?.type === 'change_done') {
    const notKept = isJsonArray(last.not_kept) ? last.not_kept.map(String) : []
    return {
      change,
      outcome: last.already === true ? 'already' : 'done',
      id: String(last.id),
      ...(notKept.length > 0 ? { notKept } : {}),
    }
  }
  const outcome = outcomeOf(last)
  const attempts = lines.filter(({ type }) => type === 'change_attempt')
  const id = outcome === 'failed' ? idWithoutFiles(change, attempts) : idMade(last)
  const [attempt, ...others] = attempts
  const isOpen = attempt !== undefined && (others.length > 0 || !isRefused(attempt, last))
  return {
    change,
    outcome,
    ...(id === undefined ? {} : { id }),
    ...(last?.type === 'change_pending' ? { changeRequest: String(last.change_request) } : {}),
    ...(isOpen ? { maybeWritten: true } : {}),
    ...(last?.type === 'change_attempt' ? { brokeOff: true } : {}),
  }
}

/** The id of an object that was created but has a name that others have too. */
function idMade(last: JsonObject | undefined): string | undefined {
  return last?.type === 'change_stale' && last.id !== undefined ? String(last.id) : undefined
}

function outcomeOf(last: JsonObject | undefined): EntryOutcome {
  switch (last?.type) {
    case 'change_pending':
      return 'pending'
    case 'change_stale':
      return 'stale'
    case 'change_skipped':
    case 'change_start':
    case undefined:
      return 'skipped'
    default:
      return 'failed'
  }
}

/**
 * Whether the last request was refused, so that nothing was written. A 5xx answer leaves the result unknown,
 * and so does a refused read after a lost answer.
 */
function isRefused(attempt: JsonObject, last: JsonObject | undefined): boolean {
  const { type, request, status } = last ?? {}
  if (type === 'change_pending' || last?.refused === true) return true
  if (type !== 'change_failed' || request !== attempt.request) return false
  return typeof status === 'number' && status >= 400 && status < 500
}

/**
 * The id of an object that was written, but whose files failed. Files are sent last, so the path of their
 * request contains the id of a new object.
 */
function idWithoutFiles({ kind: name, action }: Change, attempts: readonly JsonObject[]): string | undefined {
  const { create, update, files } = declarableKind(name).lifecycle
  const last = attempts.at(-1)
  const before = action === 'create' ? create : update
  const isOwnWritten = attempts.some(({ endpoint }) => endpoint === before)
  return isOwnWritten && files && last?.endpoint === files.write && last.id !== undefined
    ? String(last.id)
    : undefined
}
