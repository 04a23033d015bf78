import type { Blocked } from '../../../core/change.ts'
import { byAddress } from '../../../core/change.ts'
import { allowFlag } from '../../../core/policy.ts'
import { isGuardRule } from '../../../model/safety/guard-rule.ts'
import { listed, nameOf } from '../../object-names.ts'
import { together } from './together.ts'

/** What is blocked for one reason from many objects: what a key may not read, say. */
export interface BlockedAlike {
  readonly count: number
  readonly rule: Blocked['rule']
  readonly reason: string
  readonly remedy: string
  /** Some of the objects, and how many more there are. */
  readonly names: string
}

/**
 * Parts what is blocked because something cannot be read, a list or the activity trail, from the rest: many objects with
 * one reason are told together. Their reasons differ in the request at most, their remedies in the address.
 */
export function blockedAlike(
  blocked: readonly Blocked[],
  { isVerbose }: { readonly isVerbose?: boolean },
): { readonly single: readonly Blocked[]; readonly alike: readonly BlockedAlike[] } {
  const { single, groups } = together([...blocked].sort(byAddress), {
    keyOf: held => (isAboutReading(held) ? `${withoutRequest(held.reason)}\n${remedyFor(held)}` : undefined),
    isVerbose,
  })
  return {
    single,
    alike: groups.flatMap(group =>
      group.slice(0, 1).map(held => ({
        count: group.length,
        rule: held.rule,
        reason: held.rule === 'unreadable' ? `each ${withoutRequest(held.reason)}` : held.reason,
        remedy: remedyFor(held),
        names: listed(group.map(nameOf)),
      })),
    ),
  }
}

function isAboutReading({ rule }: Blocked): boolean {
  return rule === 'unreadable' || rule === 'trail_unreadable'
}

/** What to do about all of them: a guard is allowed for one object by its address, and for all without. */
function remedyFor({ rule, address, remedy }: Blocked): string {
  return isGuardRule(rule) ? remedy.replace(allowFlag(rule, address), `--allow ${rule}`) : remedy
}

function withoutRequest(reason: string): string {
  return reason.replace(/^[A-Z]+ \/\S+ /, '')
}
