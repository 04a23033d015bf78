import type { Client } from '../../api/index.ts'
import type { Declarations } from '../desired.ts'
import type { Policy } from '../policy.ts'

/** What is read, for which declarations, and how. */
export interface SnapshotOptions {
  readonly client: Client
  readonly declarations: Declarations
  readonly policy: Policy
  readonly parallelism: number
  readonly signal?: AbortSignal
}
