import type {
  Base,
  BaseObject,
  GrantList,
  GrantLists,
  HeldSince,
  OutsideWrite,
  OutsideWrites,
} from '../../live-edits/base.ts'
import type { NotKept, Pending } from '../../plan/base.ts'
import type { DeclaredDigests } from '../declared.ts'
import type { RunRecord } from '../run.ts'

/** A run on record, with the table of what was declared, where it has one that is at hand. */
export interface RunOnRecord {
  readonly record: RunRecord
  readonly declared?: DeclaredDigests
}

/** How the runs on record left the objects of one target. */
export interface LeftByRuns {
  readonly base: Base
  readonly grantLists: GrantLists
  readonly outsideWrites: OutsideWrites
  readonly heldSince: HeldSince
  readonly notKept: NotKept
  readonly pending: Pending
  /** By address, digests of what was declared of fields that the service did not keep: such a field has no base. */
  readonly lost: NotKept
  /** Whether there is an apply among them. */
  readonly isApplied: boolean
  /** Those that none of the others knew of: what the next one comes after. */
  readonly heads: readonly string[]
  /** The one whose machine had the latest time of all. */
  readonly latest?: { readonly run: string; readonly at: number }
}

/** The same while it is put together. */
export interface LeftDraft {
  readonly base: Map<string, BaseObject>
  readonly grantLists: Map<string, GrantList>
  readonly outsideWrites: Map<string, readonly OutsideWrite[]>
  readonly heldSince: Map<string, Readonly<Record<string, number>>>
  readonly notKept: Map<string, Readonly<Record<string, string>>>
  readonly lost: Map<string, Readonly<Record<string, string>>>
}
