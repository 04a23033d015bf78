import { withoutEndSlash } from '../../api/base-url.ts'
import { ownersInTags } from '../../core/ownership.ts'
import { readChangedNames, readFirstParents } from '../../git/commits.ts'
import { type DeclarableKind, hasTargeting, switchField, targetingField } from '../../model/kind.ts'
import type { Json } from '../../model/text/json.ts'
import { type KnownSwitch, valueForAll } from '../../targeting/index.ts'
import {
  type FileDeclarations,
  ignorePointer,
  type Layer,
  type ObjectDeclaration,
} from '../../yaml/declaration.ts'
import {
  type DeclaredRepository,
  type RepositoryOptions,
  readUnchecked,
  settingsFiles,
} from '../../yaml/index.ts'
import { effectiveIn, fieldPointer, fieldsFromEnvironment } from '../../yaml/resolve/layers.ts'
import { type Environment, environmentsOf } from '../../yaml/settings.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { isLikelyDeclaration, pathspecs, treeOfCommit } from '../past/past-declarations.ts'
import { revisionOf } from '../repository/repository.ts'

/** The declared state of a flag in one environment, as far as it shows whether the flag is stale. */
export interface FlagState {
  readonly key: string
  readonly address: string
  readonly kind: DeclarableKind
  readonly environment: string | undefined
  readonly ensure: 'present' | 'absent'
  readonly declaration: ObjectDeclaration
  readonly layer: Layer
  readonly isPermanent: boolean
  readonly owners: readonly string[]
  /** The declared values, except those that depend on the machine or that the product owns. */
  readonly known: KnownSwitch
  /** The single value for everybody; undefined if it is not certain, or if the flag should be absent. */
  readonly value: boolean | string | undefined
  /**
   * The whole state and its environment as a text. As long as the text is equal, the declaration means
   * the same. Undefined if the declaration alone does not decide what everybody gets.
   */
  readonly meaning: string | undefined
}

/** The flags that are declared in some environments, one state for each environment in which a flag is. */
export function flagStates(
  files: readonly FileDeclarations[],
  environments: readonly Environment[],
): readonly FlagState[] {
  const flags = files.flatMap(({ objects }) => objects.filter(({ kind }) => hasTargeting(kind)))
  return environments.flatMap(environment =>
    flags.flatMap(declaration => {
      const state = stateIn(declaration, environment)
      return state ? [state] : []
    }),
  )
}

function stateIn(declaration: ObjectDeclaration, environment: Environment): FlagState | undefined {
  const effective = effectiveIn(declaration, environment)
  if (!effective) return undefined
  const { identity: key, address, kind, defaults } = declaration
  const { layer, ensure } = effective
  const known = ensure === 'present' ? knownSwitch(declaration, layer, environment) : {}
  const value = ensure === 'present' ? valueForAll(known) : undefined
  const owner = layer.tagMembers?.owner
  return {
    key,
    address,
    kind,
    environment: environment.name,
    ensure,
    declaration,
    layer,
    isPermanent: layer.permanent === true,
    owners: typeof owner === 'string' ? [owner] : ownersInTags(kind, layer.fields, defaults?.tags),
    known,
    value,
    meaning: ensure === 'absent' || value !== undefined ? meaningOf(ensure, value, environment) : undefined,
  }
}

/** The declared switch and filters, without values from the environment or owned by the product. */
function knownSwitch(declaration: ObjectDeclaration, layer: Layer, environment: Environment): KnownSwitch {
  const { kind } = declaration
  const [isOn, targeting] = [switchField(kind) ?? '', targetingField(kind) ?? '']
  const ignored = (layer.ignore ?? []).map(path => fieldPointer(layer, ignorePointer(path)))
  const open = new Set([
    ...ignored.map(pointer => pointer.split('/')[1]),
    ...fieldsFromEnvironment(declaration, layer, environment),
  ])
  const fieldIn = (name: string): Json | undefined => (open.has(name) ? undefined : layer.fields[name])
  const [active, filters] = [fieldIn(isOn), fieldIn(targeting)]
  return { ...(typeof active === 'boolean' ? { active } : {}), ...(filters === undefined ? {} : { filters }) }
}

function meaningOf(
  ensure: FlagState['ensure'],
  value: FlagState['value'],
  { connection: { baseUrl, project, organization } }: Environment,
): string {
  const place = [baseUrl && withoutEndSlash(baseUrl), project, organization]
  return JSON.stringify([ensure, value ?? null, ...place.map(part => part ?? null)])
}

/** A key for a flag in an environment. */
export function stateName({ address, environment }: Pick<FlagState, 'address' | 'environment'>): string {
  return JSON.stringify([environment ?? null, address])
}

/** The start of a current state, and the source if that is known. */
export interface Since {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly from: 'commit' | 'run' | 'trail'
  /** The commit, or the run. */
  readonly name?: string
  /** Whether the state may be older: earlier history is unknown. */
  readonly isAtLeast: boolean
}

/**
 * The later date of git and the records of runs.
 *
 * | git has           | records have                | since                                       |
 * |-------------------|-----------------------------|---------------------------------------------|
 * | a commit          | a run that changed it       | the later one                               |
 * | a commit          | no run that changed it      | the commit                                  |
 * | nothing           | a run that changed it       | the run                                     |
 * | nothing           | runs that found it equal    | at least the oldest of them                 |
 * | nothing           | nothing                     | not known                                   |
 */
export function laterOf(commit: Since | undefined, run: Since | undefined): Since | undefined {
  if (!commit || !run) return commit ?? run
  return run.isAtLeast || commit.at >= run.at ? commit : run
}

