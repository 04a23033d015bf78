import { realpath } from 'node:fs/promises'
import { type ChangedFile, type DatedCommit, readChangedFiles, readFirstParents } from '../../git/commits.ts'
import { type CommitFile, listCommitFolder, readVersions } from '../../git/files.ts'
import type { GitFolder } from '../../git/run.ts'
import { FileError } from '../../model/files.ts'
import { isSameJson, type Json } from '../../model/json/json.ts'
import { getAt } from '../../model/json/pointer.ts'
import { largestFile } from '../../model/limits.ts'
import {
  type DeclaredRepository,
  listedTree,
  loadSettings,
  type ParsedYaml,
  parseYaml,
  type RepositoryOptions,
  readUnchecked,
  settingsFiles,
} from '../../yaml/index.ts'
import { environmentsOf } from '../../yaml/settings.ts'
import type { Host } from '../host/host.ts'
import { pathspecs } from '../past/declared-before.ts'
import { isLikelyDeclaration } from '../past/past-declarations.ts'
import { revisionOf } from '../repository/repository.ts'
import { type FlagState, flagStates, type Since, stateName } from './flag-states.ts'

/** A repository as it is written. */
export type Opened = DeclaredRepository & { readonly options: RepositoryOptions }

/** The history of the declarations in git. */
export interface ReadCommits extends CommitSince {
  /** Whether git knows the repository at all. */
  readonly hasGit: boolean
}

/** Since when the flags of a repository are declared as they are, as far as its commits show. */
export async function commitsOf(
  host: Host,
  { options, texts, declared }: Opened,
  states: readonly FlagState[],
): Promise<ReadCommits> {
  const { directory } = options
  const { commit: head, dirty: isDirty = true } = await revisionOf(host, directory)
  if (head === undefined) return { hasGit: false, since: new Map(), uncommitted: new Set() }
  const parsed = declared.flatMap(({ objects }) => objects.map(({ file }) => file.parsed))
  const git = { directory, env: host.env }
  const place = { git, options, texts, head, isDirty, mark: host.runtime.uniqueId() }
  const since = await readCommitSince(states, {
    ...place,
    parsed: new Map(parsed.map(each => [each.file, each])),
  })
  return { hasGit: true, ...since }
}

/** The most commits with declarations to read, back from the one that is checked out. */
const mostCommits = 5000
/** The most commits with all files read; mostly the changed files are enough. */
const mostWhole = 20
/** The number of commits that are in memory at the same time. */
const commitsTogether = 64

export interface CommitPlace extends CommitReading {
  readonly head: string
  /** Whether the present files differ from that commit. */
  readonly isDirty: boolean
}

interface CommitSince {
  /** By the names of states, without those that the checked-out commit declares differently. */
  readonly since: ReadonlyMap<string, Since>
  /** The names of those that were changed since that commit. */
  readonly uncommitted: ReadonlySet<string>
  /** Why git shows only part of the history; one line. */
  readonly note?: string
}

/**
 * Since which commit flags have been declared to mean what they mean today: on the line of first parents, back from the commit that
 * is checked out.
 *
 * | the commit before it                                              | so                                              |
 * |-------------------------------------------------------------------|-------------------------------------------------|
 * | declares the flag so that everybody gets the same                 | it goes on with that commit                     |
 * | declares it otherwise, or not at all, or in another place         | since this commit                               |
 * | is not there                                                      | since this commit                               |
 * | cannot be read, or is not in this clone, or is too far back       | at least since this commit                      |
 */
async function readCommitSince(states: readonly FlagState[], place: CommitPlace): Promise<CommitSince> {
  const { git, head } = place
  const specs = pathspecs([...place.texts.keys()])
  const [line, folder] = await Promise.all([
    readFirstParents(git, head, specs, mostCommits),
    listCommitFolder(git, head, settingsFiles),
  ])
  if (!line || !folder) return { since: new Map(), uncommitted: new Set(), note: unlisted }
  const files = new FilesOfCommit(place, folder.files)
  const walk = new Walk(files, states)
  const uncommitted = place.isDirty ? await walk.dropUncommitted() : new Set<string>()
  const { commits, isWhole } = line
  for (let at = 0; at < commits.length && walk.isOpen; at += commitsTogether) {
    const part = commits.slice(at, at + commitsTogether + 1)
    const changed = await readChangedFiles(
      git,
      part.map(({ commit }) => commit),
      specs,
    )
    if (!changed) {
      walk.closeAll(part[0], true)
      break
    }
    await files.prefetch(walk.toRead(changed))
    for (const [index, list] of changed.entries()) {
      const commit = part[index]
      if (commit && walk.isOpen) await walk.back(commit, list)
    }
    if (at + commitsTogether >= commits.length - 1) walk.closeAll(commits.at(-1), !isWhole)
  }
  const isShort = line.isShallow && [...walk.since.values()].some(({ isAtLeast }) => isAtLeast)
  return { since: walk.since, uncommitted, ...(isShort ? { note: shallow } : {}) }
}

const unlisted =
  'git cannot list the commits that touch declarations, so it does not tell since when flags are declared so'

const shallow =
  'this clone is shallow, so flags count as declared since its oldest commit at the least; fetch the whole history: `fetch-depth: 0` in GitHub Actions, `GIT_DEPTH: 0` in GitLab CI, or `git fetch --unshallow`'

/** What is the same up to some commit. */
interface OpenState {
  readonly name: string
  readonly meaning: string
  readonly file: string
  /** Its place in the file, and the text at that place. */
  readonly pointer: string
  readonly written: Json | undefined
  readonly usesAudience: boolean
}

