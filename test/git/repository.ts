import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What the real git needs of the process, and no settings of whoever runs the tests. */
export const gitEnv = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
} as const

/** Runs the real git in a folder and answers with what it says. */
export async function git(directory: string, ...words: readonly string[]): Promise<string> {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main']
  const { stdout } = await run('git', [...who, ...words], { cwd: directory, env: gitEnv })
  return stdout.trim()
}

/** Makes a folder a repository with everything in it committed; answers with the commit. */
export async function commitAll(directory: string): Promise<string> {
  await git(directory, 'init', '--quiet')
  await git(directory, 'add', '--all')
  await git(directory, 'commit', '--quiet', '--message', 'Everything')
  return git(directory, 'rev-parse', 'HEAD')
}
