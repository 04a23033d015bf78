import type { Withheld } from '../core/change.ts'
import { escapeText } from '../model/escape-text.ts'
import { withheldAlike } from '../report/alike.ts'
import { nameOf } from '../report/names.ts'
import type { Style } from '../report/style.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

/** What was left out, once more beside what was done: two lines each, why and how to go on. */
export function withheldText(withheld: readonly Withheld[], style: Style): string {
  const { single, alike } = withheldAlike(withheld)
  const together = alike.map(({ count, rule, reason, wayPast, names }) => {
    const why = `${count} objects left out: withheld by ${rule}: ${escapeText(reason)}`
    return `  ${style.caution('!')} ${why}\n      ${style.dim(names)}\n      ${style.dim(`to go on: ${escapeText(wayPast)}`)}\n`
  })
  return single
    .map(held => {
      const why = `${held.action} withheld by ${held.rule}: ${escapeText(held.reason)}`
      const wayPast = style.dim(`to go on: ${escapeText(held.wayPast)}`)
      return `  ${style.caution('!')} ${nameOf(held)} left out: ${why}\n      ${wayPast}\n`
    })
    .concat(together)
    .join('')
}

/** The same for programs. */
export function withheldJson(withheld: readonly Withheld[]) {
  return withheld.map(({ address, action, rule, reason, wayPast }) => ({
    address,
    action,
    rule,
    reason,
    way_past: wayPast,
  }))
}

/**
 * What was withheld because a limit or the inventory refused it, or because nobody can tell which object is meant, fails
 * a command that writes; other guards only report,
 * unless somebody wants to know of each.
 */
export function withheldCode(withheld: readonly Withheld[], failsOnAny = false): ExitCode {
  const refusals = new Set([
    'ambiguous',
    'delete_limit',
    'incomplete_inventory',
    'nothing_declared',
    'unreadable',
  ])
  const isRefused = withheld.some(({ rule }) => failsOnAny || refusals.has(rule))
  return isRefused ? exitCode.refused : exitCode.done
}
