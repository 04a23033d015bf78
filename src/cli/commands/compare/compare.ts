import { resolve } from 'node:path'
import { compareEnvironments } from '../../../core/compare/compare-environments.ts'
import type { ComparedEnvironment, Comparison } from '../../../core/compare/comparison.ts'
import { loadSettings } from '../../../yaml/index.ts'
import type { RepositoryFlags } from '../../connection/repository-settings.ts'
import type { SessionFlags } from '../../connection/session.ts'
import { type ExitCode, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { type OutputFlags, print } from '../../host/output/output.ts'
import { requireOwners, resolveAddresses } from '../../plan/target-filter.ts'
import { refuseProblems } from '../../repository/refuse-problems.ts'
import { chosenIn } from './chosen.ts'
import { readDeclared } from './read-declared.ts'
import type { ReadOptions } from './read-environment.ts'

export interface CompareFlags extends RepositoryFlags, SessionFlags, OutputFlags, ReadOptions {
  readonly live?: boolean
  readonly owner?: readonly string[]
  readonly showEqual?: boolean
  readonly detailedExitcode?: boolean
}

/** `vexil compare`: environments side by side, as they are declared or as they are live. It reads only. */
export async function runCompare(
  host: Host,
  words: readonly string[],
  flags: CompareFlags,
): Promise<ExitCode> {
  const { environments: names, objects } = chosenIn(words, await environmentNames(host, flags))
  const read = flags.live ? await readLive(host, names, flags) : await readDeclared(host, names, flags)
  const comparison = compareEnvironments(onlyOwned(onlyNamed(read, objects), flags.owner), host.redaction)
  const code = flags.detailedExitcode && hasDifference(comparison) ? exitCode.changes : exitCode.done
  await print(host, flags, {
    is: 'comparison',
    exitCode: code,
    comparison,
    isLive: flags.live === true,
    places: Object.fromEntries(
      read.flatMap(({ name, place }) => (place === undefined ? [] : [[name, place]])),
    ),
    showsEqual: flags.showEqual === true,
  })
  return code
}

/** The names in the settings; none of them is chosen by that. */
async function environmentNames(host: Host, { chdir = '.' }: CompareFlags): Promise<readonly string[]> {
  const directory = resolve(host.directory, chdir)
  const { settings, settingsProblems, texts } = await loadSettings({ directory, env: host.env })
  const problems = settingsProblems.filter(({ code }) => code !== 'no-environment')
  refuseProblems(host, problems, { directory, texts })
  return settings.environments.map(({ name }) => name)
}

async function readLive(host: Host, names: readonly string[], flags: CompareFlags) {
  // What talks to a service is loaded by whoever asks it.
  const { readLiveEnvironments } = await import('./read-live.ts')
  return readLiveEnvironments(host, names, flags)
}

function hasDifference({ rows }: Comparison): boolean {
  return rows.some(({ verdict }) => verdict !== 'equal')
}

/** What one of some owners answers for in any of the environments. */
function onlyOwned(
  environments: readonly ComparedEnvironment[],
  owners: readonly string[] | undefined,
): readonly ComparedEnvironment[] {
  if (owners === undefined) return environments
  const all = environments.flatMap(({ objects }) => objects)
  requireOwners(
    owners,
    all.flatMap(each => each.owners ?? []),
    nowhere.owner,
  )
  const owned = all.filter(each => each.owners?.some(owner => owners.includes(owner)))
  return onlyAt(environments, new Set(owned.map(({ address }) => address)))
}

/** What is named, in whichever environment it is. The grants of a flag come with it. */
function onlyNamed(
  environments: readonly ComparedEnvironment[],
  named: readonly string[] | undefined,
): readonly ComparedEnvironment[] {
  if (named === undefined) return environments
  const addresses = environments.flatMap(({ objects }) => objects.map(({ address }) => address))
  const unique = [...new Set(addresses)]
  const wanted = new Set(named.flatMap(name => resolveAddresses(name, unique, nowhere)))
  return onlyAt(environments, wanted)
}

/** What has one of these addresses, and the grants of such a flag. */
function onlyAt(
  environments: readonly ComparedEnvironment[],
  wanted: ReadonlySet<string>,
): readonly ComparedEnvironment[] {
  return environments.map(({ objects, ...environment }) => ({
    ...environment,
    objects: objects.filter(
      ({ address, parent }) => wanted.has(address) || (parent !== undefined && wanted.has(parent)),
    ),
  }))
}

const nowhere = {
  name: 'is neither an environment nor an object of one of these',
  glob: 'fits nothing in any of these environments',
  owner: 'owns nothing in any of these environments',
}