/** Whole days from one time to another. */
export function daysBetween(from: number, to: number): number {
  return Math.floor((to - from) / dayMs)
}

export const dayMs = 86_400_000

/** The number of days that an option gives. */
export function daysIn(text: string, least: number): number {
  const days = Number(text)
  if (/^\d{1,5}$/.test(text) && days >= least) return days
  throw new CommandError(`--days is a whole number from ${least} on, not "${text}"`, exitCode.usage)
}

/** A repository with its written declarations. */
export type Opened = DeclaredRepository & { readonly options: RepositoryOptions }

/** The history of the declarations in git. */
export interface ReadCommits {
  /** Whether git knows the repository at all. */
  readonly hasGit: boolean
  /** By state name, without states that the checked-out commit declares differently. */
  readonly since: ReadonlyMap<string, Since>
  /** The names of those that were changed since that commit. */
  readonly uncommitted: ReadonlySet<string>
  /** Why git shows only part of the history; one line. */
  readonly note?: string
}

/** Limits, counted back from the checked-out commit: commits to list, and commits to read. */
const mostListed = 5000
const mostRead = 500

/**
 * Finds the commit since which each flag has its current meaning. It follows first parents back from the
 * checked-out commit.
 *
 * | the commit before it                                              | result                                          |
 * |-------------------------------------------------------------------|-------------------------------------------------|
 * | declares the flag with the same result for everybody              | continue with that commit                       |
 * | declares it differently, or not at all, or in another place       | since this commit                               |
 * | does not exist                                                    | since this commit                               |
 * | cannot be read, or is not in this clone, or is too far back       | at least since this commit                      |
 */
export async function commitsOf(
  host: Host,
  opened: Opened,
  states: readonly FlagState[],
): Promise<ReadCommits> {
  const { options, texts } = opened
  const git = { directory: options.directory, env: host.env }
  const { commit: head, dirty = true } = await revisionOf(host, options.directory)
  const since = new Map<string, Since>()
  const uncommitted = new Set<string>()
  if (head === undefined) return { hasGit: false, since, uncommitted }
  const specs = pathspecs([...texts.keys()])
  const line = await readFirstParents(git, head, specs, mostListed)
  const changes =
    line &&
    (await readChangedNames(
      git,
      line.commits.map(({ commit }) => commit),
      specs,
    ))
  if (!line || !changes) return { hasGit: true, since, uncommitted, note: unlisted }
  const open = new Map<string, OpenState>()
  const committed = await statesAt(host, opened, head)
  for (const state of states.filter(({ meaning }) => meaning !== undefined)) {
    const found = committed?.get(stateName(state))
    // In a clean folder, extra content is a link or ignored by git.
    if (found && found.meaning === state.meaning) open.set(stateName(state), openState(found))
    else if (committed && dirty) uncommitted.add(stateName(state))
  }
  let read = 0
  for (const [index, { commit, at }] of line.commits.entries()) {
    const older = line.commits[index + 1]?.commit
    const names = new Set(changes[index])
    const isWhole = settingsFiles.some(name => names.has(name))
    const asked = [...open].filter(
      ([, { file, usesAudience }]) => older === undefined || isWhole || usesAudience || names.has(file),
    )
    if (asked.length === 0) continue
    read += 1
    const isPart = !isWhole && !asked.some(([, { usesAudience }]) => usesAudience)
    const before =
      older === undefined || read > mostRead
        ? undefined
        : await statesAt(host, opened, older, isPart ? name => names.has(name) : undefined)
    const isKnown = before !== undefined || (older === undefined && line.isWhole)
    for (const [name, { meaning }] of asked) {
      const was = before?.get(name)
      if (was && was.meaning === meaning) open.set(name, openState(was))
      else {
        open.delete(name)
        since.set(name, { at, from: 'commit', name: commit, isAtLeast: !isKnown })
      }
    }
  }
  const isShort = line.isShallow && [...since.values()].some(({ isAtLeast }) => isAtLeast)
  return { hasGit: true, since, uncommitted, ...(isShort ? { note: shallow } : {}) }
}

const unlisted =
  'git cannot list the commits that touch declarations, so the age of declarations is not known'

const shallow =
  'this clone is shallow, so flags count as declared since its oldest commit at the least; fetch the whole history: `fetch-depth: 0` in GitHub Actions, `GIT_DEPTH: 0` in GitLab CI, or `git fetch --unshallow`'

/** A state that is unchanged back to some commit. */
interface OpenState {
  readonly meaning: string | undefined
  readonly file: string
  /** An audience may be declared in any file. */
  readonly usesAudience: boolean
}

function openState({ meaning, declaration: { base, environments, file } }: FlagState): OpenState {
  const usesAudience = [base, ...environments.values()].some(({ expanded }) => expanded?.audiences.length)
  return { meaning, file: file.parsed.file, usesAudience }
}

/** A commit's flags by state name, of some or all files; undefined if it or its settings cannot be read. */
async function statesAt(
  { env, runtime }: Host,
  { options: { unwritten: _, ...options } }: Opened,
  commit: string,
  isMeant: (name: string) => boolean = isLikelyDeclaration,
): Promise<ReadonlyMap<string, FlagState> | undefined> {
  const place = { directory: options.directory, env }
  const tree = await treeOfCommit(place, commit, runtime.uniqueId(), isMeant)
  if (!tree) return undefined
  const { isSettled, settings, declared } = await readUnchecked({ ...options, tree })
  if (!isSettled) return undefined
  const states = flagStates(declared, environmentsOf(settings))
  return new Map(states.map(state => [stateName(state), state]))
}
