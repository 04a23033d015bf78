import { realpath } from 'node:fs/promises'
import type { ChangedFile } from '../../../git/commits.ts'
import { type CommitFile, readVersions } from '../../../git/files.ts'
import type { GitFolder } from '../../../git/run.ts'
import { FileError } from '../../../model/files/read-regular-file.ts'
import type { Json } from '../../../model/json/json.ts'
import { largestFile } from '../../../model/limits.ts'
import {
  listedTree,
  loadSettings,
  type ParsedYaml,
  parseYaml,
  type RepositoryOptions,
  readUnchecked,
  settingsFiles,
} from '../../../yaml/index.ts'
import { environmentsOf } from '../../../yaml/settings.ts'
import { isLikelyDeclaration } from '../../past/tree-of-commit.ts'
import { type FlagState, flagStates, stateName } from './flag-states.ts'

export interface CommitReading {
  readonly git: GitFolder
  /** How the command reads the files of today. */
  readonly options: RepositoryOptions
  /** The files of today, by name. */
  readonly texts: ReadonlyMap<string, string>
  /** What was read of them: the same text is not parsed twice. */
  readonly parsed: ReadonlyMap<string, ParsedYaml>
  /** No file may hold it. */
  readonly mark: string
}

/**
 * The files of a repository at one commit, which goes back commit by commit. Of each commit only those files are read that are
 * asked for, with the settings and the files that may have audiences.
 */
export class FilesOfCommit {
  readonly #reading: CommitReading
  readonly #files: Map<string, CommitFile>
  readonly #audiences = new Set<string>()
  #known = new Map<CommitFile, Buffer>()
  /** What was read of this commit: flags are looked for in a file before it is read whole. */
  readonly #parsed = new Map<string, ParsedYaml>()

  constructor(reading: CommitReading, files: ReadonlyMap<string, CommitFile>) {
    this.#reading = reading
    this.#files = new Map([...files].filter(([, { isLink }]) => !isLink))
    for (const [name, text] of reading.texts) this.#noteAudiences(name, text)
  }

  has(name: string): boolean {
    return this.#files.has(name)
  }

  get names(): readonly string[] {
    return [...this.#files.keys()].filter(isLikelyDeclaration)
  }

  /** Reads contents that are going to be asked for, at once; those of before are let go. */
  async prefetch(files: readonly CommitFile[]): Promise<void> {
    this.#known = new Map(await this.#contentsOf(files))
  }

  /** Goes back to the commit before. Answers whether a file of before or after may have audiences. */
  async back(changed: readonly ChangedFile[], asksForAudiences: boolean): Promise<boolean> {
    this.#parsed.clear()
    const hadAudiences = changed.some(({ name }) => this.#audiences.has(name))
    for (const { name, before } of changed) {
      if (before && !before.isLink) this.#files.set(name, before)
      else this.#files.delete(name)
      this.#audiences.delete(name)
    }
    if (!asksForAudiences) return false
    await this.fetch(changed.map(({ name }) => name))
    for (const { name } of changed) this.#noteAudiences(name, this.#textOf(name) ?? '')
    return hadAudiences || changed.some(({ name }) => this.#audiences.has(name))
  }

  /** Tells whether settings say the same of what matters here. */
  async settingsText(): Promise<string> {
    await this.fetch(settingsFiles)
    const { settings } = await loadSettings({ ...this.#options(), tree: await this.#tree(settingsFiles) })
    const { files, defaults } = settings
    const environments = environmentsOf(settings).map(({ name, connection, cohorts, groupTypes }) => {
      const { baseUrl, project, organization } = connection
      return { name, baseUrl, project, organization, cohorts, groupTypes }
    })
    return JSON.stringify({ files, defaults, environments })
  }

  /** What a file says; undefined where it is not there, or cannot be read. Those that changed have to be fetched. */
  valueOf(name: string): Json | undefined {
    const text = this.#textOf(name)
    return text === undefined ? undefined : this.#parse(text, name).value
  }

  /** What flags are declared as in some files, by name; undefined where one is not to be had, or the settings cannot be used. */
  async states(names: readonly string[]): Promise<ReadonlyMap<string, FlagState> | undefined> {
    const all = [...new Set([...settingsFiles, ...this.#audiences, ...names])].filter(name => this.has(name))
    if (!(await this.fetch(all))) return undefined
    const tree = await this.#tree(all)
    const { isSettled, settings, declared } = await readUnchecked({ ...this.#options(), tree })
    if (!isSettled) return undefined
    const states = flagStates(declared, environmentsOf(settings))
    return new Map(states.map(state => [stateName(state), state]))
  }

  #options(): RepositoryOptions {
    const { onSettled: _, unwritten: __, ...options } = this.#reading.options
    return { ...options, parse: (text, file) => this.#parse(text, file) }
  }

  #parse(text: string, file: string): ParsedYaml {
    const known = [this.#reading.parsed.get(file), this.#parsed.get(file)].find(each => each?.text === text)
    if (known) return known
    const parsed = parseYaml(text, file)
    this.#parsed.set(file, parsed)
    return parsed
  }

  async #tree(names: readonly string[]) {
    const root = await realpath(this.#reading.git.directory)
    const there = names.filter(name => this.has(name))
    return listedTree(root, {
      names: new Map(there.map(name => [name, 'file'])),
      read: async (name, mostBytes) => {
        const content = this.#contentOf(name)
        if (!content) throw new FileError('ENOENT', 'is not to be had of that commit')
        if (content.length > mostBytes) throw new FileError('too_large', `has more than ${mostBytes} bytes`)
        return content
      },
    })
  }

  /** Reads contents that are not at hand; false where one is not to be had. */
  async fetch(names: readonly string[]): Promise<boolean> {
    const missing = names.flatMap(name => this.#files.get(name) ?? []).filter(file => !this.#known.has(file))
    if (missing.length === 0) return true
    const read = await this.#contentsOf(missing)
    if (!read) return false
    for (const [file, content] of read) this.#known.set(file, content)
    return missing.every(file => read.has(file))
  }

  async #contentsOf(files: readonly CommitFile[]) {
    const { git: place, mark } = this.#reading
    return readVersions({ place, mark, mostBytes: largestFile }, files)
  }

  #contentOf(name: string): Buffer | undefined {
    const file = this.#files.get(name)
    return file && this.#known.get(file)
  }

  #textOf(name: string): string | undefined {
    return this.#contentOf(name)?.toString('utf8')
  }

  #noteAudiences(name: string, text: string): void {
    if (/\baudiences\b/.test(text)) this.#audiences.add(name)
  }
}
