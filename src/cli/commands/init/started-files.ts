import { readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '../../../model/files/error-code.ts'
import { makeFolder } from '../../../model/files/make-folder.ts'
import type { InitDocument } from '../../../report/document.ts'
import type { StarterFile } from '../../../yaml/write/init.ts'
import { type ExitCode, exitCode } from '../../host/exit-code.ts'
import type { Log } from '../../host/output/log.ts'
import { writeStarter } from './write-starter.ts'

/** What is written into a folder before it is known whether the rest can be, and can be taken back. */
export class StartedFiles {
  readonly #root: string
  readonly #files: InitDocument['files'][number][] = []
  /** What takes each step back, in the order of the steps. */
  readonly #back: (() => Promise<unknown>)[] = []

  constructor(root: string) {
    this.#root = root
  }

  /**
   * Keeps what `write` writes where it ends in 0 or 3, which says that something was left out; else takes all of it back. What
   * cannot be taken back is warned of, and stays beside the failure that it comes from.
   */
  async orNothing(log: Log, write: () => Promise<ExitCode>): Promise<ExitCode> {
    let isKept = false
    try {
      const code = await write()
      isKept = code === exitCode.done || code === exitCode.refused
      return code
    } finally {
      if (!isKept) await this.#takeBack(log)
    }
  }

  async #takeBack(log: Log): Promise<void> {
    for (const back of this.#back.toReversed()) {
      await back().catch(error =>
        log.warn(`some of what was written stays (${codeOf(error, 'unknown reason')})`),
      )
    }
  }

  async write(starter: StarterFile): Promise<void> {
    const path = join(this.#root, starter.path)
    await this.#makeFolder(dirname(path))
    const state = await writeStarter(path, starter, before => {
      this.#back.push(() => (before === undefined ? rm(path, { force: true }) : writeFile(path, before)))
    })
    this.#files.push({ path: starter.path, state })
  }

  /** Makes a folder that was not there, so that whatever somebody else writes into it can be taken back too. */
  async makeFolder(folder: string): Promise<void> {
    await this.#makeFolder(join(this.#root, folder))
  }

  /** Those that were written or kept here. */
  get files(): InitDocument['files'] {
    return this.#files
  }

  /** All files, with those that somebody else wrote into one of the folders. */
  async list(folder: string): Promise<InitDocument['files']> {
    const found = await readdir(join(this.#root, folder), { recursive: true, withFileTypes: true })
    const paths = found
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(this.#root.length + 1))
    return [...this.#files, ...paths.sort().map(path => ({ path, state: 'wrote' as const }))]
  }

  async #makeFolder(path: string): Promise<void> {
    const made = await makeFolder(path)
    if (made !== undefined) this.#back.push(() => rm(made, { recursive: true, force: true }))
  }
}
