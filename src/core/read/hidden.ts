import pMap from 'p-map'
import { objectAddress } from '../../model/address.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import type { Desired } from '../desired.ts'
import { type Live, nameTaken } from '../live.ts'
import { readById } from './read-record.ts'
import { type Shadowed, shadowFinder } from './shadowed.ts'
import type { SnapshotOptions } from './snapshot-options.ts'
import { readTrail, type Trail } from './trail.ts'
import { TrailChanges } from './trail-changes.ts'

export interface Hidden {
  readonly live: readonly Live[]
  /** What stands behind the names of objects that are to be created, by `kind.identity`. */
  readonly shadowed: readonly (readonly [string, Shadowed])[]
  /** The activity trail, where it was read for that. */
  readonly trail?: ReadTrail
}

/** The activity trail of a kind as it was read to find what lists do not show; others need not ask for it again. */
export interface ReadTrail {
  readonly kind: string
  readonly trail: Trail
  /** Empty where there is none to read. */
  readonly changes: TrailChanges
}

/** Where the list has shown everything that is declared. */
export const nothingHidden: Hidden = { live: [], shadowed: [] }

/**
 * Objects that the list did not show although a declaration is about them: those declared by id, and soft-deleted or
 * archived ones that the activity trail names. Only a kind that can be deleted softly hides anything from its list.
 */
export async function readHidden(
  kind: DeclarableKind,
  found: readonly Live[],
  options: SnapshotOptions,
): Promise<Hidden> {
  if (!kind.lifecycle.softDelete) return nothingHidden
  const { declarations, parallelism } = options
  const seen = new Set(found.filter(live => live.kind === kind.name).map(live => live.identity))
  const seenIds = new Set(found.filter(live => live.kind === kind.name).map(live => live.id))
  const ofKind = declarations.desired.filter(desired => desired.kind === kind.name)
  const byId = ofKind.flatMap(({ id }) => (id === undefined || seenIds.has(id) ? [] : [id]))
  const hasNewName = ({ id, identity }: Desired) =>
    found.some(live => live.id === id && nameTaken(kind, live.record) === identity)
  const missing = ofKind.filter(one => {
    if (one.ensure !== 'present') return false
    return one.id === undefined ? !seen.has(one.identity) : one.renamedFrom !== undefined && !hasNewName(one)
  })
  const changes = new TrailChanges(kind)
  let reading: Promise<Trail> | undefined
  const find = shadowFinder(options, () => {
    reading ??= readTrail(kind, options, changes)
    return reading
  })
  const names = [...new Set(missing.map(({ identity }) => identity))]
  const [named, behind] = await Promise.all([
    pMap(new Set(byId), id => readById(kind, id, options), { concurrency: parallelism }),
    pMap(names, async name => [name, await find(kind, name)] as const, { concurrency: parallelism }),
  ])
  const shadowed = behind.flatMap(([name, one]) =>
    one ? [[objectAddress(kind.name, name), one] as const] : [],
  )
  const live = [...named, ...shadowed.map(([, one]) => (one.is === 'unknown' ? undefined : one.live))]
  const byLiveId = new Map(live.flatMap(one => (one ? [[one.id, one] as const] : [])))
  const trail = await reading
  return {
    live: [...byLiveId.values()],
    shadowed,
    ...(trail ? { trail: { kind: kind.name, trail, changes } } : {}),
  }
}
