import { declarableKinds } from '../../kinds/index.ts'
import { type DeclarableKind, switchField, targetingField } from '../../model/kind.ts'
import { flagNames } from '../../targeting/index.ts'
import type { Change, Outcome } from '../change.ts'
import type { Live } from '../live.ts'

/**
 * Lets changes of flags wait for each other where conditions of one name another: the service refuses a condition on a
 * flag that is not there, and keeps a flag on that others wait for. [service-behaviour 10]
 *
 * | the named flag is            | its change goes                          |
 * |------------------------------|------------------------------------------|
 * | created, restored, turned on  | before those of flags that will name it  |
 * | deleted, turned off          | after those of flags that name it now    |
 * | changed otherwise            | in any order                             |
 */
export function inFlagOrder(outcomes: readonly Outcome[], live: readonly Live[]): readonly Outcome[] {
  const changes = outcomes.flatMap(outcome => (outcome.is === 'change' ? [outcome.change] : []))
  const waits = declarableKinds.flatMap(kind => waitsOf(kind, changes, live))
  if (waits.length === 0) return outcomes
  const dependsOn = new Map<string, Set<string>>(
    changes.map(({ address, dependsOn: before }) => [address, new Set(before)]),
  )
  for (const { later, earlier } of waits) {
    // Flags that change places would wait for each other; the first rule that applies decides.
    if (!reaches(dependsOn, earlier, later)) dependsOn.get(later)?.add(earlier)
  }
  return outcomes.map(outcome => {
    const all = outcome.is === 'change' ? dependsOn.get(outcome.change.address) : undefined
    if (outcome.is !== 'change' || all === undefined) return outcome
    return { is: 'change', change: { ...outcome.change, dependsOn: [...all] } }
  })
}

interface Wait {
  readonly later: string
  readonly earlier: string
}

/** Only what has conditions names others in them. */
function waitsOf(kind: DeclarableKind, changes: readonly Change[], live: readonly Live[]): Wait[] {
  const field = targetingField(kind)
  const flags = changes.filter(change => change.kind === kind.name)
  if (field === undefined || flags.length < 2) return []
  const byName = new Map(flags.flatMap(change => namesOf(change).map(name => [name, change] as const)))
  const byId = new Map(live.filter(one => one.kind === kind.name).map(one => [one.id, one]))
  return flags.flatMap(change => {
    const now = change.id === undefined ? undefined : byId.get(change.id)?.record[field]
    const then = change.action === 'delete' ? null : (change.after[field] ?? now)
    return [
      ...namesIn(then).flatMap(name => waitFor(kind, byName.get(name), change, 'up')),
      ...namesIn(now).flatMap(name => waitFor(kind, byName.get(name), change, 'down')),
    ]
  })
}

function waitFor(
  kind: DeclarableKind,
  named: Change | undefined,
  naming: Change,
  which: 'up' | 'down',
): Wait[] {
  if (named === undefined || named === naming || directionOf(kind, named) !== which) return []
  return which === 'up'
    ? [{ later: naming.address, earlier: named.address }]
    : [{ later: named.address, earlier: naming.address }]
}

function directionOf(kind: DeclarableKind, { action, after }: Change): 'up' | 'down' | undefined {
  if (action === 'create' || action === 'restore') return 'up'
  if (action === 'delete') return 'down'
  const turned = switchField(kind)
  const becomes = turned === undefined ? undefined : after[turned]
  return becomes === true ? 'up' : becomes === false ? 'down' : undefined
}

/** Conditions name a flag by its id or by its key. */
function namesOf({ identity, id }: Change): string[] {
  return id === undefined ? [identity] : [identity, id]
}

function namesIn(filters: Change['after'][string] | undefined): string[] {
  return flagNames(filters ?? null)
}

function reaches(dependsOn: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set([from])
  // A set hands out what is added to it while it is gone through.
  for (const address of seen) for (const next of dependsOn.get(address) ?? []) seen.add(next)
  return seen.has(to)
}
