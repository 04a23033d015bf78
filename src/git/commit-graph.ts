import { type GitFolder, runGit } from './run-git.ts'

/** Which of some commits lead to which, by way of their parents. */
export interface Reached {
  leadsTo(from: string, to: string): boolean
}

/**
 * The history between some commits and what they all have in common: one process finds that, another lists what is newer.
 *
 * | of `from` and `to`                | leads to                                                        |
 * |-----------------------------------|-----------------------------------------------------------------|
 * | `to` is not among what is newer   | yes: what all have in common is part of the history of each     |
 * | `from` is not, and `to` is        | no                                                              |
 * | both are                          | by way of their parents: no way to what is newer leads outside  |
 *
 * Undefined where git cannot list it.
 */
export async function readReached(
  place: GitFolder,
  head: string,
  commits: readonly string[],
): Promise<Reached | undefined> {
  if (commits.length === 0) return { leadsTo: () => false }
  const all = [head, ...commits]
  const common = await runGit(place, 'merge-base', '--octopus', ...all)
  // It ends in 1 where they have nothing in common; then all of their history is newer than that.
  if (common.is !== 'done' && !(common.is === 'refused' && common.code === 1)) return undefined
  const known = common.is === 'done' ? common.text.trim() : ''
  const listed = await runGit(
    place,
    'rev-list',
    '--parents',
    ...all,
    ...(known === '' ? [] : ['--not', known]),
  )
  return listed.is === 'done' ? reachedIn(parentsIn(listed.text)) : undefined
}

type Parents = ReadonlyMap<string, readonly string[]>

function parentsIn(text: string): Parents {
  const lines = text.split('\n').filter(line => line !== '')
  return new Map(
    lines.map(line => {
      const [commit = '', ...parents] = line.split(' ')
      return [commit, parents]
    }),
  )
}

function reachedIn(parents: Parents): Reached {
  const known = new Map<string, ReadonlySet<string>>()
  const reachedFrom = (from: string) => {
    const reached = known.get(from) ?? reachedBy(parents, from)
    known.set(from, reached)
    return reached
  }
  return { leadsTo: (from, to) => !parents.has(to) || reachedFrom(from).has(to) }
}

function reachedBy(parents: Parents, from: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [from]
  for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
    if (reached.has(commit)) continue
    const above = parents.get(commit)
    if (!above) continue
    reached.add(commit)
    open.push(...above)
  }
  return reached
}
