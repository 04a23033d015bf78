import type { Action } from '../change.ts'

/** An event of one change, as it happens. Texts of the service are unchanged. */
export type ApplyEvent =
  | { readonly type: 'change_start'; readonly address: string; readonly action: Action }
  | ({ readonly type: 'change_attempt'; readonly address: string } & Attempt)
  | {
      readonly type: 'change_done'
      readonly address: string
      readonly action: Action
      readonly id: string
      /** The object already was as wanted: nothing was written, or only source files. */
      readonly already: boolean
      readonly notKept: readonly string[]
      /** Other fields that changed just before the write. The plan did not show this combination. */
      readonly changedBeside?: readonly string[]
      readonly elapsedMs: number
    }
  | {
      readonly type: 'change_failed'
      readonly address: string
      readonly action: Action
      readonly error: unknown
    }
  /** The service created a change request that needs approval, and has written nothing yet. */
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
      /** The service refused the request: nothing was written. */
      readonly refused?: true
      /** The id of an object that the run created in spite of the failure. */
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
 * Why a change was not started: a change that it depends on failed, the run was stopped, its journal failed,
 * or `--all-or-nothing` found a change that cannot be made.
 */
export type SkipCause = 'dependency' | 'stopped' | 'record' | 'all_or_nothing'

/** A write that is about to be sent. `id`: the id in its path, if the object exists. */
export interface Attempt {
  readonly requestLine: string
  readonly endpoint: string
  readonly id?: string
}
