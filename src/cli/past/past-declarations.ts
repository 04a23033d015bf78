import type { Declarations } from '../../core/desired.ts'
import type { GitFolder } from '../../git/run.ts'
import type { Runtime } from '../../model/runtime/runtime.ts'
import { loadUnbroken, type RepositoryOptions } from '../../yaml/index.ts'
import type { ConnectionSettings } from '../connection/resolve-connection.ts'
import { pastNotes } from './past-notes.ts'
import { treeOfCommit } from './tree-of-commit.ts'

/** What a repository declared at a commit, as far as it can be read. */
export interface PastState {
  readonly declarations: Declarations
  /** Where that commit says that the environment is. */
  readonly connection: ConnectionSettings
  /** What of it cannot be read, and why, a line each. */
  readonly notes: readonly string[]
}

export interface PastAsking {
  /** False for a commit that is gone through among many: what it declares is not held in memory for whoever asks next. */
  readonly isKept?: boolean
}

/** The declarations of a repository at other commits, each read once where it is kept. */
export interface PastDeclarations {
  /** The files that are read today, relative to the repository. */
  readonly files: readonly string[]
  /** Undefined where git cannot tell; by the whole name of a commit. */
  at(commit: string, asking?: PastAsking): Promise<PastState | undefined>
}

/** Reads as the command reads the files of today: for the same environment, with the same variables. */
export function pastDeclarations(
  runtime: Runtime,
  options: RepositoryOptions,
  /** The files that are read today. */
  files: readonly string[],
): PastDeclarations {
  const { onSettled: _, unwritten: __, today: ___, ...reading } = options
  const place: GitFolder = { directory: options.directory, env: options.env }
  const known = new Map<string, Promise<PastState | undefined>>()
  return {
    files,
    at(commit, { isKept = true } = {}) {
      const found = known.get(commit) ?? read(commit)
      if (isKept) known.set(commit, found)
      return found
    },
  }

  async function read(commit: string): Promise<PastState | undefined> {
    // Whoever wrote the files cannot know what separates them.
    const found = await treeOfCommit(place, commit, runtime.uniqueId())
    if (!found) return undefined
    const { environment, declarations, problems, isSettled } = await loadUnbroken({
      ...reading,
      tree: found.tree,
    })
    return {
      declarations,
      connection: environment?.connection ?? {},
      notes: pastNotes(commit, {
        problems,
        isSettled,
        submodules: found.submodules,
        files,
        environment: options.environment,
      }),
    }
  }
}
