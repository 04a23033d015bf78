import type { StaleDocument } from '../../report/document.ts'
import { counted } from '../../report/object-names.ts'
import { environmentsOf } from '../../yaml/settings.ts'
import { declaredFlags, requireSearched, searchReferences } from '../commands/refs.ts'
import { type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { requireOwners } from '../plan/target-filter.ts'
import { openDeclared } from '../repository/repository.ts'
import { commitsOf, type ReadCommits } from './commit-since.ts'
import { type FoundStale, findStale } from './find-stale.ts'
import { dayMs, daysIn, type FlagState, flagStates } from './flag-states.ts'
import { type KnownEnvironment, knownEnvironments } from './live-flags.ts'

/**
 * `vexil retire` without a flag: lists stale declared flags with the reasons. It reads files,
 * the git history and records of runs. It reads the service only with `--activity`.
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

/** The flags of some owners. A flag that they own in one environment is kept for all environments. */
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

/** The missing facts and how to get them, one line each. */
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
      : [`since when ${flags(undated)} not known: ${whyUndated(isAsked, refused, hasGit)}`]),
    ...(otherwise === 0
      ? []
      : [
          `${counted(otherwise, 'flag')} ${otherwise === 1 ? 'is' : 'are'} not live as declared, as runs on record show, and not listed; \`vexil plan\` shows what differs, --activity goes by what is live`,
        ]),
  ]
}

function flags(count: number): string {
  return count === 1 ? '1 flag is as it is, is' : `${count} flags are as they are, is`
}

function whyUndated(isAsked: boolean, refused: readonly string[], hasGit: boolean): string {
  if (refused.length > 0) return refused.join('; ')
  if (isAsked) return 'the activity trail has no rows'
  const missing = hasGit
    ? 'neither a commit nor a run on record shows it'
    : 'there is no git repository, and no run on record shows it'
  return `${missing}; --activity asks the service, and \`expires\` and --in go by no age`
}
