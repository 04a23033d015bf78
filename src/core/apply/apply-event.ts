import type { Action } from '../change.ts'

/** What happened to one change, as it happens. Text from the service is in here as it came. */
export type ApplyEvent =
  | { readonly type: 'change_start'; readonly address: string; readonly action: Action }
  | ({ readonly type: 'change_attempt'; readonly address: string } & Attempt)
  | {
      readonly type: 'change_done'
      readonly address: string
      readonly action: Action
      readonly id: string
      /** An earlier run, or somebody else, had done it: nothing had to be written, or only source files. */
      readonly already: boolean
      readonly notKept: readonly string[]
      /** Other fields that somebody changed just before the write. The plan did not review this combination. */
      readonly changedBeside?: readonly string[]
      readonly elapsedMs: number
    }
  | {
      readonly type: 'change_failed'
      readonly address: string
      readonly action: Action
      readonly error: unknown
    }
  /** The service made a change request from it that needs approval, and has not written anything yet. */
  | {
      readonly type: 'change_pending'
      readonly address: string
      readonly action: Action
      readonly reason: string
      /** The id of that request. */
      readonly changeRequest: string
    }
  | {
      readonly type: 'change_stale'
      readonly address: string
      readonly action: Action
      readonly reason: string
      /** The service has refused the request, so that nothing was written. */
      readonly refused?: true
      /** The id of an object that the run has created anyway. */
      readonly id?: string
    }
  | {
      readonly type: 'change_skipped'
      readonly address: string
      readonly action: Action
      readonly reason: string
      readonly cause: SkipCause
    }

/**
 * Why a change was not started: a change that it depends on was not done, the run was stopped, the run could
 * no longer be recorded, or nothing was to be written unless everything could be.
 */
export type SkipCause = 'dependency' | 'stopped' | 'record' | 'all_or_nothing'

/** A write that is about to be sent. `id`: the id in its path, if the object exists already. */
export interface Attempt {
  readonly requestLine: string
  readonly endpoint: string
  readonly id?: string
}
