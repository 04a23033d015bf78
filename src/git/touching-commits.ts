import { type GitFolder, runGit } from './run-git.ts'

export interface DatedCommit {
  readonly commit: string
  /** When it was committed, in milliseconds since 1970. */
  readonly at: number
}

/** The commits of a history that changed some files of the folder, the newest first; undefined where git cannot tell. */
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

/** The commit that a revision means, in whatever way it is written: a name, a branch, `HEAD~2`; undefined where none is. */
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

/** What `rev-list --timestamp` says. */
export function datedCommits(text: string): DatedCommit[] {
  const rows = text.split('\n').filter(row => row !== '')
  return rows.map(row => {
    const [seconds = '', commit = ''] = row.split(' ')
    return { commit, at: Number(seconds) * 1000 }
  })
}
