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

/** The declared state of a flag in one environment, for finding stale flags. */
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
  /** The declared switch and filters, without values from environment variables and ignored values. */
  readonly known: KnownSwitch
  /** The single value for everybody; undefined if there is none, if unknown, or if declared absent. */
  readonly value: boolean | string | undefined
  /**
   * The state and its environment as a text: equal texts mean the same declaration. Undefined if the
   * declaration does not decide what everybody gets.
   */
  readonly meaning: string | undefined
}

/** The states of all declared flags, one for each environment. */
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

/** A map key for a flag in an environment. */
export function stateName({ address, environment }: Pick<FlagState, 'address' | 'environment'>): string {
  return JSON.stringify([environment ?? null, address])
}

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
 * The later one of the dates from git and from recorded runs.
 *
 * | git has  | runs have                | since                       |
 * |----------|--------------------------|-----------------------------|
 * | a commit | a run that changed it    | the later of the two        |
 * | a commit | no run that changed it   | the commit                  |
 * | nothing  | a run that changed it    | the run                     |
 * | nothing  | runs that found it equal | at least the oldest of them |
 * | nothing  | nothing                  | not known                   |
 */
export function laterOf(commit: Since | undefined, run: Since | undefined): Since | undefined {
  if (!commit || !run) return commit ?? run
  return run.isAtLeast || commit.at >= run.at ? commit : run
}

export function daysBetween(from: number, to: number): number {
  return Math.floor((to - from) / dayMs)
}

export const dayMs = 86_400_000

export function daysIn(text: string, least: number): number {
  const days = Number(text)
  if (/^\d{1,5}$/.test(text) && days >= least) return days
  throw new CommandError(`--days takes a whole number, at least ${least}, not "${text}"`, exitCode.usage)
}

export type Opened = DeclaredRepository & { readonly options: RepositoryOptions }

/** Since when declarations have their current state, according to git. */
export interface ReadCommits {
  /** Whether git knows the repository at all. */
  readonly hasGit: boolean
  /** By state name. Without states that have uncommitted changes. */
  readonly since: ReadonlyMap<string, Since>
  /** The names of states with uncommitted changes. */
  readonly uncommitted: ReadonlySet<string>
  /** Why the history is incomplete; one line. */
  readonly note?: string
}

const mostListed = 5000
const mostRead = 500

/**
 * Finds the commit since which each flag has its current state, along first parents.
 *
 * | the commit before it                                        | result                     |
 * |-------------------------------------------------------------|----------------------------|
 * | declares the flag with the same result for everybody        | continue with that commit  |
 * | declares it differently, or not, or elsewhere               | since this commit          |
 * | does not exist                                              | since this commit          |
 * | cannot be read, or is not in this clone, or is too far back | at least since this commit |
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
    // In a clean folder, differences come from links or from files that git ignores.
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

const unlisted = 'git cannot list the commits that touch declarations, so the age of declarations is unknown'

const shallow =
  'this clone is shallow, so flags count as declared since its oldest commit at the least; fetch the whole history: `fetch-depth: 0` in GitHub Actions, `GIT_DEPTH: 0` in GitLab CI, or `git fetch --unshallow`'

/** A state that is unchanged since some commit. */
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

/** A commit's flag states by name, from some or all files; undefined if they cannot be read. */
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
