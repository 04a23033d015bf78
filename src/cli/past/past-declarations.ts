import { realpath } from 'node:fs/promises'
import { withoutEndSlash } from '../../api/base-url.ts'
import { type Action, type Plan, writtenFields } from '../../core/change.ts'
import type { Declarations } from '../../core/desired.ts'
import type { BaseOrigin, Lineage } from '../../core/live-edits/verdict.ts'
import { isDifference } from '../../core/plan/found-drift.ts'
import type { PlanInput } from '../../core/plan/plan.ts'
import type { RunRecord } from '../../core/record/run.ts'
import { isSandbox, type Target, targetText } from '../../core/target.ts'
import { type Ancestry, type AskAncestry, commitMeant, type DatedCommit } from '../../git/commits.ts'
import { type CommitFile, type ContentReading, listCommitFolder, readContents } from '../../git/files.ts'
import type { GitFolder } from '../../git/run.ts'
import { FileError } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import type { Runtime } from '../../model/runtime.ts'
import { counted } from '../../report/line-text.ts'
import {
  type FileTree,
  type Listed,
  listedTree,
  loadUnbroken,
  type RepositoryOptions,
  settingsFiles,
} from '../../yaml/index.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import type { ConnectionSettings } from '../repository/connection.ts'
import { type ComparedPast, comparedPast } from './compared-past.ts'

/** The declarations of a repository at a commit, as far as they can be read. */
export interface PastState {
  readonly declarations: Declarations
  /** The place of the environment in the settings of that commit. */
  readonly connection: ConnectionSettings
  /** What cannot be read, and why, one line each. */
  readonly notes: readonly string[]
}

interface PastAsking {
  /** False for a search through many commits, whose declarations are not kept in memory. */
  readonly isKept?: boolean
}

/** The declarations of a repository at other commits. Each commit is read once. */
export interface PastDeclarations {
  /** The files that are read today, relative to the repository. */
  readonly files: readonly string[]
  /** The state at a commit, by its full name; undefined if git cannot read it. */
  at(commit: string, asking?: PastAsking): Promise<PastState | undefined>
}

/** Reads a commit like today's files, for the same environment and with the same variables. */
export function pastDeclarations(
  runtime: Runtime,
  options: RepositoryOptions,
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
    // A random mark separates the files, so that no file can contain it.
    const tree = await treeOfCommit(place, commit, runtime.uniqueId())
    if (!tree) return undefined
    const { environment, declarations, problems, isSettled } = await loadUnbroken({ ...reading, tree })
    const notes = pastNotes(commit, isSettled ? problems : undefined, options.environment)
    return { declarations, connection: environment?.connection ?? {}, notes }
  }
}

/**
 * The files of a folder at a commit; undefined if git cannot read it. Links and the files that `isMeant`
 * selects (by default, files that may contain declarations) are read at once, others on request.
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
      // A declaration file that is not selected counts as missing.
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

/** Whether a file may contain declarations: YAML, but not below `node_modules` or a folder like `.git`. */
export function isLikelyDeclaration(name: string): boolean {
  return /\.ya?ml$/i.test(name) && !/(?:^|\/)(?:node_modules|\.[^/]*)\//.test(name)
}

function absent(): FileError {
  return new FileError('ENOENT', 'is not available from that commit')
}

/**
 * Notes about declarations at a commit that cannot be read, one line each. Without problems, the settings
 * cannot be read.
 */
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

export function shortCommit(commit: string): string {
  return commit.slice(0, 10)
}

const mostNamed = 3

