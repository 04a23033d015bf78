import type { Withheld } from '../core/change.ts'
import { byAddress } from '../core/change.ts'
import { listed, nameOf } from './names.ts'

/** What is withheld for one reason from many objects: what the service refuses to show, say, to a key. */
export interface WithheldAlike {
  readonly count: number
  readonly rule: Withheld['rule']
  readonly reason: string
  readonly wayPast: string
  /** Some of the objects, and how many more there are. */
  readonly names: string
}

/** Two are told one by one. */
const fewest = 3

/**
 * Takes apart what is withheld because the service refuses to show it: many objects with one reason are told together.
 * Their reasons differ in the request at most.
 */
export function withheldAlike(withheld: readonly Withheld[]): {
  readonly single: readonly Withheld[]
  readonly alike: readonly WithheldAlike[]
} {
  const groups = new Map<string, Withheld[]>()
  for (const held of [...withheld].sort(byAddress)) {
    const key = held.rule === 'unreadable' ? `${withoutRequest(held.reason)}\n${held.wayPast}` : held.address
    groups.set(key, [...(groups.get(key) ?? []), held])
  }
  const isMany = (group: readonly Withheld[]) => group.length >= fewest
  return {
    single: [...groups.values()].flatMap(group => (isMany(group) ? [] : group)),
    alike: [...groups.values()].filter(isMany).flatMap(group =>
      group.slice(0, 1).map(({ rule, reason, wayPast }) => ({
        count: group.length,
        rule,
        reason: `each ${withoutRequest(reason)}`,
        wayPast,
        names: listed(group.map(nameOf)),
      })),
    ),
  }
}

function withoutRequest(reason: string): string {
  return reason.replace(/^[A-Z]+ \/\S+ /, '')
}
