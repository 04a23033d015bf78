import type { Runtime } from '../../model/runtime.ts'
import { isJsonObject, type JsonObject } from '../../model/text/json.ts'

const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const
type Level = (typeof levels)[number]

/** Lines for users of TF_LOG. They contain no secrets. */
export type Logger = { readonly [Name in Level]: (message: string, fields?: JsonObject) => void }

export interface LoggerOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly runtime: Runtime
  readonly write: (line: string) => void
}

/**
 * Writes log lines that Terraform parses and shows by level. TF_LOG_PROVIDER wins over TF_LOG. Without either
 * nobody sees the lines, so none are written.
 */
export function createLogger({ env, runtime, write }: LoggerOptions): Logger {
  const least = leastLevel(env.TF_LOG_PROVIDER || env.TF_LOG)
  const at =
    (level: Level) =>
    (message: string, fields: JsonObject = {}): void => {
      if (levels.indexOf(level) < least) return
      const line = {
        ...asFields(fields),
        '@level': level,
        '@message': message,
        '@timestamp': timestamp(runtime.now()),
      }
      write(`${JSON.stringify(line)}\n`)
    }
  return { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function leastLevel(setting: string | undefined): number {
  if (!setting || /^off$/i.test(setting)) return levels.length
  // `JSON`, or a value that Terraform does not know, means every level.
  return Math.max(levels.map(String).indexOf(setting.toLowerCase()), 0)
}

/** Nested values are converted to text, because Terraform would print them in Go's syntax. */
function asFields(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value) : value,
    ]),
  )
}

/** Terraform reads exactly six fractional digits of a second. */
function timestamp(nowMs: number): string {
  return new Date(nowMs).toISOString().replace('Z', '000Z')
}

/** Sends output to a listener, and stores it until there is a listener. */
export interface Outlet {
  write(bytes: Uint8Array): void
  listen(listener: (bytes: Uint8Array) => void): void
}

export function createOutlet(): Outlet {
  const waiting: Uint8Array[] = []
  let current: ((bytes: Uint8Array) => void) | undefined
  return {
    write(bytes) {
      if (current) current(bytes)
      else waiting.push(bytes)
    },
    listen(listener) {
      current = listener
      for (const bytes of waiting.splice(0)) listener(bytes)
    },
  }
}
