import { type Authors, noAuthors } from '../../live-edits/authors.ts'
import type {
  Base,
  BaseObject,
  GrantLists,
  HeldSince,
  OutsideWrite,
  OutsideWrites,
} from '../../live-edits/base.ts'
import { type Lineage, noLineage } from '../../live-edits/lineage.ts'

/** What is on record, of all objects. */
export interface Records {
  readonly base?: Base
  readonly grantLists?: GrantLists
  readonly outsideWrites?: OutsideWrites
  readonly heldSince?: HeldSince
  readonly isApplied?: boolean
  readonly lineage?: Lineage
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
