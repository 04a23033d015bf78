import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from '../../git/repository.ts'
import { type Files, folderOfTest, writeFiles } from '../folder.ts'

/** A bare repository as a code host has it, and what people push to it. Gone when the test is over. */
export interface Remote {
  /** `file://` and its folder: what `git clone` takes. */
  readonly url: string
  /** Runs git in the bare repository. */
  git(...words: readonly string[]): Promise<string>
  /**
   * Commits files to a branch and pushes it; answers with the commit. A new branch starts at main, or at `from`. A
   * file that is `null` is removed.
   */
  push(branch: string, files: Changed, from?: string): Promise<string>
  /** Merges a branch into main as code hosts do, with a commit of its own, and answers with that commit. */
  merge(branch: string): Promise<string>
  /** The commit that a merge would make, which no branch has: what a pipeline of a pull request checks out on GitHub. */
  mergePreview(branch: string): Promise<string>
  /** A clone with all branches, in which `ref` is checked out. */
  clone(into: string, ref: string): Promise<void>
}

export type Changed = Readonly<Record<string, string | Uint8Array | null>>

/** A repository with these files on branch main. */
export async function aRemote(files: Files): Promise<Remote> {
  const root = await folderOfTest({})
  const [bare, desk] = [join(root, 'remote.git'), join(root, 'desk')]
  const url = `file://${bare}`
  await git(root, 'init', '--quiet', '--bare', bare)
  // Pipelines check out commits by their names, those that no branch has too.
  await git(bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
  await git(root, 'clone', '--quiet', url, desk)

  const commit = async (branch: string, changed: Changed) => {
    const kept = Object.entries(changed).filter((entry): entry is [string, string | Uint8Array] => !!entry[1])
    await writeFiles(desk, Object.fromEntries(kept))
    for (const [path, content] of Object.entries(changed))
      if (content === null) await git(desk, 'rm', '--quiet', path)
    await git(desk, 'add', '--all')
    await git(desk, 'commit', '--quiet', '--allow-empty', '--message', `Change ${branch}`)
    await git(desk, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
    return git(desk, 'rev-parse', 'HEAD')
  }
  const mergeCommit = async (branch: string) => {
    await git(desk, 'fetch', '--quiet', 'origin')
    await git(desk, 'checkout', '--quiet', '--detach', 'origin/main')
    await git(desk, 'merge', '--quiet', '--no-ff', '--message', `Merge ${branch}`, `origin/${branch}`)
    return git(desk, 'rev-parse', 'HEAD')
  }
  await commit('main', files)
  return {
    url,
    git: (...words) => git(bare, ...words),
    async push(branch, changed, from = 'main') {
      await git(desk, 'fetch', '--quiet', 'origin')
      const there = await git(desk, 'ls-remote', 'origin', `refs/heads/${branch}`)
      await git(desk, 'checkout', '--quiet', '--detach', `origin/${there === '' ? from : branch}`)
      return commit(branch, changed)
    },
    async merge(branch) {
      const merged = await mergeCommit(branch)
      await git(desk, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main')
      return merged
    },
    async mergePreview(branch) {
      const merged = await mergeCommit(branch)
      await git(desk, 'push', '--quiet', '--force', 'origin', `HEAD:refs/previews/${branch}`)
      return merged
    },
    async clone(into, ref) {
      await mkdir(into, { recursive: true })
      await git(into, 'init', '--quiet')
      await git(into, 'remote', 'add', 'origin', url)
      await git(into, 'fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*')
      await git(into, 'fetch', '--quiet', 'origin', ref)
      await git(into, 'checkout', '--quiet', '--detach', 'FETCH_HEAD')
    },
  }
}
