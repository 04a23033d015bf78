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

/** What is on record, of all objects. */
export interface Records extends DriftRecords {
  /** What the lists of grants named. */
  readonly grantLists?: GrantLists
  /** What undo and disable wrote since, and no declaration asked for. */
  readonly outsideWrites?: OutsideWrites
  /** Since when fields are held. */
  readonly heldSince?: HeldSince
  /** What earlier applies found not to be kept. */
  readonly notKept?: NotKept
  /** What earlier applies have asked for, and somebody has to approve in the service. */
  readonly pending?: Pending
  /** How the commits of the records relate to the one that is planned; without it, git is not asked. */
  readonly lineage?: Lineage
  /** Who has changed what, by the activity trail; without it, nobody has asked. */
  readonly authors?: Authors
}

/** What is on record of one object: what its live edits are measured from. */
export interface OnRecord {
  readonly address: string
  readonly base?: BaseObject
  /** What undo and disable wrote, the newest first. */
  readonly writes: readonly OutsideWrite[]
  /** By field, since when it is held. */
  readonly heldSince: Readonly<Record<string, number>>
  /** Whether its environment has an apply on record. */
  readonly isApplied: boolean
  readonly lineage: Lineage
  /** What the activity trail tells, where it was asked. */
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
 * The grants that are live and not in the list that their flag declares: the list declares them absent, each by the name
 * that it would have there.
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
    // Of several with one name the id tells them apart.
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

/** By the address of its flag, the roles that each list of grants names; only lists that the service has shown whole. */
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

/** What is on record of a grant that is not in the list of its flag. */
export function surplusOnRecord(records: Records, surplus: Pick<Desired, 'address' | 'identity'>): OnRecord {
  const { base: own, ...recorded } = onRecord(records, surplus.address)
  const { grantLists = {} } = records
  const flag = parentAddress(surplus.address) ?? ''
  const base = surplusBase(Object.hasOwn(grantLists, flag) ? grantLists[flag] : undefined, own, surplus)
  return base ? { ...recorded, base } : recorded
}
