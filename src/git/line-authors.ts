import { type GitFolder, runGit } from './run-git.ts'

/** A line as the commit that last changed it left it. */
export interface AuthoredLine {
  readonly text: string
  readonly commit: string
  readonly author: string
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
  /** Whether the history ends there, so that an earlier commit may have written it. */
  readonly isBoundary: boolean
}

/**
 * Who last changed each line of a file, as a commit has it; undefined where git cannot tell. Only what is committed is read:
 * no filter and no converter of the repository runs.
 */
export async function lineAuthors(
  place: GitFolder,
  commit: string,
  file: string,
): Promise<readonly AuthoredLine[] | undefined> {
  const answer = await runGit(place, 'blame', '--porcelain', '--no-textconv', commit, '--', file)
  return answer.is === 'done' ? authoredLines(answer.text) : undefined
}

const mostCommits = 50_000

/** How far back each commit of a history lies: 0 for its head, and each before its parents. What is not in it lies further. */
export async function commitOrder(place: GitFolder, head: string): Promise<ReadonlyMap<string, number>> {
  const answer = await runGit(place, 'rev-list', '--topo-order', `--max-count=${mostCommits}`, head)
  const commits = answer.is === 'done' ? answer.text.split('\n') : []
  return new Map(commits.map((commit, index) => [commit, index]))
}

/** Whether a clone lacks the beginning of its history; undefined where git cannot tell. */
export async function isShallow(place: GitFolder): Promise<boolean | undefined> {
  const answer = await runGit(place, 'rev-parse', '--is-shallow-repository')
  return answer.is === 'done' ? answer.text.trim() === 'true' : undefined
}

/** What `blame --porcelain` says: of a commit everything once, where it first comes, and each line behind a tab. */
function authoredLines(text: string): AuthoredLine[] {
  const commits = new Map<string, { author: string; at: number; isBoundary: boolean }>()
  const lines: AuthoredLine[] = []
  let [commit, current] = ['', { author: '', at: 0, isBoundary: false }]
  for (const row of text.split('\n')) {
    const [, hash] = /^([0-9a-f]{40,64}) \d+ \d+(?: \d+)?$/.exec(row) ?? []
    if (row.startsWith('\t')) lines.push({ text: row.slice(1), commit, ...current })
    else if (hash !== undefined) {
      commit = hash
      current = commits.get(hash) ?? { author: '', at: 0, isBoundary: false }
      commits.set(hash, current)
    } else if (row.startsWith('author ')) current.author = row.slice('author '.length)
    else if (row.startsWith('author-time ')) current.at = Number(row.slice('author-time '.length)) * 1000
    else if (row === 'boundary') current.isBoundary = true
  }
  return lines
}
