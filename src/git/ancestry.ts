import { readReached } from './commit-graph.ts'
import { isShallowClone } from './first-parents.ts'
import { isCommit } from './revision.ts'
import { askGit, type GitFolder, runGit } from './run-git.ts'

/**
 * How other commits stand to the one that is checked out, the head.
 *
 * | git                                                     | relation     |
 * |---------------------------------------------------------|--------------|
 * | it is the head                                          | `same`       |
 * | the head leads to it                                    | `ancestor`   |
 * | it leads to the head                                    | `descendant` |
 * | neither, and the clone is whole                         | `diverged`   |
 * | neither, and the clone is shallow: the way may be cut   | `unknown`    |
 * | the clone does not have it, and is whole                | `missing`    |
 * | the clone does not have it, and is shallow              | `unknown`    |
 * | no whole object name; git could not be asked            | `unknown`    |
 */
export type CommitRelation = 'same' | 'ancestor' | 'descendant' | 'diverged' | 'missing' | 'unknown'

export interface Ancestry {
  /** Whether some relation is unknown since the clone lacks older commits. */
  readonly isShallow: boolean
  /** Of a commit that was asked for; of any other nothing is known. */
  relationOf(commit: string): CommitRelation
}

/**
 * How commits stand to the head: three short processes for all of them together, one more where some do not stand in
 * one line with it, and none where the head is the only one. Beyond the first `mostAsked` none is looked at.
 */
export async function readAncestry(
  place: GitFolder,
  head: string,
  commits: readonly string[],
): Promise<Ancestry> {
  const others = [...new Set(commits)].filter(commit => commit !== head && isCommit(commit))
  const asked = others.slice(0, mostAsked)
  if (asked.length === 0) return ancestryOf(head, new Map(), false)
  const present = await readPresent(place, asked)
  if (present === undefined) return ancestryOf(head, new Map(), false)
  const reached = await readReached(
    place,
    head,
    asked.filter(commit => present.has(commit)),
  )
  const inWhole = asked.map((commit): [string, CommitRelation] => {
    if (!present.has(commit)) return [commit, 'missing']
    if (!reached) return [commit, 'unknown']
    if (reached.leadsTo(head, commit)) return [commit, 'ancestor']
    return [commit, reached.leadsTo(commit, head) ? 'descendant' : 'diverged']
  })
  if (!inWhole.some(([, relation]) => isCutShort(relation))) return ancestryOf(head, new Map(inWhole), false)
  const isShallow = await isShallowClone(place)
  if (isShallow === undefined) return ancestryOf(head, new Map(), false)
  const inShallow = inWhole.filter(([, relation]) => !isCutShort(relation))
  return ancestryOf(head, new Map(isShallow ? inShallow : inWhole), isShallow)
}

/** What a clone without its older commits seems to tell, and does not. */
function isCutShort(relation: CommitRelation): boolean {
  return relation === 'missing' || relation === 'diverged'
}

/** How some commits stand to a head that it knows. */
export type AskAncestry = (commits: readonly string[]) => Promise<Ancestry>

/** The same, one question after the other: git is not asked twice about one commit. */
export function rememberingAncestry(place: GitFolder, head: string): AskAncestry {
  const known = new Map<string, CommitRelation>()
  let isShallow = false
  return async commits => {
    const unknown = commits.filter(commit => !known.has(commit))
    const read = await readAncestry(place, head, unknown)
    for (const commit of unknown) known.set(commit, read.relationOf(commit))
    isShallow ||= read.isShallow
    return ancestryOf(head, known, isShallow)
  }
}

/** The newest commit that two have in common; undefined where there is none, or it cannot be told. */
export async function forkOf(place: GitFolder, left: string, right: string): Promise<string | undefined> {
  const answer = await runGit(place, 'merge-base', left, right)
  const fork = answer.is === 'done' ? answer.text.trim() : ''
  return isCommit(fork) ? fork : undefined
}

/** How many parents a commit has: two and more where it is a merge; none where nobody can tell. */
export async function countParents(place: GitFolder, commit: string): Promise<number> {
  if (!isCommit(commit)) return 0
  const answer = await runGit(place, 'rev-list', '--parents', '--max-count=1', commit)
  return answer.is === 'done' ? answer.text.trim().split(' ').length - 1 : 0
}

/** So many fit into a command line on every system. */
const mostAsked = 256

function ancestryOf(
  head: string,
  relations: ReadonlyMap<string, CommitRelation>,
  isShallow: boolean,
): Ancestry {
  return {
    isShallow,
    relationOf: commit => (commit === head ? 'same' : (relations.get(commit) ?? 'unknown')),
  }
}

/** Those of some object names that are commits of this clone. */
async function readPresent(
  place: GitFolder,
  commits: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const answer = await askGit(place, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input: commits.map(commit => `${commit}\n`).join(''),
  })
  if (answer.is !== 'done') return undefined
  const lines = answer.bytes.toString('utf8').split('\n')
  return new Set(lines.flatMap(line => (line.endsWith(' commit') ? [line.slice(0, -' commit'.length)] : [])))
}
