import { join } from 'node:path'
import { filtersOff } from './filters-off.ts'
import { type GitAnswer, type GitFolder, runGit } from './run-git.ts'
import { seemsRepository } from './seems-repository.ts'

/** What git says of a folder. */
export interface Revision {
  /** The commit that is checked out: 40 hex digits, or 64 in a repository of SHA-256. */
  readonly commit?: string
  /** Whether the folder holds anything else than that commit. Beside a commit only. */
  readonly dirty?: boolean
  /** Why git could not be asked although there seems to be a repository; one line. */
  readonly note?: string
}

/**
 * What says nothing of what is declared: what runs leave behind, in whatever folder, and installed packages, which are
 * many.
 */
const notRead = [':(exclude,glob)**/.vexil/**', ':(exclude,glob)**/node_modules/**']

/** Whether an untracked file was written by us, and is not read either; asked by its path. */
export type IsOurs = (path: string) => Promise<boolean>

/**
 * The commit of a folder, and whether the folder is as committed; untracked files count, since they are read too.
 *
 * | git                                                   | answer                                |
 * |-------------------------------------------------------|---------------------------------------|
 * | a repository with a commit                            | the commit, dirty or not              |
 * | a repository without a commit                         | nothing                               |
 * | none on this machine, no repository, no work tree     | nothing                               |
 * | a repository of another user (`dubious ownership`)    | a note: how to have it read           |
 * | a filter that cannot be switched off                  | a note                                |
 * | too slow, too much to say, broken                     | a note                                |
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

/** What an answer without a text says. */
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
 * One command for both, in the form that is meant for programs; `-z` so that no path can look like a header. Of a
 * submodule only the commit counts: git would ask it by another git, which goes by the submodule's own settings.
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

/** One by one: a folder of which nothing is committed may hold ours and others. */
const others = ['ls-files', '-z', '--others', '--exclude-standard']

function revisionIn(text: string): Revision {
  const entries = text.split('\0').filter(entry => entry !== '')
  const header = entries.find(entry => entry.startsWith('# branch.oid '))
  const commit = header?.slice('# branch.oid '.length) ?? ''
  if (!isCommit(commit)) return {}
  return { commit, dirty: entries.some(entry => !entry.startsWith('# ')) }
}

/** Whether a text is a whole object name. */
export function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

function refusalOf(words: string, directory: string): Revision {
  if (/not a git repository|must be run in a work tree|not in a git directory/.test(words)) return {}
  if (words.includes('dubious ownership')) {
    return {
      note: `${unread}: the repository belongs to another user; to have it read, run \`git config --global --add safe.directory ${directory}\``,
    }
  }
  return { note: `${unread}: git says "${words}"` }
}

const unread = 'the commit is not on record'

const failures = {
  too_slow: 'git took too long',
  too_long: 'git lists too many changed files',
} as const
