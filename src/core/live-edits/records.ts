import { declarableKind, declarableKinds, kindBelow, parentAddress } from '../../kinds/index.ts'
import { objectAddress } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/names.ts'
import { type Declarations, type Desired, grantsOfFlags, parentKey } from '../desired.ts'
import { canonicalIdentity, type Live, labelOf, type NotKept, type Pending } from '../live.ts'
import type { DriftRecords } from '../plan/found-drift.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { type Authors, noAuthors } from './authors.ts'
import {
  type BaseObject,
  type GrantLists,
  type HeldSince,
  type Lineage,
  noLineage,
  type OutsideWrite,
  type OutsideWrites,
  surplusBase,
} from './verdict.ts'

export interface Records extends DriftRecords {
  readonly grantLists?: GrantLists
  readonly outsideWrites?: OutsideWrites
  readonly heldSince?: HeldSince
  readonly notKept?: NotKept
  readonly pending?: Pending
  /** How the recorded commits relate to the planned one; git is not asked if absent. */
  readonly lineage?: Lineage
  /** Who changed what, according to the activity trail; absent if it was not read. */
  readonly authors?: Authors
}

/** The records about one object, the base of its live edits. */
export interface OnRecord {
  readonly address: string
  readonly base?: BaseObject
  /** Undeclared writes of undo and disable, the newest first. */
  readonly writes: readonly OutsideWrite[]
  /** By field, since when it is held. */
  readonly heldSince: Readonly<Record<string, number>>
  /** Whether its environment has an apply on record. */
  readonly isApplied: boolean
  readonly lineage: Lineage
  readonly authors: Authors
}

export function onRecord(records: Records, address: string): OnRecord {
  const { base = {}, outsideWrites = {}, heldSince = {}, isApplied = false } = records
  const { lineage = noLineage, authors = noAuthors } = records
  const object = Object.hasOwn(base, address) ? base[address] : undefined
  return {
    address,
    ...(object ? { base: object } : {}),
    writes: (Object.hasOwn(outsideWrites, address) ? outsideWrites[address] : undefined) ?? [],
    heldSince: (Object.hasOwn(heldSince, address) ? heldSince[address] : undefined) ?? {},
    isApplied,
    lineage,
    authors,
  }
}

/**
 * The live grants that are not in the declared list of their flag. The list declares them absent, by role
 * name.
 */
export function surplusGrants(
  { desired, skipped = [], ownedGrants, roleNames }: Declarations,
  live: readonly Live[],
): Desired[] {
  if (ownedGrants.length === 0) return []
  const owned = new Map(ownedGrants.map(grants => [grants.flag, grants]))
  const named = new Set(
    [...desired, ...skipped].flatMap(one => {
      const key = parentKey(one)
      return key === undefined ? [] : [`${key}:${canonicalIdentity(declarableKind(one.kind), one.identity)}`]
    }),
  )
  const taken = new Set<string>()
  return live.flatMap((one): Desired[] => {
    const { kind, identity, id, parent, isSoftDeleted } = one
    const list = parent && owned.get(parent.key)
    if (!list || isSoftDeleted || named.has(`${parent.key}:${identity}`)) return []
    const label = roleNames?.get(identity) ?? labelOf(one)
    const address = objectAddress(kind, label ?? identity, parent.key)
    // The id distinguishes grants with the same name.
    const own = taken.has(address) ? `${address}#${id}` : address
    taken.add(own)
    const { flag: _, ...rest } = list
    const named_ = label === undefined ? {} : { label }
    return [
      {
        address: own,
        kind,
        identity,
        id,
        ensure: 'absent',
        fields: {},
        parent: { key: parent.key },
        ...named_,
        ...rest,
      },
    ]
  })
}

/** The roles in each declared list of grants, by flag address; only lists that were read completely. */
export function listedRoles(
  declarations: Declarations,
  { withoutGrants, unreadable }: Pick<Snapshot, 'withoutGrants' | 'unreadable'>,
): ReadonlyMap<string, readonly string[]> {
  const { of } = grantsOfFlags(declarations)
  return new Map(
    declarations.ownedGrants.flatMap(({ flag }) =>
      declarableKinds.flatMap(kind => {
        const below = kindBelow(kind.name)
        const address = objectAddress(kind.name, flag)
        if (!below || withoutGrants.has(flag)) return []
        if (unreadable.has(kind.name) || unreadable.has(address)) return []
        const present = of(flag)?.grants.filter(({ ensure }) => ensure === 'present') ?? []
        const roles = new Set(present.map(({ identity }) => canonicalIdentity(below, identity)))
        return [[address, [...roles].sort(compareTexts)] as const]
      }),
    ),
  )
}

/** The records about a grant that is not in the list of its flag. */
export function surplusOnRecord(records: Records, surplus: Pick<Desired, 'address' | 'identity'>): OnRecord {
  const { base: own, ...recorded } = onRecord(records, surplus.address)
  const { grantLists = {} } = records
  const flag = parentAddress(surplus.address) ?? ''
  const base = surplusBase(Object.hasOwn(grantLists, flag) ? grantLists[flag] : undefined, own, surplus)
  return base ? { ...recorded, base } : recorded
}
