import type { Blocked } from '../../core/change.ts'
import { type ExitCode, exitCode } from '../host/exit-code.ts'

/**
 * What was blocked because a limit or the inventory refused it, or because nobody can tell which object is meant, fails
 * a command that writes; other guards only report,
 * unless somebody wants to know of each.
 */
export function blockedCode(blocked: readonly Blocked[], failsOnAny = false): ExitCode {
  const refusals = new Set([
    'ambiguous',
    'delete_limit',
    'incomplete_inventory',
    'nothing_declared',
    'unreadable',
  ])
  const isRefused = blocked.some(({ rule }) => failsOnAny || refusals.has(rule))
  return isRefused ? exitCode.refused : exitCode.done
}
