import { join, relative } from 'node:path'
import { FolderLocks } from '../../core/apply/lock/folder-locks.ts'
import type { LockOwner } from '../../core/apply/lock/lock.ts'
import { refusedText } from '../../core/apply/lock/lock-text.ts'
import { stateFolder } from '../../core/record/run-folder.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { RepositorySettings } from '../connection/repository-settings.ts'
import type { Session } from '../connection/session.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { interruptible } from '../host/interruption.ts'

/** Where the locks of a repository are. */
export function locksOf({ processes, runtime, secrets }: Host, directory: string): FolderLocks {
  return new FolderLocks({ folder: join(directory, stateFolder), processes, runtime, hide: secrets.hide })
}

/**
 * Runs a command that writes to the live service while no other one of this folder does, from before it reads what is
 * live until after its record is written. The lock is given back however the command ends, at a signal too.
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

/** What the command has done stands, whatever becomes of its lock. */
async function giveBack(host: Host, lock: { release(): Promise<'released' | 'lost'> }): Promise<void> {
  try {
    const end = await lock.release()
    if (end === 'lost') host.log.warn('somebody removed the lock of this command while it ran')
  } catch (error) {
    host.log.warn(escapeText(error instanceof Error ? error.message : String(error)))
  }
}
