import type { ComparedEnvironment, ComparedObject } from '../../../core/compare/comparison.ts'
import { declarableKind } from '../../../kinds/index.ts'

/** An environment as it was read, and the place where it is live. */
export interface ReadEnvironment extends ComparedEnvironment {
  readonly place?: string
}

export interface ReadOptions {
  /** Whether role access is compared as well. */
  readonly grants: boolean
}

/** Whether an object is among those that are compared. */
export function isWanted({ kind }: ComparedObject, { grants }: ReadOptions): boolean {
  return grants || declarableKind(kind).lifecycle.parent === undefined
}
