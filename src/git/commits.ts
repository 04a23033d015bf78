import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { askGit, filtersOff, type GitAnswer, type GitFolder, runGit, seemsRepository } from './run.ts'

/** The commit and the state of a folder, from git. */
export interface Revision {
  /** The commit that is checked out: 40 hex digits, or 64 in a repository of SHA-256. */
  readonly commit?: string
  /** Whether the folder has local changes. Only set together with a commit. */
  readonly dirty?: boolean
  /** Why git failed although there seems to be a repository; one line. */
  readonly note?: string
}

/** Files without declarations: records of runs, and installed packages, which are many. */
const notRead = [':(exclude,glob)**/.vexil/**', ':(exclude,glob)**/node_modules/**']

/** Whether Vexil wrote an untracked file, by its path: then it does not count as a local change. */
export type IsOurs = (path: string) => Promise<boolean>

/**
 * The commit of a folder, and whether it has local changes. Untracked files count, since they are read too.
 *
 * | git                                                | answer                   |
 * |----------------------------------------------------|--------------------------|
 * | a repository with a commit                         | the commit, dirty or not |
 * | a repository without a commit                      | nothing                  |
 * | no git, no repository, no work tree                | nothing                  |
 * | a repository of another user (`dubious ownership`) | a note with the remedy   |
 * | a filter that cannot be switched off               | a note                   |
 * | too slow, too much output, broken                  | a note                   |
 */
export async function readRevision(place: GitFolder, isOurs: IsOurs): Promise<Revision> {
  if (!(await seemsRepository(place))) return {}
  const off = await filtersOff(place)
  if ('unstoppable' in off) return { note: `${unread}: ${filterText(off.unstoppable)}` }
  if ('answer' in off) return without(off.answer, place)
  const tracked = await runGit(place, ...off.words, ...status, '--', '.', ...notRead)
  if (tracked.is !== 'done') return without(tracked, place)
  const found = revisionIn(tracked.text)
  if (found.commit === undefined || found.dirty) return found
  const untracked = await runGit(place, ...others, '--', '.', ...notRead)
  if (untracked.is !== 'done') return without(untracked, place)
  return { ...found, dirty: await hasForeign(untracked.text, place, isOurs) }
}

async function hasForeign(text: string, { directory }: GitFolder, isOurs: IsOurs): Promise<boolean> {
  for (const name of text.split('\0')) {
    if (name !== '' && !(await isOurs(join(directory, name)))) return true
  }
  return false
}

/** The revision if git has failed. */
function without(answer: Exclude<GitAnswer, { is: 'done' }>, place: GitFolder): Revision {
  switch (answer.is) {
    case 'refused':
      return refusalOf(answer.words, place.directory)
    case 'failed':
      return answer.why === 'no_git' ? {} : { note: `${unread}: ${failures[answer.why]}` }
  }
}

function filterText(name: string): string {
  return `the repository has a filter with "=" in its name, "${name}", which cannot be switched off; give it another name`
}

/**
 * One command for the commit and tracked changes. `-z`, so that no path can look like a header. Of
 * submodules, only the commit counts: otherwise git would run with the settings of the submodule.
 */
const status = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--untracked-files=no',
  '--ignore-submodules=dirty',
  '--no-ahead-behind',
]

/** Lists untracked files one by one, because a folder may have files of Vexil and others. */
const others = ['ls-files', '-z', '--others', '--exclude-standard']

function revisionIn(text: string): Revision {
  const entries = text.split('\0').filter(entry => entry !== '')
  const header = entries.find(entry => entry.startsWith('# branch.oid '))
  const commit = header?.slice('# branch.oid '.length) ?? ''
  if (!isCommit(commit)) return {}
  return { commit, dirty: entries.some(entry => !entry.startsWith('# ')) }
}

/** Whether a text is a full object name. */
function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

function refusalOf(words: string, directory: string): Revision {
  if (/not a git repository|must be run in a work tree|not in a git directory/.test(words)) return {}
  if (words.includes('dubious ownership')) {
    return {
      note: `${unread}: the repository belongs to another user; to have it read, run \`git config --global --add safe.directory ${directory}\``,
    }
  }
  return { note: `${unread}: git reports "${words}"` }
}

const unread = 'the commit is not recorded'

