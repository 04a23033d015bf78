import { type GitAnswer, type GitFolder, runGit } from './run-git.ts'
import { seemsRepository } from './seems-repository.ts'

/** The files of a folder by git. */
export type ListedFiles =
  | { readonly paths: readonly string[] }
  /** `note`: why git could not be asked although there seems to be a repository; one line. */
  | { readonly paths: undefined; readonly note?: string }

/**
 * The files below a folder that git knows or would take up, relative to the folder: whatever `.gitignore`,
 * `.git/info/exclude` and `core.excludesFile` leave out is not among them.
 */
export async function listFiles(place: GitFolder): Promise<ListedFiles> {
  if (!(await seemsRepository(place))) return { paths: undefined }
  const answer = await runGit(
    place,
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    '.',
  )
  if (answer.is !== 'done') return { paths: undefined, ...noteOf(answer) }
  // A file with a conflict is listed once for each side.
  return { paths: [...new Set(answer.text.split('\0').filter(path => path !== ''))] }
}

/** The folder of the work tree that a folder belongs to; undefined where there is none. */
export async function findTopFolder(place: GitFolder): Promise<string | undefined> {
  if (!(await seemsRepository(place))) return undefined
  const answer = await runGit(place, 'rev-parse', '--show-toplevel')
  return answer.is === 'done' ? answer.text.replace(/\r?\n$/, '') : undefined
}

function noteOf(answer: Exclude<GitAnswer, { is: 'done' }>): { readonly note?: string } {
  if (answer.is === 'refused')
    return /not a git repository|must be run in a work tree/.test(answer.words)
      ? {}
      : {
          note: `git could not list the files ("${answer.words}"); what .gitignore files say is read without it`,
        }
  if (answer.why === 'no_git') return {}
  const why = answer.why === 'too_slow' ? 'git took too long' : 'git lists too many files'
  return { note: `${why}; what .gitignore files say is read without it` }
}
