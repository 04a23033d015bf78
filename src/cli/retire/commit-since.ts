import { readChangedNames, readFirstParents } from '../../git/commits.ts'
import {
  type DeclaredRepository,
  type RepositoryOptions,
  readUnchecked,
  settingsFiles,
} from '../../yaml/index.ts'
import { environmentsOf } from '../../yaml/settings.ts'
import type { Host } from '../host/host.ts'
import { isLikelyDeclaration, pathspecs, treeOfCommit } from '../past/past-declarations.ts'
import { revisionOf } from '../repository/repository.ts'
import { type FlagState, flagStates, type Since, stateName } from './flag-states.ts'

/** A repository with its written declarations. */
export type Opened = DeclaredRepository & { readonly options: RepositoryOptions }

/** The history of the declarations in git. */
export interface ReadCommits {
  /** Whether git knows the repository at all. */
  readonly hasGit: boolean
  /** By state name, without states that the checked-out commit declares differently. */
  readonly since: ReadonlyMap<string, Since>
  /** The names of those that were changed since that commit. */
  readonly uncommitted: ReadonlySet<string>
  /** Why git shows only part of the history; one line. */
  readonly note?: string
}

/** Limits, counted back from the checked-out commit: commits to list, and commits to read. */
const mostListed = 5000
const mostRead = 500

/**
 * Finds the commit since which each flag has its current meaning. It follows first parents back from the
 * checked-out commit.
 *
 * | the commit before it                                              | result                                          |
 * |-------------------------------------------------------------------|-------------------------------------------------|
 * | declares the flag with the same result for everybody              | continue with that commit                       |
 * | declares it differently, or not at all, or in another place       | since this commit                               |
 * | does not exist                                                    | since this commit                               |
 * | cannot be read, or is not in this clone, or is too far back       | at least since this commit                      |
 */
export async function commitsOf(
  host: Host,
  opened: Opened,
  states: readonly FlagState[],
): Promise<ReadCommits> {
  const { options, texts } = opened
  const git = { directory: options.directory, env: host.env }
  const { commit: head, dirty = true } = await revisionOf(host, options.directory)
  const since = new Map<string, Since>()
  const uncommitted = new Set<string>()
  if (head === undefined) return { hasGit: false, since, uncommitted }
  const specs = pathspecs([...texts.keys()])
  const line = await readFirstParents(git, head, specs, mostListed)
  const changes =
    line &&
    (await readChangedNames(
      git,
      line.commits.map(({ commit }) => commit),
      specs,
    ))
  if (!line || !changes) return { hasGit: true, since, uncommitted, note: unlisted }
  const open = new Map<string, OpenState>()
  const committed = await statesAt(host, opened, head)
  for (const state of states.filter(({ meaning }) => meaning !== undefined)) {
    const found = committed?.get(stateName(state))
    // In a clean folder, extra content is a link or ignored by git.
    if (found && found.meaning === state.meaning) open.set(stateName(state), openState(found))
    else if (committed && dirty) uncommitted.add(stateName(state))
  }
  let read = 0
  for (const [index, { commit, at }] of line.commits.entries()) {
    const older = line.commits[index + 1]?.commit
    const names = new Set(changes[index])
    const isWhole = settingsFiles.some(name => names.has(name))
    const asked = [...open].filter(
      ([, { file, usesAudience }]) => older === undefined || isWhole || usesAudience || names.has(file),
    )
    if (asked.length === 0) continue
    read += 1
    const isPart = !isWhole && !asked.some(([, { usesAudience }]) => usesAudience)
    const before =
      older === undefined || read > mostRead
        ? undefined
        : await statesAt(host, opened, older, isPart ? name => names.has(name) : undefined)
    const isKnown = before !== undefined || (older === undefined && line.isWhole)
    for (const [name, { meaning }] of asked) {
      const was = before?.get(name)
      if (was && was.meaning === meaning) open.set(name, openState(was))
      else {
        open.delete(name)
        since.set(name, { at, from: 'commit', name: commit, isAtLeast: !isKnown })
      }
    }
  }
  const isShort = line.isShallow && [...since.values()].some(({ isAtLeast }) => isAtLeast)
  return { hasGit: true, since, uncommitted, ...(isShort ? { note: shallow } : {}) }
}

const unlisted =
  'git cannot list the commits that touch declarations, so the age of declarations is not known'

const shallow =
  'this clone is shallow, so flags count as declared since its oldest commit at the least; fetch the whole history: `fetch-depth: 0` in GitHub Actions, `GIT_DEPTH: 0` in GitLab CI, or `git fetch --unshallow`'

/** A state that is unchanged back to some commit. */
interface OpenState {
  readonly meaning: string | undefined
  readonly file: string
  /** An audience may be declared in any file. */
  readonly usesAudience: boolean
}

function openState({ meaning, declaration: { base, environments, file } }: FlagState): OpenState {
  const usesAudience = [base, ...environments.values()].some(({ expanded }) => expanded?.audiences.length)
  return { meaning, file: file.parsed.file, usesAudience }
}

/** A commit's flags by state name, of some or all files; undefined if it or its settings cannot be read. */
async function statesAt(
  { env, runtime }: Host,
  { options: { unwritten: _, ...options } }: Opened,
  commit: string,
  isMeant: (name: string) => boolean = isLikelyDeclaration,
): Promise<ReadonlyMap<string, FlagState> | undefined> {
  const place = { directory: options.directory, env }
  const tree = await treeOfCommit(place, commit, runtime.uniqueId(), isMeant)
  if (!tree) return undefined
  const { isSettled, settings, declared } = await readUnchecked({ ...options, tree })
  if (!isSettled) return undefined
  const states = flagStates(declared, environmentsOf(settings))
  return new Map(states.map(state => [stateName(state), state]))
}
