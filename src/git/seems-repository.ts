import { access, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { GitFolder } from './run-git.ts'

/**
 * Whether git could find a work tree here: `.git` in the folder or above it, or a variable that names one. Git itself
 * is a process for each question, so it is not asked where the answer is plain.
 */
export async function seemsRepository({ directory, env }: GitFolder): Promise<boolean> {
  if (env.GIT_DIR) return true
  try {
    // Git looks where the folder really is, and so do we.
    return await isAtOrAbove(await realpath(directory))
  } catch {
    return false
  }
}

async function isAtOrAbove(folder: string): Promise<boolean> {
  const found = await access(join(folder, '.git')).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  )
  const above = dirname(folder)
  return found || (above !== folder && (await isAtOrAbove(above)))
}
