import { isDay } from '../../model/field.ts'
import { compareTexts } from '../../model/text/names.ts'
import type { LiveState, StaleDocument, StaleFlag, StaleIn, StaleReason } from '../../report/document.ts'
import { counted } from '../../report/line-text.ts'
import { environmentsOf } from '../../yaml/settings.ts'
import type { Flags } from '../command-options.ts'
import { declaredFlags, requireSearched, searchReferences } from '../commands/refs.ts'
import { type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { requireOwners } from '../plan/target-filter.ts'
import { openDeclared } from '../repository/repository.ts'
import {
  commitsOf,
  dayMs,
  daysBetween,
  daysIn,
  type FlagState,
  flagStates,
  laterOf,
  type ReadCommits,
  type Since,
  stateName,
} from './flag-states.ts'
import { type KnownEnvironment, knownEnvironments, type LiveFlag } from './live-flags.ts'

/**
 * `vexil retire` without a flag: lists stale flags with reasons, from files, git history and recorded runs.
 * It asks the service only with `--activity`.
 */
export async function listStale(host: Host, flags: Flags): Promise<ExitCode> {
  const days = daysIn(flags.days ?? '30', 1)
  const repository = await openDeclared(host, flags)
  const { declared, settings } = repository
  const all = declaredFlags(declared)
  const environments = environmentsOf(settings).filter(
    ({ name }) => flags.env === undefined || name === flags.env,
  )
  const states = onlyOwned(flagStates(declared, environments), flags.owner)
  const asked = states.filter(({ isPermanent }) => !isPermanent)
  const searched = flags.in && (await searchReferences(host, repository, all, flags.in))
  if (searched) requireSearched(searched.found)
  const commits = await commitsOf(host, repository, asked)
  const now = host.runtime.now()
  const cutoff = now - days * dayMs
  const known = await knownEnvironments(host, flags, repository, environments, states, cutoff)
  const found = findStale({
    environments: known,
    commits: commits.since,
    uncommitted: commits.uncommitted,
    ...(searched ? { unreferenced: unreferencedIn(all, searched.found.references) } : {}),
    now,
    days,
  })
  const code = found.flags.some(({ stale }) => stale === 'everywhere') ? exitCode.drift : exitCode.done
  const document: StaleDocument = {
    is: 'stale_flags',
    exitCode: code,
    days,
    now,
    environments: environments.map(({ name }) => name ?? null),
    isPart: environments.length < environmentsOf(settings).length,
    flags: found.flags,
    looked_at: found.count,
    permanent: found.permanent,
    searched: searched ? searched.found.searched : null,
    notes: [...(searched?.notes ?? []), ...staleNotes(found, commits, known)],
  }
  await print(host, flags, document)
  return code
}

/** Keeps the flags of some owners. A flag that they own in one environment is kept for all environments. */
function onlyOwned(
  states: readonly FlagState[],
  owners: readonly string[] | undefined,
): readonly FlagState[] {
  if (owners === undefined) return states
  requireOwners(
    owners,
    states.flatMap(state => state.owners),
  )
  const owned = new Set(
    states.filter(state => state.owners.some(owner => owners.includes(owner))).map(({ address }) => address),
  )
  return states.filter(({ address }) => owned.has(address))
}

function unreferencedIn(
  all: readonly { readonly key: string }[],
  references: readonly { readonly key: string }[],
): ReadonlySet<string> {
  const named = new Set(references.map(({ key }) => key))
  return new Set(all.map(({ key }) => key).filter(key => !named.has(key)))
}

/** Notes about missing facts and how to get them, one line each. */
function staleNotes(
  { undated, otherwise }: FoundStale,
  { hasGit, note }: ReadCommits,
  environments: readonly KnownEnvironment[],
): readonly string[] {
  const refused = environments.flatMap(({ name, live }) =>
    live?.why === undefined ? [] : [`${name === undefined ? '' : `${name}: `}${live.why}`],
  )
  const isAsked = environments.some(({ live }) => live)
  return [
    ...(note === undefined ? [] : [note]),
    ...(undated === 0
      ? []
      : [`unknown age of ${counted(undated, 'flag')}: ${whyUndated(isAsked, refused, hasGit)}`]),
    ...(otherwise === 0
      ? []
      : [
          `${counted(otherwise, 'flag')} ${otherwise === 1 ? 'is' : 'are'} not listed: recorded runs left ${otherwise === 1 ? 'it' : 'them'} different from the declaration; \`vexil plan\` shows the differences, --activity uses the live state`,
        ]),
  ]
}

function whyUndated(isAsked: boolean, refused: readonly string[], hasGit: boolean): string {
  if (refused.length > 0) return refused.join('; ')
  if (isAsked) return 'the activity trail has no rows'
  const missing = hasGit
    ? 'neither a commit nor a run on record shows it'
    : 'there is no git repository, and no run on record shows it'
  return `${missing}; --activity asks the service, \`expires\` and --in need no age`
}

export interface StaleInput {
  readonly environments: readonly KnownEnvironment[]
  /** By the names of states. */
  readonly commits: ReadonlyMap<string, Since>
  /** The names of states with uncommitted changes. */
  readonly uncommitted: ReadonlySet<string>
  /** The keys that code does not use; undefined if code was not searched. */
  readonly unreferenced?: ReadonlySet<string>
  readonly now: number
  readonly days: number
}

interface FoundStale {
  readonly flags: readonly StaleFlag[]
  /** How many flags were checked. */
  readonly count: number
  readonly permanent: number
  /** How many have a single value, or are declared absent, since an unknown date. */
  readonly undated: number
  /** How many differ from their declaration, according to recorded runs. */
  readonly otherwise: number
}

/** Finds stale flags, with reasons. A flag is ready for removal if it has a reason in each environment. */
function findStale(input: StaleInput): FoundStale {
  const byAddress = new Map<string, [FlagState, KnownEnvironment][]>()
  for (const environment of input.environments)
    for (const state of environment.states) {
      const related = byAddress.get(state.address)
      if (related) related.push([state, environment])
      else byAddress.set(state.address, [[state, environment]])
    }
  const flags = [...byAddress.values()]
  const looked = flags.filter(states => states.some(([{ isPermanent }]) => !isPermanent))
  const verdicts = looked.map(states => states.map(([state, known]) => verdictOf(state, known, input)))
  const all = verdicts.flat()
  const addressesOf = (reason: Verdict['unknown']) =>
    new Set(all.filter(({ unknown }) => unknown === reason).map(({ state }) => state.address)).size
  return {
    flags: verdicts.flatMap(verdict => staleFlag(verdict, input)).sort(byOwnerAndAge),
    count: looked.length,
    permanent: flags.length - looked.length,
    undated: addressesOf('undated'),
    otherwise: addressesOf('otherwise'),
  }
}

interface Verdict {
  readonly state: FlagState
  readonly summary: StaleIn
  /** Why it is unknown how long the flag has had a single value. */
  readonly unknown?: 'undated' | 'otherwise'
}

function verdictOf(state: FlagState, known: KnownEnvironment, input: StaleInput): Verdict {
  const summary = { environment: state.environment ?? null, declared: state.ensure, reasons: [] }
  if (state.isPermanent) return { state, summary }
  const flag = known.live?.flags.get(state.key)
  const live = known.live && liveState(state, flag)
  const value = live ? flag?.value : state.value
  const isAbsent = state.ensure === 'absent'
  const dated = isAbsent || value !== undefined ? sinceOf(state, flag, known, input) : {}
  const { since, unknown } = dated
  const isOld = since !== undefined && daysBetween(since.at, input.now) >= input.days
  const isSame = isAbsent ? live === undefined || !live.there : live === undefined || live.there
  const reasons = [
    ...(isOld && isSame ? [sameReason(state, value, since, input)] : []),
    ...(isAbsent ? [] : expiry(state, input)),
    ...uncalled(flag, input),
  ]
  return {
    state,
    summary: { ...summary, reasons, ...(live ? { live } : {}) },
    unknown,
  }
}

function liveState({ ensure, known, value }: FlagState, flag: LiveFlag | undefined): LiveState {
  const there = flag !== undefined
  const isDeclared = ensure === 'absent' || value !== undefined || Object.keys(known).length === 2
  return {
    there,
    value: flag?.value ?? null,
    differs: there !== (ensure === 'present') || (isDeclared && there && flag.value !== value),
    last_called_at: flag?.lastCalled === undefined ? null : new Date(flag.lastCalled).toISOString(),
  }
}

interface Dated {
  readonly since?: Since
  readonly unknown?: Verdict['unknown']
}

/** Since when a flag has a single value, or is absent. */
function sinceOf(
  state: FlagState,
  flag: LiveFlag | undefined,
  { records, live }: KnownEnvironment,
  { commits, uncommitted }: StaleInput,
): Dated {
  const name = stateName(state)
  if (flag?.since) return { since: flag.since }
  // If the live value differs, commits and runs do not show its age.
  if (live && state.ensure === 'present' && flag?.value !== state.value) return { unknown: 'undated' }
  if (uncommitted.has(name) || state.meaning === undefined) return {}
  const commit = commits.get(name)
  const isSo = records.isAsDeclared(state)
  const since = laterOf(commit, records.since(state))
  if (live) return since ? { since } : { unknown: 'undated' }
  if (isSo === false) return { unknown: 'otherwise' }
  // A flag that is declared absent may still exist.
  if (since === undefined || (state.ensure === 'absent' && isSo === undefined)) return { unknown: 'undated' }
  return { since }
}

function sameReason(
  { ensure }: FlagState,
  value: boolean | string | undefined,
  since: Since,
  input: StaleInput,
): StaleReason {
  const shown = shownSince(since, input.now)
  if (ensure === 'absent') return { reason: 'gone', since: shown }
  return value === false || value === undefined
    ? { reason: 'nobody', since: shown }
    : { reason: 'everyone', value, since: shown }
}

type ShownSince = NonNullable<StaleReason['since']>

function shownSince(
  since: Pick<Since, 'at' | 'name'> & { readonly from: ShownSince['from']; readonly isAtLeast?: boolean },
  now: number,
): ShownSince {
  const { at, from, name, isAtLeast = false } = since
  return {
    at: new Date(at).toISOString(),
    days: daysBetween(at, now),
    at_least: isAtLeast,
    from,
    ...(name === undefined ? {} : { name }),
  }
}

/** A flag expires after its `expires` day, not on it. */
function expiry({ layer }: FlagState, { now }: StaleInput): StaleReason[] {
  const day = layer.tagMembers?.expires
  if (typeof day !== 'string' || !isDay(day)) return []
  const at = Date.parse(`${day}T00:00:00Z`) + dayMs
  if (now < at) return []
  return [{ reason: 'expired', since: shownSince({ at, from: 'declaration' }, now) }]
}

function uncalled(flag: LiveFlag | undefined, { now, days }: StaleInput): StaleReason[] {
  const at = flag?.lastCalled
  if (at === undefined || daysBetween(at, now) < days) return []
  return [{ reason: 'uncalled', since: shownSince({ at, from: 'service' }, now) }]
}

function staleFlag(verdicts: readonly Verdict[], { unreferenced }: StaleInput): StaleFlag[] {
  const [first] = verdicts
  if (!first) return []
  const { key, address, declaration } = first.state
  const isPresent = verdicts.some(({ state }) => state.ensure === 'present' && !state.isPermanent)
  const shared: StaleReason[] =
    isPresent && unreferenced?.has(key) === true ? [{ reason: 'unreferenced' }] : []
  const environments = verdicts.map(({ summary }) => summary)
  const isStale = ({ state, summary }: Verdict) =>
    summary.reasons.length > 0 || (shared.length > 0 && state.ensure === 'present' && !state.isPermanent)
  if (!verdicts.some(isStale)) return []
  const isReady = verdicts.every(isStale)
  return [
    {
      key,
      address,
      owners: [...new Set(verdicts.flatMap(({ state }) => state.owners))].sort(compareTexts),
      source: declaration.file.parsed.locate(declaration.base.pointer, 'key'),
      stale: isReady ? 'everywhere' : 'partly',
      reasons: shared,
      environments,
      next: isReady ? nextStep(key, environments) : null,
    },
  ]
}

/** The next command, or a sentence if there is no command. */
function nextStep(key: string, environments: readonly StaleIn[]): string {
  const isGone = environments.every(({ declared }) => declared === 'absent')
  return isGone ? `delete the declaration of ${key}` : `vexil retire ${key}`
}

/** By owner, those without an owner last; then ready flags first, and the oldest first. */
function byOwnerAndAge(left: StaleFlag, right: StaleFlag): number {
  return (
    Number(left.owners.length === 0) - Number(right.owners.length === 0) ||
    compareTexts(left.owners.join(), right.owners.join()) ||
    Number(right.stale === 'everywhere') - Number(left.stale === 'everywhere') ||
    oldest(left) - oldest(right) ||
    compareTexts(left.key, right.key)
  )
}

function oldest({ environments }: StaleFlag): number {
  const times = environments.flatMap(({ reasons }) =>
    reasons.flatMap(({ since }) => (since ? Date.parse(since.at) : [])),
  )
  return Math.min(Number.MAX_SAFE_INTEGER, ...times)
}
