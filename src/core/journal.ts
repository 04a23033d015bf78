import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isServiceError } from '../api/index.ts'
import type { JsonObject } from '../model/json.ts'
import type { World } from '../model/world.ts'
import type { ApplyEvent } from './apply.ts'

/** An append-only record of one run: one line of JSON per event, written before anything follows from it. */
export interface Journal {
  readonly path: string
  append(event: ApplyEvent): Promise<void>
}

/** Opens a new journal. Only its owner can read it: it names everything that a run touched. */
export async function openJournal(path: string, world: World): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true })
  // Appends are chained, so that lines of parallel changes never mix.
  let last: Promise<void> = Promise.resolve()
  return {
    path,
    append(event) {
      const line = `${JSON.stringify({ at: new Date(world.now()).toISOString(), ...eventJson(event) })}\n`
      last = last.then(() => appendFile(path, line, { mode: 0o600 }))
      return last
    },
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
        elapsed_ms: Math.round(event.elapsedMs),
      }
    case 'change_failed':
      return { type: event.type, address: event.address, action: event.action, ...errorJson(event.error) }
    case 'change_stale':
    case 'change_skipped':
      return { type: event.type, address: event.address, action: event.action, reason: event.reason }
  }
}

function errorJson(error: unknown): JsonObject {
  const message = error instanceof Error ? error.message : String(error)
  if (!isServiceError(error)) return { error: message }
  return { error: message, status: error.status, code: error.code ?? null, attr: error.attr ?? null }
}
