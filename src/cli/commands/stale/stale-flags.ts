import type { DeclaredRepository, RepositoryOptions } from '../../../yaml/index.ts'
import type { RepositoryFlags } from '../../connection/repository-settings.ts'
import type { SessionFlags } from '../../connection/session.ts'
import type { OutputFlags } from '../../host/output/output.ts'

export interface StaleFlags
  extends Pick<RepositoryFlags, 'chdir' | 'env' | 'profile'>,
    SessionFlags,
    OutputFlags {
  /** From how many days on a flag that gives everybody the same is stale. */
  readonly days: string
  /** Files and folders of code to search. */
  readonly in?: readonly string[]
  /** Whether the service is asked; the embedded sandbox is where it is named. */
  readonly activity?: boolean
  readonly owner?: readonly string[]
}

/** A repository as it is written. */
export type Opened = DeclaredRepository & { readonly options: RepositoryOptions }
