import { basename, resolve } from 'node:path'
import { type FoundLock, ownerState, ownerText } from '../../core/apply/locks.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { locksOf, requireYes } from '../plan/run-record.ts'

/**
 * `vexil unlock [LOCK]`: removes the lock of a command that has ended, if that cannot be detected. A command
 * that still runs on this machine keeps its lock: ending the command releases it.
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
  // People see the lock before the question. In a document it is a member.
  const stream = flags.format === undefined ? host.stdout : host.stderr
  stream.write(`${name}: ${whose ?? 'it does not say whose it is'}\n`)
  if (owner && (await ownerState(owner, host.processes)) === 'running') {
    const message = `refusing to remove it: process ${owner.pid} runs on this machine; wait for it or end it; its lock ends with it`
    throw new CommandError(message, exitCode.refused)
  }
  await requireYes(host, 'unlock', flags)
  if ((await locks.remove(lock)) === 'changed') {
    throw new CommandError('it is another lock by now; nothing was removed', exitCode.stale)
  }
  await print(host, flags, { is: 'unlock', removed: { lock: name, ...(whose && { owner: whose }) } })
  return exitCode.done
}

function chooseLock(all: readonly FoundLock[], named: string | undefined): FoundLock | undefined {
  const names = all.map(({ path }) => basename(path)).sort()
  if (named !== undefined) {
    const found = all.find(({ path }) => basename(path) === basename(named))
    if (found) return found
    throw new CommandError(`"${named}" is no lock that is held here; ${heldText(names)}`)
  }
  if (all.length > 1) {
    throw new CommandError(`several locks are held here; name one of ${names.join(', ')}`, exitCode.usage)
  }
  return all[0]
}

function heldText(names: readonly string[]): string {
  return names.length === 0 ? 'none is' : `these are: ${names.join(', ')}`
}
