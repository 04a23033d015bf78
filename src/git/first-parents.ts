import { type CommitFile, readPrefix } from './commit-files.ts'
import { askGit, type GitFolder, runGit } from './run-git.ts'
import { type DatedCommit, datedCommits } from './touching-commits.ts'

/** The commits of a line that changed some files, the newest first: each after the one that follows it here. */
export interface FirstParents {
  readonly commits: readonly DatedCommit[]
  /** Whether nothing was before the last of them; otherwise that one stands for all that came before. */
  readonly isWhole: boolean
  /** Whether the clone lacks older commits. */
  readonly isShallow: boolean
}

/**
 * The line of first parents of a commit: what a branch was, one state after the other. What was merged into it came with the
 * merge. Undefined where git cannot tell.
 */
export async function readFirstParents(
  place: GitFolder,
  head: string,
  pathspecs: readonly string[],
  most: number,
): Promise<FirstParents | undefined> {
  const [listed, isShallow] = await Promise.all([
    runGit(
      place,
      ...['rev-list', '--first-parent', '--timestamp', `--max-count=${most + 1}`, head],
      ...['--', ...pathspecs],
    ),
    isShallowClone(place),
  ])
  if (listed.is !== 'done' || isShallow === undefined) return undefined
  const commits = datedCommits(listed.text)
  return { commits: commits.slice(0, most + 1), isWhole: !isShallow && commits.length <= most, isShallow }
}

/** Whether the clone lacks older commits; undefined where git cannot tell. */
export async function isShallowClone(place: GitFolder): Promise<boolean | undefined> {
  const answer = await runGit(place, 'rev-parse', '--is-shallow-repository')
  return answer.is === 'done' ? answer.text.trim() === 'true' : undefined
}

/** A file of the folder that is not the same in two commits. */
export interface ChangedFile {
  /** Relative to the folder, with "/". */
  readonly name: string
  /** As it is in the older one; undefined where it is not there. */
  readonly before: CommitFile | undefined
}

/**
 * What is otherwise in each of some commits of a line than in the one that follows it in the list: of n commits, n - 1 lists of
 * files. One process tells all of them. Undefined where git cannot tell.
 */
export async function readChangedFiles(
  place: GitFolder,
  commits: readonly string[],
  pathspecs: readonly string[],
): Promise<readonly (readonly ChangedFile[])[] | undefined> {
  const pairs = commits.slice(0, -1).map((commit, index) => [commit, commits[index + 1] ?? ''] as const)
  if (pairs.length === 0) return []
  const prefix = await readPrefix(place)
  const answer = await askGit(
    place,
    ['diff-tree', '--stdin', '-r', '-z', '--no-renames', '--relative', '--', ...pathspecs],
    { input: pairs.map(pair => `${pair.join(' ')}\n`).join(''), mostBytes: mostListed },
  )
  if (answer.is !== 'done' || prefix === undefined) return undefined
  const lists = new Map<string, ChangedFile[]>(pairs.map(([commit]) => [commit, []]))
  let list: ChangedFile[] = []
  let row: RegExpExecArray | null = null
  for (const word of answer.bytes.toString('utf8').split('\0')) {
    if (row) {
      const [, mode = '', blob = ''] = row
      const before = { blob, path: `${prefix}${word}`, isLink: mode === link }
      list.push({ name: word, before: isFile.test(mode) ? before : undefined })
      row = null
      continue
    }
    row = /^:(\d+) \d+ ([0-9a-f]+) [0-9a-f]+ \w/.exec(word)
    if (!row) list = lists.get(word.trim()) ?? []
  }
  return pairs.map(([commit]) => lists.get(commit) ?? [])
}

const mostListed = 64 * 1024 * 1024
const link = '120000'
/** Neither nothing nor a submodule. */
const isFile = /^1[02]/
