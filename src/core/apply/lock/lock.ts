import type { Target } from '../../target.ts'

/** A process as its own system knows it. */
export interface ProcessIdentity {
  readonly user: string
  readonly host: string
  /**
   * Tells the processes of one system from those of its containers and of another system with the same host name: an
   * id of a process means something only where this is the same.
   */
  readonly system: string
  readonly pid: number
  /** When it was started, as its system tells it; absent where it does not. */
  readonly started?: string
}

/** Who holds a lock, and what for. All of it is text for people or is compared for equality. */
export interface LockOwner extends ProcessIdentity {
  /** No other owner has it. */
  readonly id: string
  /** Such as `apply`. */
  readonly command: string
  readonly environment?: string
  /** Milliseconds since 1970, by the owner's clock. */
  readonly since: number
}

/** Whether the process of an owner is still there, as far as it can be told from here. */
export type OwnerState = 'running' | 'dead' | 'unknown'

export interface HeldLock {
  readonly is: 'held'
  /** Gives the lock back. `lost`: somebody else had taken it away in the meantime. */
  release(): Promise<'released' | 'lost'>
}

export interface RefusedLock {
  readonly is: 'refused'
  /** Where the lock is, for people. */
  readonly place: string
  /** Undefined where what is there does not say whose it is. */
  readonly owner: LockOwner | undefined
  readonly state: OwnerState
}

/**
 * Where locks are kept: a folder today; a store that several machines share can be another. At any time at most one
 * owner holds the lock of a target.
 */
export interface Locks {
  /** Answers at once; a lock that is held is not waited for. Throws a `LockError` when nobody can tell. */
  acquire(target: Target, owner: LockOwner): Promise<HeldLock | RefusedLock>
}

/** A lock that could be neither taken nor refused. */
export class LockError extends Error {
  override readonly name = 'LockError'
}
