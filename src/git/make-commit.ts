import { execFile } from 'node:child_process'
import { filtersOff } from './filters-off.ts'
import { type GitFolder, runGit } from './run-git.ts'

/** Why some files cannot be committed by themselves, and what to do; undefined where they can. Nothing is written. */
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

/**
 * Commits these files and nothing else, as `git commit` does: hooks run, and it is signed where the user has said so. The
 * environment is given whole, for both may need it.
 */
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
    // Git may end without having read all of it, and says why.
    asked.stdin?.on('error', () => {})
    asked.stdin?.end(message)
  })
}
