import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openCheckouts } from '../../git/checkouts.ts'
import { readPrefix, remoteOf } from '../../git/files.ts'
import { runGit } from '../../git/run.ts'
import type { SeveralFlags } from '../command-options.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { decoded } from '../host/processes.ts'

export interface SourceFlags extends Pick<SeveralFlags, 'chdir'> {
  /** The address of the repository; without it, the folder is read as it is. */
  readonly repo?: string
  /** The branch, tag or commit of environments whose settings name none. */
  readonly revision?: string
  /** Where clones are kept; a temporary folder by default. */
  readonly workDir?: string
}

/** Where the declarations of each environment come from. */
export interface Source {
  /** Replicas of the same repository share states. */
  readonly fleet: string
  /** Fetches what is new, and removes folders that are not in use. After an error, the last state remains. */
  update(inUse: Iterable<string>): Promise<void>
  /** The folder with vexil.yaml at a revision. */
  at(revision: string | undefined): Promise<{ readonly directory: string; readonly commit?: string }>
  close(): Promise<void>
}

export async function openSource(host: Host, flags: SourceFlags, signal: AbortSignal): Promise<Source> {
  const { repo, revision, workDir, chdir = '.' } = flags
  if (repo === undefined) {
    if (revision !== undefined) throw new CommandError('--revision is for --repo', exitCode.usage)
    const directory = resolve(host.directory, chdir)
    const prefix = await readPrefix({ directory, env: host.env })
    const within = prefix?.replace(/\/$/, '') || '.'
    const fleet = fleetName((await remoteAddress(host, directory)) ?? directory, within)
    return { fleet, async update() {}, at: async () => ({ directory }), async close() {} }
  }
  const folder =
    workDir === undefined ? await mkdtemp(join(tmpdir(), 'vexil-')) : resolve(host.directory, workDir)
  const checkouts = openCheckouts({ url: repo, folder, env: host.env, signal, within: chdir })
  const { protocol = '', username = '', password = '' } = URL.canParse(repo) ? new URL(repo) : {}
  // A token may be the name of the user, without a password; the user of SSH is none.
  host.secrets.add(decoded(password || (protocol.startsWith('http') ? username : '')))
  // The commits of the folders that were given out since the last update.
  let recent = new Set<string>()
  return {
    fleet: fleetName(repo, chdir),
    async update(inUse) {
      const updated = await checkouts.update()
      if (updated.is === 'failed') throw new CommandError(`the repository cannot be fetched: ${updated.why}`)
      await checkouts.prune(new Set([...inUse, ...recent]))
      recent = new Set()
    },
    async at(named) {
      const found = await checkouts.at(named ?? revision)
      if (found.is === 'failed') throw new CommandError(`the repository: ${found.why}`)
      recent.add(found.commit)
      return { directory: join(found.directory, chdir), commit: found.commit }
    },
    async close() {
      if (workDir === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function remoteAddress({ env }: Host, directory: string): Promise<string | undefined> {
  const place = { directory, env }
  const remote = await remoteOf(place)
  const found = remote === undefined ? undefined : await runGit(place, 'remote', 'get-url', remote)
  return found?.is === 'done' ? found.text.trim() : undefined
}

/** A digest of the address without its user, whose token may change. */
function fleetName(address: string, within: string): string {
  return digestOf(address.replace(/^(\w+:\/\/)[^/@]*@/, '$1'), within)
}

/** The name of jobs. Only replicas that would do the same with a job share it. */
export function sharedWork(fleet: string, { env, shard, mode, revision }: Work): string {
  return digestOf(fleet, mode, [env ?? []].flat().toSorted(), shard, revision)
}

interface Work extends Pick<SeveralFlags, 'env' | 'shard'>, Pick<SourceFlags, 'revision'> {
  readonly mode: string
}

function digestOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
