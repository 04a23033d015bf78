import type { DeclaredRepository, RepositoryOptions } from '../../../yaml/index.ts'
import type { Host } from '../../host/host.ts'
import { revisionOf } from '../../repository/revision-of.ts'
import { type CommitSince, readCommitSince } from './commit-since.ts'
import type { FlagState } from './flag-states.ts'

/** A repository as it is written. */
export type Opened = DeclaredRepository & { readonly options: RepositoryOptions }

/** What git tells of the declarations. */
export interface ReadCommits extends CommitSince {
  /** Whether git tells of the repository at all. */
  readonly hasGit: boolean
}

/** Since when the flags of a repository are declared as they are, as far as its commits tell. */
export async function commitsOf(
  host: Host,
  { options, texts, declared }: Opened,
  states: readonly FlagState[],
): Promise<ReadCommits> {
  const { directory } = options
  const { commit: head, dirty: isDirty = true } = await revisionOf(host, directory)
  if (head === undefined) return { hasGit: false, since: new Map(), uncommitted: new Set() }
  const parsed = declared.flatMap(({ objects }) => objects.map(({ file }) => file.parsed))
  const git = { directory, env: host.env }
  const place = { git, options, texts, head, isDirty, mark: host.runtime.uniqueId() }
  const since = await readCommitSince(states, {
    ...place,
    parsed: new Map(parsed.map(each => [each.file, each])),
  })
  return { hasGit: true, ...since }
}
