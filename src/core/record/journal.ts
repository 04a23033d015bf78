import { appendFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isServiceError, type Redact } from '../../api/index.ts'
import { linkOrCopy } from '../../model/files/link-or-copy.ts'
import { makeFolder } from '../../model/files/make-folder.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import type { Runtime } from '../../model/runtime/runtime.ts'
import type { ApplyEvent } from '../apply/apply-event.ts'
import type { Run } from './run.ts'
import { runText } from './run-json.ts'

/**
 * An append-only record of one run: first the run itself with everything that it is about to change, then one line of
 * JSON per event, written before anything follows from it. Of a run that was killed this is all that is left.
 */
export interface Journal {
  readonly path: string
  /** Resolves when the line is in the file. */
  append(event: ApplyEvent): Promise<void>
  close(): Promise<void>
}

/**
 * Begins a journal. Only its owner can read it: it names everything that a run touches, with its values. Each line goes
 * by `hide` first, which takes out what is secret.
 */
export async function openJournal(
  path: string,
  run: Run,
  runtime: Runtime,
  hide: Redact = all => all,
): Promise<Journal> {
  await makeFolder(dirname(path))
  await writeFirstLine(path, hide(`${runText(run, timeText(runtime))}\n`))
  const file = await open(path, 'a', 0o600)
  let waiting: string[] = []
  let next: Promise<void> | undefined
  // Lines that come together share a write. It waits for no thread: that would take each change longer than to write.
  const writeWaiting = async () => {
    await undefined
    const lines = waiting.join('')
    waiting = []
    next = undefined
    appendFileSync(file.fd, lines)
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
 * A journal is there with a whole first line or not at all, also after a loss of power: one without would hold up every
 * later undo, since nobody could tell what its run has changed.
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

/** An event as plain data, for journals and for `--json`. */
export function eventJson(event: ApplyEvent): JsonObject {
  switch (event.type) {
    case 'change_start':
      return { type: event.type, address: event.address, action: event.action }
    case 'change_attempt':
      return {
        type: event.type,
        address: event.address,
        request: event.requestLine,
        endpoint: event.endpoint,
        ...(event.id === undefined ? {} : { id: event.id }),
      }
    case 'change_done':
      return {
        type: event.type,
        address: event.address,
        action: event.action,
        id: event.id,
        already: event.already,
        not_kept: [...event.notKept],
        ...(event.changedBeside === undefined ? {} : { changed_beside: [...event.changedBeside] }),
        ...(event.tookBack === undefined ? {} : { took_back: event.tookBack }),
        elapsed_ms: Math.round(event.elapsedMs),
      }
    case 'change_failed':
      return { type: event.type, address: event.address, action: event.action, ...errorJson(event.error) }
    case 'change_pending': {
      const { changeRequest, ...same } = event
      return { ...same, change_request: changeRequest }
    }
    case 'change_stale': {
      const { type, address, action, reason, refused, id, tookBack } = event
      return {
        type,
        address,
        action,
        reason,
        ...(refused ? { refused } : {}),
        ...(id === undefined ? {} : { id }),
        ...(tookBack === undefined ? {} : { took_back: tookBack }),
      }
    }
    case 'change_skipped':
      return { type: event.type, address: event.address, action: event.action, reason: event.reason }
  }
}

function errorJson(error: unknown): JsonObject {
  const message = error instanceof Error ? error.message : String(error)
  if (!isServiceError(error)) return { error: message }
  const { requestLine: request, status, code = null, attr = null, retryAfterMs } = error
  const told = { error: message, request, status, code, attr }
  return retryAfterMs === undefined ? told : { ...told, retry_after_ms: retryAfterMs }
}
