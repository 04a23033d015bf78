import type { StaleDocument } from '../../../report/document/stale.ts'
import { environmentsOf } from '../../../yaml/settings.ts'
import { CommandError, type ExitCode, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { print } from '../../host/output/output.ts'
import { requireOwners } from '../../plan/target-filter.ts'
import { openDeclared } from '../../repository/repository.ts'
import { declaredFlags, wantedFlags } from '../refs/declared-flags.ts'
import { requireSearched, searchReferences } from '../refs/search-references.ts'
import { commitsOf } from './commits-of.ts'
import { findStale } from './find-stale.ts'
import { type FlagState, flagStates } from './flag-states.ts'
import { knownEnvironments } from './known-environments.ts'
import { dayMs } from './since.ts'
import type { StaleFlags } from './stale-flags.ts'
import { staleNotes } from './stale-notes.ts'

/**
 * `vexil stale [FLAG ...]`: the declared flags that have outlived their use, each with the reasons. It reads files, the
 * history of the repository and records of runs; the service only with `--activity`.
 */
export async function runStale(host: Host, named: readonly string[], flags: StaleFlags): Promise<ExitCode> {
  const days = daysIn(flags.days)
  const repository = await openDeclared(host, flags)
  const { declared, settings } = repository
  const all = declaredFlags(declared)
  const wanted = new Set(wantedFlags(all, named).map(({ address }) => address))
  const environments = environmentsOf(settings).filter(
    ({ name }) => flags.env === undefined || name === flags.env,
  )
  const inAny = flagStates(declared, environments).filter(({ address }) => wanted.has(address))
  const states = onlyOwned(inAny, flags.owner)
  const asked = states.filter(({ isPermanent }) => !isPermanent)
  const searched = flags.in && (await searchReferences(host, repository, all, flags.in))
  if (searched) requireSearched(searched.found)
  const commits = await commitsOf(host, repository, asked)
  const now = host.runtime.now()
  const cutoff = now - days * dayMs
  const known = await knownEnvironments(host, flags, repository, { environments, states, cutoff })
  const found = findStale({
    environments: known,
    commits: commits.since,
    uncommitted: commits.uncommitted,
    ...(searched ? { unreferenced: unreferencedIn(all, searched.found.references) } : {}),
    now,
    days,
  })
  const code = found.flags.some(({ isReady }) => isReady) ? exitCode.drift : exitCode.done
  const document: StaleDocument = {
    is: 'stale',
    exitCode: code,
    days,
    now,
    environments: environments.map(({ name }) => name),
    isPart: environments.length < environmentsOf(settings).length,
    flags: found.flags,
    count: found.count,
    permanent: found.permanent,
    ...(searched ? { searched: searched.found.searched } : {}),
    notes: [...(searched?.notes ?? []), ...staleNotes(found, commits, known)],
  }
  await print(host, flags, document)
  return code
}

function daysIn(text: string): number {
  const days = Number(text)
  if (/^\d{1,5}$/.test(text) && days >= 1) return days
  throw new CommandError(`--days is a whole number from 1 on, not "${text}"`, exitCode.usage)
}

/** A flag that one of some owners has in any of the environments, with all of its environments. */
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