class Walk {
  readonly since = new Map<string, Since>()
  readonly #files: FilesOfCommit
  /** By the file in which they are declared. */
  readonly #open = new Map<string, Set<OpenState>>()
  readonly #usesAudiences: boolean
  #settings: string | undefined
  #wholeLeft = mostWhole

  constructor(files: FilesOfCommit, states: readonly FlagState[]) {
    this.#files = files
    for (const state of states) this.#add(openState(state))
    this.#usesAudiences = this.#all().some(({ usesAudience }) => usesAudience)
  }

  get isOpen(): boolean {
    return this.#open.size > 0
  }

  /** Removes flags that the checked-out commit declares differently. */
  async dropUncommitted(): Promise<ReadonlySet<string>> {
    const committed = await this.#files.states(this.#files.names)
    const dropped = new Set<string>()
    for (const state of this.#all()) {
      const before = openState(committed?.get(state.name))
      this.#remove(state)
      if (before?.meaning === state.meaning) this.#add(before)
      else if (committed) dropped.add(state.name)
    }
    return dropped
  }

  /** The files whose contents will be needed, as far as is known. */
  toRead(changed: readonly (readonly ChangedFile[])[]): readonly CommitFile[] {
    return changed
      .filter(
        list => this.#usesAudiences || list.some(({ name }) => this.#open.has(name) || isSettings(name)),
      )
      .flatMap(list => list.flatMap(({ before }) => (before && !before.isLink ? [before] : [])))
  }

  closeAll(commit: DatedCommit | undefined, isAtLeast: boolean): void {
    for (const state of this.#all()) {
      // A file that is in no commit is a link, or ignored by git.
      if (commit && this.#files.has(state.file)) this.#close(state, commit, isAtLeast)
      else this.#remove(state)
    }
  }

  /** Goes on to what was declared before a commit. */
  async back(commit: DatedCommit, changed: readonly ChangedFile[]): Promise<void> {
    const names = changed.map(({ name }) => name)
    const hasSettings = names.some(isSettings)
    if (hasSettings) this.#settings ??= await this.#files.settingsText()
    const hasAudiences = await this.#files.back(changed, this.#usesAudiences)
    const isPlaceOther = hasSettings && (await this.#isOtherSettings())
    const own = await this.#changedIn(names)
    const others =
      isPlaceOther || hasAudiences ? this.#all().filter(state => isPlaceOther || state.usesAudience) : []
    const asked = new Set([...own, ...others])
    if (asked.size === 0) return
    const before = await this.#read(asked.size > own.length ? undefined : names)
    for (const state of asked) {
      const was = openState(before?.get(state.name))
      this.#remove(state)
      if (was?.meaning === state.meaning) this.#add(was)
      else this.#close(state, commit, before === undefined)
    }
  }

  /** Flags of some files that were written differently before. */
  async #changedIn(names: readonly string[]): Promise<readonly OpenState[]> {
    const open = names.filter(name => this.#open.has(name))
    await this.#files.fetch(open)
    return open.flatMap(name => {
      const value = this.#files.valueOf(name) ?? null
      return [...(this.#open.get(name) ?? [])].filter(({ pointer, written }) => {
        const before = getAt(value, pointer)
        return before === undefined || written === undefined || !isSameJson(before, written)
      })
    })
  }

  /** Undefined if it cannot be read, or too much was read already. */
  async #read(names: readonly string[] | undefined): Promise<ReadonlyMap<string, FlagState> | undefined> {
    if (names) return this.#files.states(names)
    this.#wholeLeft -= 1
    return this.#wholeLeft < 0 ? undefined : this.#files.states(this.#files.names)
  }

  async #isOtherSettings(): Promise<boolean> {
    const after = this.#settings
    this.#settings = await this.#files.settingsText()
    return after !== this.#settings
  }

  #all(): OpenState[] {
    return [...this.#open.values()].flatMap(states => [...states])
  }

  #add(state: OpenState | undefined): void {
    if (!state) return
    const states = this.#open.get(state.file) ?? new Set<OpenState>()
    states.add(state)
    this.#open.set(state.file, states)
  }

  #remove(state: OpenState): void {
    const states = this.#open.get(state.file)
    states?.delete(state)
    if (states?.size === 0) this.#open.delete(state.file)
  }

  #close(state: OpenState, { commit, at }: DatedCommit, isAtLeast: boolean): void {
    this.#remove(state)
    this.since.set(state.name, { at, from: 'commit', name: commit, isAtLeast })
  }
}

/** The part of a state that is in memory while going back, without its parsed file. */
function openState(state: FlagState | undefined): OpenState | undefined {
  if (state?.meaning === undefined) return undefined
  const { base, environments, file } = state.declaration
  return {
    name: stateName(state),
    meaning: state.meaning,
    file: file.parsed.file,
    pointer: base.pointer,
    written: getAt(file.parsed.value ?? null, base.pointer),
    usesAudience: [base, ...environments.values()].some(({ expanded }) => expanded?.audiences.length),
  }
}

function isSettings(name: string): boolean {
  return settingsFiles.some(file => file === name)
}

interface CommitReading {
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
 * The files of a repository at one commit, which goes back commit by commit. At each commit it reads only the
 * needed files, the settings and the files that may have audiences.
 */
class FilesOfCommit {
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

  /** Reads contents that will be needed, in one request; earlier ones are dropped. */
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

  /** A text that is equal if settings agree in everything that matters here. */
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

  /** The content of a file; undefined if it is missing or unreadable. Fetch changed files before. */
  valueOf(name: string): Json | undefined {
    const text = this.#textOf(name)
    return text === undefined ? undefined : this.#parse(text, name).value
  }

  /** The flags that some files declare, by name; undefined if a file or usable settings are missing. */
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
    const { unwritten: _, ...options } = this.#reading.options
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

  /** Reads contents that are not loaded yet; false if one is not available. */
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
