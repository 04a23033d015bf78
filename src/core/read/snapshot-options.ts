import type { Client } from '../../api/index.ts'
import type { Declarations } from '../desired.ts'
import type { Policy } from '../policy.ts'
import type { StartedLists } from './started-lists.ts'

/** What is read, for which declarations, and how. */
export interface SnapshotOptions {
  readonly client: Client
  readonly declarations: Declarations
  readonly policy: Policy
  readonly parallelism: number
  readonly signal?: AbortSignal
  /** Reads the grants of each flag by themselves, also where the list of roles shows them. */
  readonly readsEachGrant?: boolean
  /** Lists that were asked for before. */
  readonly started?: Pick<StartedLists, 'of'> | undefined
}