const failures = {
  too_slow: 'git took too long',
  too_long: 'git lists too many changed files',
  stopped: 'git was stopped',
} as const

/**
 * How other commits relate to the checked-out commit (head).
 *
 * | git                                 | relation     |
 * |-------------------------------------|--------------|
 * | it is the head                      | `same`       |
 * | it is in the history of the head    | `ancestor`   |
 * | the head is in its history          | `descendant` |
 * | neither, and the clone is complete  | `diverged`   |
 * | neither, and the clone is shallow   | `unknown`    |
 * | not in the clone, which is complete | `missing`    |
 * | not in the clone, which is shallow  | `unknown`    |
 * | not a full object name; git failed  | `unknown`    |
 */
export type CommitRelation = 'same' | 'ancestor' | 'descendant' | 'diverged' | 'missing' | 'unknown'

export interface Ancestry {
  /** Whether some relation is unknown because the clone lacks older commits. */
  readonly isShallow: boolean
  relationOf(commit: string): CommitRelation
}

/**
 * Finds how commits relate to the head, with three short processes, and one more if some have diverged.
 * Commits beyond the first `mostAsked` are not read.
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

/** Whether a shallow clone may be wrong about a relation. */
function isCutShort(relation: CommitRelation): boolean {
  return relation === 'missing' || relation === 'diverged'
}

export type AskAncestry = (commits: readonly string[]) => Promise<Ancestry>

/** Finds how commits relate to a head, with results cached by commit. */
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

/** The newest common ancestor of two commits; undefined if there is none, or it is unknown. */
export async function forkOf(place: GitFolder, left: string, right: string): Promise<string | undefined> {
  const answer = await runGit(place, 'merge-base', left, right)
  const fork = answer.is === 'done' ? answer.text.trim() : ''
  return isCommit(fork) ? fork : undefined
}

/** How many parents a commit has: two or more for a merge; 0 if unknown. */
export async function countParents(place: GitFolder, commit: string): Promise<number> {
  if (!isCommit(commit)) return 0
  const answer = await runGit(place, 'rev-list', '--parents', '--max-count=1', commit)
  return answer.is === 'done' ? answer.text.trim().split(' ').length - 1 : 0
}

/** How many names fit into a command line on every system. */
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

/** The object names that are commits in this clone. */
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

/** Whether one commit is in the history of another. */
export interface Reached {
  leadsTo(from: string, to: string): boolean
}

/**
 * Reads the history down to the common ancestor of some commits, which one process finds and another lists.
 *
 * | `from` and `to`                     | `to` is in the history of `from`       |
 * |-------------------------------------|----------------------------------------|
 * | `to` is not newer than the ancestor | yes: the common history belongs to all |
 * | `from` is not, and `to` is          | no                                     |
 * | both are                            | if parents lead there                  |
 *
 * Undefined if git cannot list it.
 */
