import {
  access,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { basename, isAbsolute, join, normalize, resolve } from 'node:path'
import { codeOf, makeFolder } from '../model/files.ts'
import { explainFailure, tipOf } from './files.ts'
import { askGit, filtersOff, type GitAnswer, type GitFolder, runGit } from './run.ts'

/**
 * A remote repository with checkouts of its commits. They are in one folder, which only one process uses:
 *
 * | path in the folder         | content                                                        |
 * |----------------------------|----------------------------------------------------------------|
 * | `repository.git`           | a bare clone with the whole history                            |
 * | `at/COMMIT`                | a checkout                                                     |
 * | `state/runs`, `state/left` | the records of runs; `.vexil` of each checkout links to them   |
 * | `making`                   | unfinished clones and checkouts                                |
 *
 * The process may be killed at any moment. A clone gets its name when it is complete. A checkout is complete
 * if the file `vexil-complete` exists in git's own folder for it. Everything else is made again.
 */
export interface Checkouts {
  /** Clones the repository, or fetches its branches and tags. After a failure the last state remains. */
  update(): Promise<Updated>
  /** The checkout of a branch, a tag or a commit; undefined means the default branch of the remote. */
  at(revision: string | undefined): Promise<CheckedOut>
  /** Removes the checkouts of all other commits. */
  prune(keep: ReadonlySet<string>): Promise<void>
}

export type Updated = { readonly is: 'done' } | Failed
export type CheckedOut = { readonly is: 'done'; readonly commit: string; readonly directory: string } | Failed

interface Failed {
  readonly is: 'failed'
  /** One line, without the password of the address. */
  readonly why: string
}

export interface CheckoutOptions {
  /** The address of the repository, or an absolute path. */
  readonly url: string
  /** An absolute path. */
  readonly folder: string
  readonly env: GitFolder['env']
  readonly signal?: AbortSignal
  /** The folder with the settings file, relative to the top of the repository. */
  readonly within?: string
}

const longestMs = { clone: 10 * 60_000, fetch: 2 * 60_000, checkout: 2 * 60_000 } as const

/** The head of the remote. The HEAD of a bare clone does not follow it. */
const defaultRef = 'refs/vexil/default'
const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'] as const

const completeMark = 'vexil-complete'

const stateFolders = ['runs', 'left'] as const

/** Throws an Error if the address or the folder cannot be used. */
export function openCheckouts(options: CheckoutOptions): Checkouts {
  const problem = addressProblem(options.url)
  if (problem !== undefined) throw new Error(problem)
  const within = normalize(options.within ?? '.')
  if (isAbsolute(within) || /^\.\.(?:[/\\]|$)/.test(within))
    throw new Error(`"${within}" is not a folder of the repository`)
  return new RemoteCheckouts(options, within)
}

class RemoteCheckouts implements Checkouts {
  readonly #options: CheckoutOptions
  readonly #within: string
  readonly #repository: string
  readonly #bare: GitFolder
  #prepared: Promise<void> | undefined
  #updating: Promise<Updated> | undefined
  readonly #making = new Map<string, Promise<string | undefined>>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: CheckoutOptions, within: string) {
    this.#options = options
    this.#within = within
    this.#repository = join(options.folder, 'repository.git')
    // With the variable, git accepts a bare repository regardless of the setting `safe.bareRepository`.
    const env = { ...withoutRepository(options.env), GIT_DIR: this.#repository }
    this.#bare = { directory: this.#repository, env, signal: options.signal }
  }

  update(): Promise<Updated> {
    this.#updating ??= this.#orFailed(this.#update()).finally(() => {
      this.#updating = undefined
    })
    return this.#updating
  }

  at(revision: string | undefined): Promise<CheckedOut> {
    return this.#orFailed(this.#at(revision))
  }

  async prune(keep: ReadonlySet<string>): Promise<void> {
    await this.#prepare()
    for (const commit of await readdir(this.#path('at'))) {
      if (!keep.has(commit) && !this.#making.has(commit)) await this.#remove(this.#path('at', commit))
    }
  }

  async #update(): Promise<Updated> {
    await this.#prepare()
    const cloned = (await exists(this.#repository)) ? undefined : await this.#clone()
    if (cloned) return this.#failed(explainFailure(cloned))
    // The address may have a new password.
    const set = await runGit(this.#bare, 'config', 'remote.origin.url', this.#options.url)
    const failure = set.is === 'done' ? await this.#alone(() => this.#fetch()) : set
    if (failure) return this.#failed(explainFailure(failure))
    // It only saves space, so a failure does not matter. Git itself would do it in the background.
    await runGit(this.#slowly('clone'), '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet')
    return { is: 'done' }
  }

  #prepare(): Promise<void> {
    // After a failure, the next call tries again.
    this.#prepared ??= this.#makeFolders().catch(error => {
      this.#prepared = undefined
      throw error
    })
    return this.#prepared
  }

  /** Makes the folders, and removes what a killed process has not finished. */
  async #makeFolders(): Promise<void> {
    const { folder } = this.#options
    await rm(this.#path('making'), { recursive: true, force: true })
    const needed = ['making', 'at', ...stateFolders.map(name => join('state', name))]
    for (const path of [folder, ...needed.map(name => this.#path(name))]) await makeFolder(path, 0o700)
    // A killed git leaves locks, and every later git would refuse to work. No name of a ref ends in this way.
    for (const part of ['.', 'refs']) {
      const names = await readdir(join(this.#repository, part), { recursive: part === 'refs' }).catch(
        () => [],
      )
      for (const name of names.filter(name => name.endsWith('.lock')))
        await rm(join(this.#repository, part, name), { force: true })
    }
    const worktrees = join(this.#repository, 'worktrees')
    for (const name of await readdir(worktrees).catch(() => [])) {
      const own = join(worktrees, name)
      if (!(await exists(join(own, completeMark)))) await rm(own, { recursive: true, force: true })
    }
  }

  async #clone(): Promise<Failure | undefined> {
    const { folder, env, signal, url } = this.#options
    const unfinished = await mkdtemp(this.#path('making', 'clone-'))
    const place = { directory: folder, env: withoutRepository(env), signal, longestMs: longestMs.clone }
    const words = ['clone', '--bare', '--quiet', '--no-local', '--origin=origin', '--template=']
    const cloned = await askGit(place, [...words, '--', url, unfinished], { isFar: true })
    if (cloned.is === 'done') {
      await makeFolder(join(unfinished, 'info'))
      // It is valid for all checkouts. Without it, git would list the links to `state` as new files.
      await writeFile(join(unfinished, 'info/exclude'), '.vexil/\n')
      await rename(unfinished, this.#repository)
      return undefined
    }
    await rm(unfinished, { recursive: true, force: true })
    return cloned
  }

  async #fetch(): Promise<Failure | undefined> {
    const ask = (...more: readonly string[]) =>
      askGit(this.#slowly('fetch'), ['fetch', ...fetchOptions, 'origin', ...refspecs, ...more], {
        isFar: true,
      })
    const all = await ask(`+HEAD:${defaultRef}`)
    if (all.is === 'done') return undefined
    if (!(all.is === 'refused' && /couldn't find remote ref HEAD/i.test(all.errors))) return all
    // The remote is empty, or its default branch does not exist. Other branches may.
    const rest = await ask()
    const removed = rest.is === 'done' ? await runGit(this.#bare, 'update-ref', '-d', defaultRef) : rest
    return removed.is === 'done' ? undefined : removed
  }

  async #at(revision: string | undefined): Promise<CheckedOut> {
    if (revision !== undefined && !isRevision(revision))
      return this.#failed('a revision is not empty, does not begin with "-" and is one line')
    await this.#prepare()
    if (!(await exists(this.#repository))) return this.#failed('the repository has not been fetched yet')
    const commit = await resolveRevision(this.#bare, revision)
    if (commit === undefined) return this.#failed(unknownRevision(revision))
    const directory = this.#path('at', commit)
    const making = this.#making.get(commit) ?? this.#make(commit, directory)
    this.#making.set(commit, making)
    const why = await making.finally(() => this.#making.delete(commit))
    return why === undefined ? { is: 'done', commit, directory } : this.#failed(why)
  }

  async #make(commit: string, directory: string): Promise<string | undefined> {
    const why = (await this.#isComplete(directory))
      ? undefined
      : await this.#alone(() => this.#checkOut(commit, directory))
    return why ?? this.#linkState(directory)
  }

  /** One after the other: a fetch fails at a checkout that git has not finished. */
  #alone<Made>(run: () => Promise<Made>): Promise<Made> {
    const mine = this.#last.then(run)
    this.#last = mine.catch(() => {})
    return mine
  }

  async #checkOut(commit: string, directory: string): Promise<string | undefined> {
    await this.#remove(directory)
    const off = await filtersOff(this.#bare)
    if ('unstoppable' in off) return `the filter "${off.unstoppable}" cannot be switched off`
    if ('answer' in off) return explainFailure(off.answer)
    const unfinished = await mkdtemp(this.#path('making', `${commit}-`))
    const words = ['-c', 'submodule.recurse=false', 'worktree', 'add', '--quiet', '--detach']
    const added = await runGit(this.#slowly('checkout'), ...off.words, ...words, unfinished, commit)
    if (added.is !== 'done') {
      await this.#remove(unfinished)
      return explainFailure(added)
    }
    // `git worktree move` refuses repositories with submodules.
    await rename(unfinished, directory)
    const repaired = await runGit(this.#bare, 'worktree', 'repair', directory)
    if (repaired.is !== 'done') return explainFailure(repaired)
    const own = await this.#gitFolderOf(directory)
    if (own === undefined) return 'git has not made a checkout'
    await writeFile(join(own, completeMark), '')
    return undefined
  }

  /** Git's own folder for a checkout. */
  async #gitFolderOf(directory: string): Promise<string | undefined> {
    const text = await readFile(join(directory, '.git'), 'utf8').catch(() => '')
    const [, path] = /^gitdir: (.+)$/m.exec(text) ?? []
    return path === undefined ? undefined : join(this.#repository, 'worktrees', basename(path))
  }

  async #isComplete(directory: string): Promise<boolean> {
    const own = await this.#gitFolderOf(directory)
    return own !== undefined && (await exists(join(own, completeMark)))
  }

  async #remove(directory: string): Promise<void> {
    const own = await this.#gitFolderOf(directory)
    // Git's own folder has the mark: no checkout with the mark lacks files.
    if (own !== undefined) await rm(own, { recursive: true, force: true })
    await rm(directory, { recursive: true, force: true })
  }

  /** Links the records of runs into a checkout, unless the repository has some. Returns a refusal. */
  async #linkState(directory: string): Promise<string | undefined> {
    const parent = resolve(directory, this.#within)
    const real = await realpath(parent).catch(() => undefined)
    if (real === undefined) return undefined
    // Links in the repository must not lead to other folders of the machine.
    if (real !== resolve(await realpath(directory), this.#within))
      return `"${this.#within}" is behind a symbolic link`
    const own = join(parent, '.vexil')
    const found = await lstatIfAny(own)
    if (found && !found.isDirectory()) return '".vexil" is not a folder in the repository; remove it there'
    if (!found) await makeFolder(own)
    for (const name of stateFolders) {
      const [path, target] = [join(own, name), this.#path('state', name)]
      const known = await lstatIfAny(path)
      if (!known) await symlink(target, path, 'dir')
      else if (!known.isDirectory() && (await readlink(path).catch(() => '')) !== target)
        return `".vexil/${name}" is not a folder in the repository; remove it there`
    }
    return undefined
  }

  #path(...names: readonly string[]): string {
    return join(this.#options.folder, ...names)
  }

  #slowly(work: keyof typeof longestMs): GitFolder {
    return { ...this.#bare, longestMs: longestMs[work] }
  }

  #failed(why: string): Failed {
    return { is: 'failed', why: withoutSecrets(why, this.#options.url) }
  }

  /** A full disk or a missing permission is a result like any other. */
  async #orFailed<Result>(work: Promise<Result>): Promise<Result | Failed> {
    try {
      return await work
    } catch (error) {
      const code = codeOf(error, '')
      if (code === '') throw error
      return this.#failed(`the folder of the repository cannot be written (${code})`)
    }
  }
}

type Failure = Exclude<GitAnswer, { is: 'done' }>

const fetchOptions = [
  ...['--quiet', '--prune', '--force', '--no-tags', '--no-write-fetch-head'],
  ...['--no-recurse-submodules', '--no-auto-maintenance'],
] as const

/** Commits first: a branch cannot replace a commit that somebody names. */
async function resolveRevision(place: GitFolder, revision: string | undefined): Promise<string | undefined> {
  if (revision === undefined) return tipOf({ place, ref: defaultRef })
  const isFull = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(revision)
  const isPart = /^[0-9a-f]{7,}$/.test(revision)
  const names = revision.startsWith('refs/')
    ? [revision]
    : [`refs/heads/${revision}`, `refs/tags/${revision}`, ...(isPart ? [revision] : [])]
  for (const ref of isFull ? [revision] : names) {
    const commit = await tipOf({ place, ref })
    if (commit !== undefined) return commit
  }
  return undefined
}

function unknownRevision(revision: string | undefined): string {
  return revision === undefined
    ? 'the repository has no default branch; name a branch, a tag or a commit'
    : `"${revision}" is not a branch, a tag or a commit of the repository`
}

function isRevision(text: string): boolean {
  return /^[^-]/.test(text) && !/[\0-\x1f\x7f]/.test(text)
}

/** The address is not quoted: it may contain a password. */
function addressProblem(url: string): string | undefined {
  if (url === '' || url.startsWith('-') || /[\0-\x1f\x7f]/.test(url))
    return 'the address of the repository is not empty, does not begin with "-" and is one line'
  if (url.includes('://'))
    return URL.canParse(url)
      ? undefined
      : 'the address of the repository is not a URL; special characters of a password are written as %2F'
  return isAbsolute(url) || /^[^/]+:/.test(url)
    ? undefined
    : 'the address of the repository is neither a URL nor an absolute path'
}

/** Variables that name another repository, as they are set in a hook. */
const ofRepository =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|PREFIX|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|SHALLOW_FILE|GRAFT_FILE)$/

function withoutRepository(env: GitFolder['env']): GitFolder['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ofRepository.test(name)))
}

/** A message of git without user names, passwords and queries of addresses. */
function withoutSecrets(text: string, url: string): string {
  const { password } = URL.canParse(url) ? new URL(url) : { password: '' }
  const shown = text.replaceAll(url, url.replace(/[?#].*$/s, ''))
  const hidden = password === '' ? shown : shown.replaceAll(password, '***')
  return hidden.replaceAll(/(^|[\s'"]|:\/\/)[^\s/'"]*@/g, '$1')
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function lstatIfAny(path: string) {
  return lstat(path).catch(() => undefined)
}
