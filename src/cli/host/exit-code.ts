import type { Blocked } from '../../core/change.ts'
import { type LiveEdit, leavesOut, needsDecision } from '../../core/live-edits/live-edit.ts'
import type { Problem } from '../../model/problem.ts'
import { messageOf } from '../../model/text/message-of.ts'
import type { LocatedProblem } from '../../report/document.ts'

/**
 * Exit codes of commands. A plain `plan` ends in 0 unless it failed, since pipelines treat other codes as
 * failures. Options request codes that distinguish results.
 */
export const exitCode = {
  done: 0,
  /** A failure: network, credentials, an answer of the service, an unreadable or wrong file. */
  error: 1,
  /** Changes are pending; only with `--detailed-exitcode`, or `--check`. */
  changes: 2,
  /** Refused: a limit, an incomplete inventory, a missing approval, here or in the service. */
  refused: 3,
  /** Some changes were applied, others failed, were skipped or wait for approval. */
  partly: 4,
  /** The plan is stale, or an object has changed in the meantime. */
  stale: 5,
  /** Drift, or mismatches of `refs --unused` and `--undeclared`. */
  drift: 6,
  usage: 64,
  interrupted: 130,
  terminated: 143,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** The most important of several exit codes. */
export function mostImportant(codes: readonly ExitCode[]): ExitCode {
  const order = [
    exitCode.terminated,
    exitCode.interrupted,
    exitCode.error,
    exitCode.usage,
    exitCode.partly,
    exitCode.stale,
    exitCode.refused,
    exitCode.changes,
    exitCode.drift,
  ]
  return order.find(code => codes.includes(code)) ?? exitCode.done
}

/** Ends a command with a message: what, where, what to do. One line, lower case, nothing secret. */
export class CommandError extends Error {
  readonly code: ExitCode

  constructor(message: string, code: ExitCode = exitCode.error) {
    super(message)
    this.name = 'CommandError'
    this.code = code
  }
}

/** Ends a command because of errors in files. The message contains their number. */
export class ProblemsError extends CommandError {
  readonly problems: readonly Problem[]
  /** The problems for display. */
  readonly shown: readonly LocatedProblem[]

  constructor(message: string, problems: readonly Problem[], shown: readonly LocatedProblem[]) {
    super(message)
    this.problems = problems
    this.shown = shown
  }
}

/** An error in one of several environments. */
export class EnvironmentError extends Error {
  readonly environment: string

  constructor(environment: string, cause: unknown) {
    super(`${environment}: ${messageOf(cause)}`, { cause })
    this.name = 'EnvironmentError'
    this.environment = environment
  }
}

/** The user did not approve: nothing was done. */
export class DeclinedError extends CommandError {
  constructor(message: string) {
    super(message, exitCode.refused)
  }
}

/**
 * The exit code for blocked objects. A command that writes fails if a limit, a policy or an incomplete list
 * blocks something, if an object is ambiguous, or if both sides changed a field. Other blocks and held fields
 * fail it only with `failsOnAny`.
 */
export function blockedCode(
  { blocked, liveEdits }: { readonly blocked: readonly Blocked[]; readonly liveEdits: readonly LiveEdit[] },
  failsOnAny = false,
): ExitCode {
  const refusals = new Set([
    'ambiguous',
    'delete_limit',
    'frozen',
    'incomplete_inventory',
    'nothing_declared',
    'protected_keys',
    'undeclared_majority',
    'unreadable',
  ])
  const isRefused = blocked.some(({ rule }) => failsOnAny || refusals.has(rule))
  const isLeftOut = needsDecision(liveEdits) || (failsOnAny && leavesOut(liveEdits))
  return isRefused || isLeftOut ? exitCode.refused : exitCode.done
}