async function readReached(
  place: GitFolder,
  head: string,
  commits: readonly string[],
): Promise<Reached | undefined> {
  if (commits.length === 0) return { leadsTo: () => false }
  const all = [head, ...commits]
  const common = await runGit(place, 'merge-base', '--octopus', ...all)
  // The exit code is 1 if they have no common ancestor; then all their history is listed.
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

/** The commits of a branch that changed some files, the newest first. */
export interface FirstParents {
  readonly commits: readonly DatedCommit[]
  /** Whether the list is complete; otherwise the last commit stands for all earlier ones. */
  readonly isWhole: boolean
  /** Whether the clone lacks older commits. */
  readonly isShallow: boolean
}

/**
 * The first parents of a commit: the successive states of a branch. Merged commits count with their merge.
 * Undefined if git fails.
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

/** Whether the clone lacks older commits; undefined if git fails. */
async function isShallowClone(place: GitFolder): Promise<boolean | undefined> {
  const answer = await runGit(place, 'rev-parse', '--is-shallow-repository')
  return answer.is === 'done' ? answer.text.trim() === 'true' : undefined
}

/** The files that differ between each commit and the next, relative to the folder; undefined if git fails. */
export async function readChangedNames(
  place: GitFolder,
  commits: readonly string[],
  pathspecs: readonly string[],
): Promise<readonly (readonly string[])[] | undefined> {
  const pairs = commits.slice(0, -1).map((commit, index) => `${commit} ${commits[index + 1]}\n`)
  if (pairs.length === 0) return []
  const answer = await askGit(
    place,
    ['diff-tree', '--stdin', '-r', '-z', '--name-only', '--no-renames', '--relative', '--', ...pathspecs],
    { input: pairs.join(''), mostBytes: 64 * 1024 * 1024 },
  )
  if (answer.is !== 'done') return undefined
  const lists = new Map(commits.map((commit): [string, string[]] => [commit, []]))
  let list: string[] | undefined
  for (const word of answer.bytes.toString('utf8').split('\0')) {
    // Git prints the first commit of a pair before its names.
    const next = lists.get(word)
    if (next) list = next
    else list?.push(word)
  }
  return [...lists.values()].slice(0, -1)
}

export interface DatedCommit {
  readonly commit: string
  /** When it was committed, in milliseconds since 1970. */
  readonly at: number
}

/** The commits that changed some files of the folder, the newest first; undefined if git fails. */
export async function commitsTouching(
  place: GitFolder,
  head: string,
  pathspecs: readonly string[],
  most: number,
): Promise<readonly DatedCommit[] | undefined> {
  const answer = await runGit(
    place,
    'rev-list',
    '--timestamp',
    `--max-count=${most}`,
    head,
    '--',
    ...pathspecs,
  )
  return answer.is === 'done' ? datedCommits(answer.text) : undefined
}

/** The commit of a revision: a name, a branch, `HEAD~2`; undefined if there is none. */
export async function commitMeant(place: GitFolder, revision: string): Promise<DatedCommit | undefined> {
  const answer = await runGit(
    place,
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${revision}^{commit}`,
  )
  if (answer.is !== 'done') return undefined
  const dated = await runGit(place, 'rev-list', '--timestamp', '--max-count=1', answer.text.trim())
  return dated.is === 'done' ? datedCommits(dated.text)[0] : undefined
}

/** Reads the output of `rev-list --timestamp`. */
function datedCommits(text: string): DatedCommit[] {
  const rows = text.split('\n').filter(row => row !== '')
  return rows.map(row => {
    const [seconds = '', commit = ''] = row.split(' ')
    return { commit, at: Number(seconds) * 1000 }
  })
}

/** Why some files cannot be committed by themselves, with a remedy; undefined if they can. */
export async function commitObstacle(
  place: GitFolder,
  files: readonly string[],
): Promise<string | undefined> {
  const off = await filtersOff(place)
  if ('unstoppable' in off) return `the filter "${off.unstoppable}" cannot be switched off`
  if ('answer' in off) return off.answer.is === 'refused' ? off.answer.words : 'git cannot be asked'
  const ask = (...words: readonly string[]) => runGit(place, ...off.words, ...words)
  const staged = await ask('diff', '--cached', '--name-only', '--no-ext-diff')
  if (staged.is !== 'done') return staged.is === 'refused' ? staged.words : 'git cannot be asked'
  if (staged.text.trim() !== '') return 'changes are staged; commit or unstage them first'
  for (const file of files) {
    const known = await ask('ls-files', '--error-unmatch', '--', `:(literal)${file}`)
    if (known.is !== 'done') return `"${file}" is not in git yet; commit it first`
    const changed = await ask('diff', '--name-only', '--no-ext-diff', '--', `:(literal)${file}`)
    if (changed.is !== 'done' || changed.text.trim() !== '')
      return `"${file}" has changes that are not committed; commit or undo them first`
  }
  return undefined
}

/** Commits only these files, with hooks and signed if configured: both may need the whole environment. */
export function commitFiles(
  { directory, env }: GitFolder,
  files: readonly string[],
  message: string,
): Promise<{ readonly is: 'done' } | { readonly is: 'refused'; readonly words: string }> {
  return new Promise(resolve => {
    const paths = files.map(file => `:(literal)${file}`)
    const asked = execFile(
      'git',
      ['--no-pager', 'commit', '--quiet', '--only', '--cleanup=verbatim', '--file=-', '--', ...paths],
      { cwd: directory, env: { ...env, GIT_EDITOR: 'true' }, windowsHide: true, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const words = `${stderr}${stdout}`.trim() || (error?.message ?? '')
        resolve(error ? { is: 'refused', words } : { is: 'done' })
      },
    )
    // Git may end before it has read all input, and reports why.
    asked.stdin?.on('error', () => {})
    asked.stdin?.end(message)
  })
}
