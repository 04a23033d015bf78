import { basename, resolve } from 'node:path'
import { type FoundLock, ownerState, ownerText } from '../../core/apply/locks.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { locksOf, requireYes } from '../plan/run-record.ts'

/**
 * `vexil unlock [LOCK]`: removes the lock of a killed command, if Vexil could not detect that it has ended. A
 * command that still runs on this machine keeps its lock.
 */
export async function runUnlock(host: Host, named: string | undefined, flags: Flags): Promise<ExitCode> {
  const locks = locksOf(host, resolve(host.directory, flags.chdir ?? '.'))
  const lock = chooseLock(await locks.list(), named)
  if (!lock) {
    await print(host, flags, { is: 'unlock', removed: null })
    return exitCode.done
  }
  const { owner } = lock
  const name = basename(lock.path)
  const whose = owner && ownerText(owner, host.runtime.now())
  // People must see the lock before they approve. Documents contain it.
  const stream = flags.format === undefined ? host.stdout : host.stderr
  stream.write(`${name}: ${whose ?? 'it names no owner'}\n`)
  if (owner && (await ownerState(owner, host.processes)) === 'running') {
    const message = `refusing to remove the lock: its process ${owner.pid} still runs on this machine; wait for the process or end it, which releases the lock`
    throw new CommandError(message, exitCode.refused)
  }
  await requireYes(host, 'unlock', flags)
  if ((await locks.remove(lock)) === 'changed') {
    throw new CommandError('another command holds the lock by now; nothing was removed', exitCode.stale)
  }
  await print(host, flags, { is: 'unlock', removed: { lock: name, ...(whose && { owner: whose }) } })
  return exitCode.done
}

function chooseLock(all: readonly FoundLock[], named: string | undefined): FoundLock | undefined {
  const names = all.map(({ path }) => basename(path)).sort()
  if (named !== undefined) {
    const found = all.find(({ path }) => basename(path) === basename(named))
    if (found) return found
    throw new CommandError(`"${named}" is not a lock that is held here; ${heldText(names)}`)
  }
  if (all.length > 1) {
    throw new CommandError(`several locks are held here; name one of ${names.join(', ')}`, exitCode.usage)
  }
  return all[0]
}

function heldText(names: readonly string[]): string {
  return names.length === 0 ? 'none is' : `these are: ${names.join(', ')}`
}
