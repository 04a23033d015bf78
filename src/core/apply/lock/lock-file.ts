import { isJsonObject, type JsonObject } from '../../../model/json/json.ts'
import type { LockOwner } from './lock.ts'

const lockFormat = '1.0'

/** What stands in the file of a lock. */
export function lockFileText({ since, ...owner }: LockOwner): string {
  const content = { format_version: lockFormat, ...owner, since: new Date(since).toISOString() }
  return `${JSON.stringify(content, null, 2)}\n`
}

/** The owner that a lock names; undefined for text that was cut off, or that is none of a lock. */
export function readLockFile(text: string): LockOwner | undefined {
  const content = parse(text)
  if (!content || String(content.format_version).split('.')[0] !== lockFormat.split('.')[0]) return undefined
  const { id, user, host, system, pid, started, command, environment, since } = content
  // It becomes part of a file's name.
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return undefined
  if (typeof user !== 'string' || typeof host !== 'string' || typeof command !== 'string') return undefined
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined
  const sinceMs = typeof since === 'string' ? Date.parse(since) : Number.NaN
  if (Number.isNaN(sinceMs)) return undefined
  return {
    id,
    user,
    host,
    system: typeof system === 'string' ? system : '',
    pid,
    ...(typeof started === 'string' ? { started } : {}),
    command,
    ...(typeof environment === 'string' ? { environment } : {}),
    since: sinceMs,
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