/** The first few of some names, and how many more there are. */
function someOf(names: readonly string[]): string {
  const more = names.length - mostNamed
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** A field, and the digest of the value that is searched in earlier declarations. */
export interface AskedField {
  readonly address: string
  readonly field: string
  readonly digest: string
  /** Only commits after this one count. */
  readonly since?: string
}

/** The queries of a plan about the history of its repository. */
export interface Asked {
  /** Recorded commits whose relation to the planned one was queried. */
  readonly relations: ReadonlySet<string>
  /** Diverged commits whose common ancestor with the planned one was queried. */
  readonly forks: ReadonlySet<string>
  readonly declared: readonly AskedField[]
}

/**
 * A lineage that knows the relations of commits and records all other queries. A plan is pure: the first one
 * shows what is needed, and then it is made again with that. Usually nothing more is needed.
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

/** Matches all YAML files, also deleted ones, and the files with other extensions that are read today. */
export function pathspecs(files: readonly string[]): string[] {
  const others = files.filter(file => !/\.ya?ml$/.test(file)).map(file => `:(literal)${file}`)
  return [':(glob)**/*.yaml', ':(glob)**/*.yml', ...others, ':(exclude,glob)**/node_modules/**']
}

/**
 * | `--base` | live edits are measured from                                                  |
 * |----------|-------------------------------------------------------------------------------|
 * | `auto`   | the declaration of each object when it last converged, from the runs on record |
 * | `none`   | nothing: the plan only compares declared and live objects                     |
 * | a commit | the declarations of all objects at that commit                                |
 */
export type BaseChoice = 'auto' | 'none' | DatedCommit

/** Reads the option `--base`; throws if it names no commit of this clone. */
export async function chooseBase(
  { env }: Pick<Host, 'env'>,
  directory: string,
  past: PastDeclarations | undefined,
  { base = 'auto' }: Flags,
): Promise<BaseChoice> {
  if (base === 'auto' || base === 'none') return base
  if (!past) {
    const words = `--base ${base} reads the YAML files of that commit, but a stack has none; --base auto uses recorded runs, also for stacks`
    throw new CommandError(words, exitCode.usage)
  }
  const commit = await commitMeant({ directory, env }, base)
  if (commit) return commit
  throw new CommandError(
    `--base "${base}" is not a commit of this clone; \`git fetch origin ${base}\` may fetch it, or use auto or none`,
    exitCode.usage,
  )
}

/** The choice for the record of a plan. The default is not recorded. */
export function baseOnRecord(choice: BaseChoice): { readonly base?: string } {
  if (choice === 'auto') return {}
  return { base: choice === 'none' ? choice : choice.commit }
}

/**
 * The input of a plan for the selected `--base`. Values that `vexil undo` and `vexil disable` have set always
 * stay, because they do not depend on the base.
 */
export async function measuredAs(choice: BaseChoice, asked: PlanInput, place: PastPlace): Promise<PlanInput> {
  if (choice === 'auto') return asked
  const { base: recorded = {}, grantLists: _, ...others } = asked.records ?? {}
  if (choice === 'none') return { ...asked, records: { ...others, heldSince: {}, isApplied: false } }
  const { commit } = choice
  const state = await readingPast(asked, place)(commit)
  if (!state) {
    throw new CommandError(
      `commit ${shortCommit(commit)} cannot be the base; use another commit, auto or none`,
    )
  }
  // A commit is not a run: undeclared writes of all runs count as newer.
  const origin: BaseOrigin = {
    run: `--base ${shortCommit(commit)}`,
    at: 0,
    revision: { commit, dirty: false },
  }
  const base = Object.entries(state.baseOf(origin)).map(([address, object]) => {
    const id = recorded[address]?.id
    return [address, object && id !== undefined ? { ...object, id } : object] as const
  })
  const grantLists = state.grantListsOf(origin)
  return { ...asked, records: { ...others, base: Object.fromEntries(base), grantLists, heldSince: {} } }
}

/** What is known about the place of a plan, for notes about its base. */
export interface MeasuringPlace {
  readonly target: Target
  readonly environment: string | undefined
  /** The newest recorded apply of this environment, if it had another target. */
  readonly elsewhere: RunRecord | undefined
  readonly sharesRecords: boolean
  readonly hasUnread: boolean
  /** Whether the command only shows differences, as `vexil drift` does. */
  readonly isLookedAt: boolean
}

/**
 * Notes about values without a base, one line each with a remedy, if something differs that may have been
 * edited in the product.
 *
 * | recorded apply                | and the plan                            | note                             |
 * |-------------------------------|-----------------------------------------|----------------------------------|
 * | to the target                 | changes a field with an `${env:}` value | the field                        |
 * | of the environment, elsewhere | changes or blocks anything              | the target of that apply         |
 * | none                          | updates or restores live objects        | their number, how to get records |
 * | none                          | creates, deletes                        | none; `vexil drift`: as above    |
 * | none                          | claims                                  | none                             |
 * | any; the target is a sandbox  | changes anything                        | none                             |
 */
export function baseNotes(plan: Plan, asked: PlanInput, place: MeasuringPlace): string[] {
  if (isSandbox(place.target)) return []
  if (asked.records?.isApplied) return environmentNotes(plan, asked)
  if (place.elsewhere) {
    const isAny = plan.changes.length + plan.blocked.length > 0
    return isAny ? [elsewhereNote(place.elsewhere, place)] : []
  }
  const wanted: readonly Action[] = place.isLookedAt
    ? ['create', 'update', 'restore', 'delete']
    : ['update', 'restore']
  const differing = [...plan.changes, ...plan.blocked.filter(isDifference)]
  const count = differing.filter(({ action }) => wanted.includes(action)).length
  return count === 0 ? [] : [unrecordedNote(count, place)]
}

function environmentNotes({ changes }: Plan, { declared: declarations, records = {} }: PlanInput): string[] {
  const { base = {} } = records
  const declared = new Map(declarations.desired.map(desired => [desired.address, desired]))
  const fields = changes.flatMap(change => {
    const { address, action } = change
    const written = writtenFields(change)
    const { fromEnvironment = [] } = declared.get(address) ?? {}
    const isKnown = action === 'update' && Object.hasOwn(base, address)
    return isKnown
      ? fromEnvironment.filter(name => written.includes(name)).map(name => `${address} ${name}`)
      : []
  })
  if (fields.length === 0) return []
  return [
    `${someOf(fields)}: values from \`\${env:NAME}\` are not recorded, so edits in the product are not detected; to compare them, declare the values under \`environments\``,
  ]
}

function elsewhereNote({ run, target }: RunRecord, place: MeasuringPlace): string {
  return `no recorded apply to ${targetText(place.target)}: the last apply of ${place.environment} was to ${targetText(target)} (run ${run}), which cannot be the base here; the first apply starts the records`
}

function unrecordedNote(
  count: number,
  { environment, target, sharesRecords, hasUnread, isLookedAt }: MeasuringPlace,
): string {
  const place = environment ?? targetText(target)
  const unknown = `for ${counted(count, 'object')} it is unknown whether the declaration or the product changed`
  const effect = isLookedAt
    ? unknown
    : `${counted(count, 'live object')} will be overwritten with the declared values`
  if (hasUnread) return `the records of earlier applies to ${place} cannot be read: ${effect}`
  const shared = sharesRecords
    ? ''
    : '; if others apply too, set `runs: { ref: refs/vexil/runs }` in the settings to share the records'
  return `no recorded apply to ${place}: ${effect}; the first apply starts the records${shared}`
}

/** What is needed to query the history of a plan's repository. */
export interface PastPlace {
  readonly git: GitFolder
  readonly target: Target
  /** The planned commit; undefined if git knows none. */
  readonly head: string | undefined
  /** Finds the relations of other commits to the planned one. */
  readonly askAncestry: AskAncestry | undefined
  /** The declarations at other commits; a stack has none. */
  readonly past: PastDeclarations | undefined
  readonly note: (line: string) => void
}

/** Reads the declarations at a commit. Notes why and returns undefined if they cannot be compared. */
export type ReadPast = (commit: string, asking?: PastAsking) => Promise<ComparedPast | undefined>

export function readingPast(asked: PlanInput, { target, past, note }: PastPlace): ReadPast {
  const known = new Map<string, Promise<ComparedPast | undefined>>()
  const read = async (commit: string, asking: PastAsking): Promise<ComparedPast | undefined> => {
    const state = await past?.at(commit, asking)
    if (!state) {
      note(
        past
          ? `the declarations at ${shortCommit(commit)} are not available; \`git fetch origin ${commit}\` may fetch them`
          : 'a stack shows only what it declares now, so its values are not compared with another commit',
      )
      return undefined
    }
    for (const line of state.notes) note(line)
    const elsewhere = placeElsewhere(state.connection, target)
    if (elsewhere === undefined) return comparedPast(asked, state.declarations)
    note(
      `at ${shortCommit(commit)} this environment was ${elsewhere}, not ${targetText(target)}, so nothing is compared with that commit`,
    )
    return undefined
  }
  return (commit, asking = {}) => {
    const found = known.get(commit) ?? read(commit, asking)
    if (asking.isKept !== false) known.set(commit, found)
    return found
  }
}

/** The target of the environment in the settings of a commit, if it differs from the planned target. */
function placeElsewhere(
  { baseUrl, project, organization }: ConnectionSettings,
  target: Target,
): string | undefined {
  if (isSandbox(target)) return undefined
  if (baseUrl !== undefined && withoutEndSlash(baseUrl) !== withoutEndSlash(target.baseUrl))
    return `at ${baseUrl}`
  if (project !== undefined && target.projectId !== undefined && project !== target.projectId)
    return `project ${project}`
  const isOther = organization !== undefined && target.organizationId !== undefined
  return isOther && organization !== target.organizationId ? `organization ${organization}` : undefined
}
