import type { Tracer } from './tracer.ts'

/**
 * The only way in which anything below `main` learns the time, waits or draws a random number. A test brings its
 * own, so that no test sleeps and every run can be repeated.
 */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** A number from 0 up to, but not including, 1. */
  random(): number
  /** A name that no other run has. */
  uniqueId(): string
  /** Takes note of what takes how long; absent where nobody wants to know. */
  readonly tracer?: Tracer
}
