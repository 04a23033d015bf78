import { realpath } from 'node:fs/promises'
import type { Declarations } from '../../core/desired.ts'
import type { Lineage } from '../../core/live-edits/verdict.ts'
import type { Ancestry } from '../../git/commits.ts'
import { type CommitFile, type ContentReading, listCommitFolder, readContents } from '../../git/files.ts'
import type { GitFolder } from '../../git/run.ts'
import { FileError } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import type { Runtime } from '../../model/runtime.ts'
import { counted } from '../../report/object-names.ts'
import {
  type FileTree,
  type Listed,
  listedTree,
  loadUnbroken,
  type RepositoryOptions,
  settingsFiles,
} from '../../yaml/index.ts'
import type { ConnectionSettings } from '../repository/connection.ts'

/** The declarations of a repository at a commit, as far as they can be read. */
export interface PastState {
  readonly declarations: Declarations
  /** The place of the environment in the settings of that commit. */
  readonly connection: ConnectionSettings
  /** What cannot be read, and why, a line each. */
  readonly notes: readonly string[]
}

export interface PastAsking {
  /** False for one of many commits in a search: its declarations are not kept in memory. */
  readonly isKept?: boolean
}

/** The declarations of a repository at other commits. A commit that is kept is read once. */
export interface PastDeclarations {
  /** The files that are read today, relative to the repository. */
  readonly files: readonly string[]
  /** Takes the full name of a commit. Undefined if git cannot read it. */
  at(commit: string, asking?: PastAsking): Promise<PastState | undefined>
}

/** Reads a commit like the files of today: for the same environment, with the same variables. */
export function pastDeclarations(
  runtime: Runtime,
  options: RepositoryOptions,
  /** The files that are read today. */
  files: readonly string[],
): PastDeclarations {
  const { unwritten: _, today: __, ...reading } = options
  const place: GitFolder = { directory: options.directory, env: options.env }
  const known = new Map<string, Promise<PastState | undefined>>()
  return {
    files,
    at(commit, { isKept = true } = {}) {
      const found = known.get(commit) ?? read(commit)
      if (isKept) known.set(commit, found)
      return found
    },
  }

  async function read(commit: string): Promise<PastState | undefined> {
    // A random mark separates the files, so no author of a file can know it.
    const tree = await treeOfCommit(place, commit, runtime.uniqueId())
    if (!tree) return undefined
    const { environment, declarations, problems, isSettled } = await loadUnbroken({ ...reading, tree })
    const notes = pastNotes(commit, isSettled ? problems : undefined, options.environment)
    return { declarations, connection: environment?.connection ?? {}, notes }
  }
}

/**
 * The files of a folder at a commit; undefined if git cannot read it. Links and the files that `isMeant`
 * chooses, by default all that may hold declarations, are read at once. Other files are read on request.
 */
export async function treeOfCommit(
  place: GitFolder,
  commit: string,
  mark: string,
  isMeant: (name: string) => boolean = isLikelyDeclaration,
): Promise<FileTree | undefined> {
  const files = await listCommitFolder(place, commit, settingsFiles)
  if (!files) return undefined
  const reading: ContentReading = { place, mark, mostBytes: largestFile }
  const first = [...files].flatMap(([name, file]) => (file.isLink || isMeant(name) ? [file] : []))
  const known = await readContents(reading, first)
  if (!known) return undefined
  const root = await realpath(place.directory)
  const textOf = ({ path }: CommitFile) => known.get(path)?.toString('utf8')
  const names = new Map(
    [...files].flatMap(([name, file]): [string, Listed][] => {
      // A file of declarations that is not chosen counts as missing.
      if (
        !file.isLink &&
        isLikelyDeclaration(name) &&
        !isMeant(name) &&
        !settingsFiles.some(each => each === name)
      )
        return []
      const link = file.isLink ? textOf(file) : undefined
      return [[name, link === undefined ? 'file' : { link }]]
    }),
  )
  const read = async (name: string, mostBytes: number): Promise<Uint8Array> => {
    const file = files.get(name)
    if (!file) throw absent()
    const content = known.get(file.path) ?? (await readContents(reading, [file]))?.get(file.path)
    if (!content) throw absent()
    if (content.length > mostBytes) throw new FileError('too_large', `has more than ${mostBytes} bytes`)
    return content
  }
  return listedTree(root, { names, read })
}

/** Whether a file may hold declarations: YAML, but not below `node_modules` or a folder like `.git`. */
export function isLikelyDeclaration(name: string): boolean {
  return /\.ya?ml$/i.test(name) && !/(?:^|\/)(?:node_modules|\.[^/]*)\//.test(name)
}

function absent(): FileError {
  return new FileError('ENOENT', 'is not to be had of that commit')
}

/** Notes about declarations at a commit that cannot be read, a line each. No problems: its settings cannot. */
function pastNotes(
  commit: string,
  problems: readonly Problem[] | undefined,
  environment: string | undefined,
): readonly string[] {
  const at = `at ${shortCommit(commit)}`
  if (!problems) {
    const which = environment === undefined ? 'the settings' : `the environment "${environment}"`
    return [`${at}, ${which} cannot be read, so nothing is compared with that commit`]
  }
  const errors = problems.filter(({ severity }) => severity === 'error')
  const broken = [...new Set(errors.map(({ source, address }) => address ?? source?.file ?? ''))]
  if (broken.length === 0) return []
  const are = broken.length === 1 ? 'is' : 'are'
  return [
    `${at}, ${counted(broken.length, 'declaration')} cannot be read and ${are} not compared with that commit: ${someOf(broken)}`,
  ]
}

/** The first digits of a commit: enough for people to find it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 10)
}

const mostNamed = 3

/** The first few of some names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length - mostNamed
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** A field, and the digest of a value that may have been declared for it. */
export interface AskedField {
  readonly address: string
  readonly field: string
  readonly digest: string
  /** Only commits after this one count. */
  readonly since?: string
}

/** What a plan has asked about the history of its repository. */
export interface Asked {
  /** Recorded commits: the plan asked how they are related to the planned one. */
  readonly relations: ReadonlySet<string>
  /** Diverged commits. The plan asked for the declarations at the commit where the lines part. */
  readonly forks: ReadonlySet<string>
  readonly declared: readonly AskedField[]
}

/**
 * A lineage that knows how commits are related, and records everything else that a plan asks for. A plan is
 * pure: it can be made once to see what it needs, and again with that. Mostly it needs nothing more.
 */
export function askingLineage({ relationOf }: Ancestry): {
  readonly lineage: Lineage
  readonly asked: Asked
} {
  const relations = new Set<string>()
  const forks = new Set<string>()
  const declared: AskedField[] = []
  return {
    asked: { relations, forks, declared },
    lineage: {
      relationOf(commit) {
        if (commit === undefined) return 'unknown'
        relations.add(commit)
        return relationOf(commit)
      },
      digestAtFork(commit) {
        forks.add(commit)
        return undefined
      },
      wasDeclared(address, field, digest, since) {
        declared.push({ address, field, digest, ...(since === undefined ? {} : { since }) })
        return undefined
      },
    },
  }
}

/** All YAML files, so deleted ones too, and the files with another extension that are read today. */
export function pathspecs(files: readonly string[]): string[] {
  const others = files.filter(file => !/\.ya?ml$/.test(file)).map(file => `:(literal)${file}`)
  return [':(glob)**/*.yaml', ':(glob)**/*.yml', ...others, ':(exclude,glob)**/node_modules/**']
}
