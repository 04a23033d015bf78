import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isServiceError } from '../api/index.ts'
import type { JsonObject } from '../model/json.ts'
import { writeJson } from '../model/json-text.ts'
import type { World } from '../model/world.ts'
import type { ApplyEvent } from './apply.ts'

/** An append-only record of one run: one line of JSON per event, written before anything follows from it. */
export interface Journal {
  readonly path: string
  /** Resolves when the line is in the file. */
  append(event: ApplyEvent): Promise<void>
  close(): Promise<void>
}

/** Opens a new journal. Only its owner can read it: it names everything that a run touched. */
export async function openJournal(path: string, world: World): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'ax', 0o600)
  let waiting: string[] = []
  let writing: Promise<void> | undefined
  let next: Promise<void> | undefined
  // Lines that come while others are being written share the next write: parallel changes wait once, not in turn.
  const writeWaiting = async () => {
    await writing
    const lines = waiting.join('')
    waiting = []
    writing = next
    next = undefined
    await file.appendFile(lines)
  }
  return {
    path,
    append(event) {
      waiting.push(`${writeJson({ at: new Date(world.now()).toISOString(), ...eventJson(event) })}\n`)
      next ??= writeWaiting()
      return next
    },
    close: () => file.close(),
  }
}

/** An event as plain data, for journals and for `--json`. */
export function eventJson(event: ApplyEvent): JsonObject {
  switch (event.type) {
    case 'change_start':
      return { type: event.type, address: event.address, action: event.action }
    case 'change_attempt':
      return { type: event.type, address: event.address, request: event.requestLine }
    case 'change_done':
      return {
        type: event.type,
        address: event.address,
        action: event.action,
        id: event.id,
        already: event.already,
        not_kept: [...event.notKept],
        ...(event.tookBack === undefined ? {} : { took_back: event.tookBack }),
        elapsed_ms: Math.round(event.elapsedMs),
      }
    case 'change_failed':
      return { type: event.type, address: event.address, action: event.action, ...errorJson(event.error) }
    case 'change_stale': {
      const { type, address, action, reason, id } = event
      return { type, address, action, reason, ...(id === undefined ? {} : { id }) }
    }
    case 'change_skipped':
      return { type: event.type, address: event.address, action: event.action, reason: event.reason }
  }
}

function errorJson(error: unknown): JsonObject {
  const message = error instanceof Error ? error.message : String(error)
  if (!isServiceError(error)) return { error: message }
  return { error: message, status: error.status, code: error.code ?? null, attr: error.attr ?? null }
}
