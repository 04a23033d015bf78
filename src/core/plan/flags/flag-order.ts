import { declarableKind, declarableKinds } from '../../../kinds/index.ts'
import { type DeclarableKind, switchField, targetingField } from '../../../model/kind.ts'
import type { Change, Outcome } from '../../change.ts'
import { type FlagLink, namesIn } from '../../flag-links.ts'

/**
 * Lets changes of flags wait for each other where conditions of one name another: the service refuses a condition on a
 * flag that is not there, or off, or that leads back; and it keeps a flag on that others wait for. [service-today 2, 3]
 *
 * | the named flag is                          | its change goes                                        |
 * |--------------------------------------------|--------------------------------------------------------|
 * | created, restored, turned on               | before those of flags that will name it                |
 * | deleted, turned off                        | after those of flags that name it now, or will         |
 * | let go of another, as far as that leads    | before those that would make a circle of it            |
 * | changed otherwise                          | in any order                                           |
 */
export function inFlagOrder(outcomes: readonly Outcome[], links: readonly FlagLink[]): readonly Outcome[] {
  const changes = outcomes.flatMap(outcome => (outcome.is === 'change' ? [outcome.change] : []))
  const waits = declarableKinds.flatMap(kind => waitsOf(kind, changes, links))
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

/** A change with the flags that conditions name before and after it. */
interface Naming {
  readonly change: Change
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Only what has conditions names others in them. */
function waitsOf(kind: DeclarableKind, changes: readonly Change[], links: readonly FlagLink[]): Wait[] {
  const field = targetingField(kind)
  const flags = changes.filter(change => change.kind === kind.name)
  if (field === undefined || flags.length < 2) return []
  const live = new Map(links.filter(link => link.kind === kind.name).map(link => [link.id, link]))
  const naming = flags.map((change): Naming => {
    const before = change.id === undefined ? [] : (live.get(change.id)?.names ?? [])
    return { change, before, after: namesAfter(kind, change, before) }
  })
  const byName = new Map(naming.flatMap(each => namesOf(each.change).map(name => [name, each] as const)))
  return naming.flatMap(each => [
    ...each.after.flatMap(name => waitFor(byName.get(name)?.change, each.change, 'up')),
    ...[...each.before, ...each.after].flatMap(name =>
      waitFor(byName.get(name)?.change, each.change, 'down'),
    ),
    ...lettingGo(each, byName, [...live.values()]),
  ])
}

function namesAfter(kind: DeclarableKind, { action, after }: Change, before: readonly string[]) {
  if (action === 'delete') return []
  return (targetingField(kind) ?? '') in after ? namesIn(kind, after) : before
}

function waitFor(named: Change | undefined, naming: Change, which: 'up' | 'down'): Wait[] {
  if (named === undefined || named === naming || directionOf(named) !== which) return []
  return which === 'up'
    ? [{ later: naming.address, earlier: named.address }]
    : [{ later: named.address, earlier: naming.address }]
}

/** Changes by which flags on the way back to this one, as it is now, let go of the next. */
function lettingGo(
  { change, before, after }: Naming,
  byName: ReadonlyMap<string, Naming>,
  live: readonly FlagLink[],
): Wait[] {
  const added = after.filter(name => !before.includes(name))
  if (added.length === 0 || change.id === undefined) return []
  const own = namesOf(change)
  const linkOf = (name: string) => live.find(({ id, identity }) => id === name || identity === name)
  const seen = new Set(added)
  const waits: Wait[] = []
  let leadsBack = false
  // A set hands out what is added to it while it is gone through.
  for (const name of seen) {
    const other = byName.get(name)
    const names = linkOf(name)?.names ?? []
    if (other && other.change !== change && names.some(next => !other.after.includes(next)))
      waits.push({ later: change.address, earlier: other.change.address })
    for (const next of names) {
      if (own.includes(next)) leadsBack = true
      else seen.add(next)
    }
  }
  return leadsBack ? waits : []
}

function directionOf({ kind, action, after }: Change): 'up' | 'down' | undefined {
  if (action === 'create' || action === 'restore') return 'up'
  if (action === 'delete') return 'down'
  const turned = switchField(declarableKind(kind))
  const becomes = turned === undefined ? undefined : after[turned]
  return becomes === true ? 'up' : becomes === false ? 'down' : undefined
}

/** Conditions name a flag by its key, or by its id. */
function namesOf({ identity, id }: Change): string[] {
  return id === undefined ? [identity] : [identity, id]
}

function reaches(dependsOn: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set([from])
  // A set hands out what is added to it while it is gone through.
  for (const address of seen) for (const next of dependsOn.get(address) ?? []) seen.add(next)
  return seen.has(to)
}
