import { join, relative } from 'node:path'
import { FolderLocks, type LockOwner, refusedText } from '../../core/apply/locks.ts'
import type { Plan } from '../../core/change.ts'
import { readLeft, updateLeft } from '../../core/live-edits/base-index.ts'
import { leftOutFields } from '../../core/live-edits/live-edit.ts'
import { entriesOf } from '../../core/record/journal.ts'
import type { PlanMeta, PlanScope } from '../../core/record/plan-file.ts'
import type { Run, RunCommand, RunCommit, RunRecord } from '../../core/record/run.ts'
import { nextRunName, stateFolder, writeDeclared, writeRecord } from '../../core/record/run-folder.ts'
import { recordedChanges } from '../../core/redaction.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import { type Host, interruptible, whoRuns } from '../host/host.ts'
import { revisionOf } from '../repository/repository.ts'
import type { RepositorySettings } from '../repository/repository-settings.ts'
import type { Session } from '../repository/session.ts'

/** What a run changes, and what reports show with it. Unsent fields of live edits keep their base. */
export type RunPlan = Pick<Plan, 'changes' | 'blocked' | 'liveEdits'> &
  Partial<Pick<Plan, 'ownershipTag' | 'groupTypes' | 'owners'>>

/** What a command knows of its run before the run begins. */
export interface RunFacts {
  readonly command: RunCommand
  readonly plan: RunPlan
  /** How many objects are as wanted. */
  readonly unchanged: number
  /** The folder, the environment, and where records are shared; without that they stay in the folder. */
  readonly place: Pick<RepositorySettings, 'directory' | 'environment' | 'runs'>
  /** Why records of others could not be fetched; the user has seen it. */
  readonly unshared?: string | undefined
  readonly revision?: RunCommit | undefined
  readonly planDigest?: string
  readonly scope?: PlanScope
  /** The allowed rules about a run as a whole. */
  readonly allowed?: PlanMeta['allowed']
  /** The run that this one undoes. */
  readonly undoes?: string
  /** Why it is started, in the words of the person who starts it. */
  readonly reason?: string
  /** Nothing is recorded: there is no repository for it. */
  readonly isUnrecorded?: boolean
}

/** The commit of a folder, for the record of a run that begins there. */
export async function currentRevision(host: Host, directory: string): Promise<RunCommit | undefined> {
  const { commit, dirty = false } = await revisionOf(host, directory)
  return commit === undefined ? undefined : { commit, dirty }
}

/** A record has the commit from git, and nothing that only a pipeline knows. */
export function revisionFor({ commit, dirty }: PlanMeta): { readonly revision?: RunCommit } {
  return commit === undefined || dirty === undefined ? {} : { revision: { commit, dirty } }
}

/** Everything that is known of a run before it begins. The declarations of its scope are written here. */
export async function runOf(host: Host, { target }: Session, facts: RunFacts): Promise<Run> {
  const { command, revision, reason, planDigest, undoes, scope, allowed } = facts
  const { changes, blocked, liveEdits } = facts.plan
  const { directory, environment } = facts.place
  const startedAt = host.runtime.now()
  const [who, after, run] = await Promise.all([
    whoRuns(host, directory),
    scope?.after ?? readLeft(directory, target).then(({ left }) => left.heads),
    nextRunName(directory, startedAt, host.runtime.uniqueId()),
  ])
  const declared = scope && (await writeDeclared(directory, scope.declared, run))
  const held = leftOutFields(liveEdits)
  return {
    run,
    command,
    ...(environment === undefined ? {} : { environment }),
    target,
    ...(revision === undefined ? {} : { revision }),
    ...(who === undefined ? {} : { who }),
    ...(reason === undefined ? {} : { reason }),
    startedAt,
    after,
    ...(planDigest === undefined ? {} : { planDigest }),
    ...(undoes === undefined ? {} : { undoes }),
    changes,
    blocked: blocked.map(({ address, rule }) => ({ address, rule })),
    notTargeted: scope?.notTargeted ?? [],
    ...(held.length === 0 ? {} : { held }),
    ...(allowed === undefined ? {} : { allowed }),
    unchanged: facts.unchanged,
    ...(declared === undefined ? {} : { declared }),
  }
}

/** A run with its results, from the lines of its journal. */
export function recordOf(
  { changes, ...head }: Run,
  finishedAt: number,
  isComplete: boolean,
  lines: readonly JsonObject[],
): RunRecord {
  return { ...head, finishedAt, isComplete, entries: entriesOf(changes, lines) }
}

/** A record as it is written: hidden values are in a separate file. */
function withoutValues({ redaction }: Host, record: RunRecord): RunRecord {
  const changes = recordedChanges(
    record.entries.map(({ change }) => change),
    redaction,
  )
  return {
    ...record,
    entries: record.entries.map((entry, at) => ({ ...entry, change: changes[at] ?? entry.change })),
  }
}

/** Writes the record of a run, and returns its path. */
export async function keepRecord(host: Host, { place }: RunFacts, record: RunRecord): Promise<string> {
  const { directory } = place
  const path = await writeRecord(directory, withoutValues(host, record), host.secrets.hide)
  // The index only saves reading; the records have the same facts.
  await updateLeft(directory, record).catch(() => {})
  return path
}

/** The locks of a repository. */
export function locksOf({ processes, runtime, secrets }: Host, directory: string): FolderLocks {
  return new FolderLocks({ folder: join(directory, stateFolder), processes, runtime, hide: secrets.hide })
}

/**
 * Runs a command that writes to the live service while no other one of this folder does. It holds the lock
 * from before it reads live objects until after it writes its record. A signal releases it too.
 */
export async function withLock(
  host: Host,
  { target }: Pick<Session, 'target'>,
  { directory, environment }: Pick<RepositorySettings, 'directory' | 'environment'>,
  command: string,
  run: (host: Host) => Promise<ExitCode>,
): Promise<ExitCode> {
  const owner: LockOwner = {
    ...(await host.processes.own()),
    id: host.runtime.uniqueId(),
    command,
    ...(environment === undefined ? {} : { environment }),
    since: host.runtime.now(),
  }
  return interruptible(host, async guarded => {
    const lock = await locksOf(host, directory).acquire(target, owner)
    if (lock.is === 'refused') {
      const place = escapeText(relative(host.directory, lock.place) || lock.place)
      throw new CommandError(refusedText({ ...lock, place }, host.runtime.now()), exitCode.refused)
    }
    try {
      guarded.stop?.throwIfAborted()
      return await run(guarded)
    } finally {
      await giveBack(host, lock)
    }
  })
}

/** A lost lock does not undo what the command has done. */
async function giveBack(host: Host, lock: { release(): Promise<'released' | 'lost'> }): Promise<void> {
  try {
    const end = await lock.release()
    if (end === 'lost') host.log.warn('somebody removed the lock of this command while it ran')
  } catch (error) {
    host.log.warn(escapeText(error instanceof Error ? error.message : String(error)))
  }
}
