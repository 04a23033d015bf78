import type { JournalCopy } from '../../core/record/journal.ts'
import type { Run } from '../../core/record/run.ts'
import type { PaceLimits, Store } from '../../fleet/index.ts'
import { StoreError } from '../../fleet/store-error.ts'
import { messageOf } from '../../model/text/message-of.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { type Connection, storeAddress } from './connection.ts'
import type { RepositorySettings } from './repository-settings.ts'

type StorePlace = Pick<RepositorySettings, 'store'>

/** The address of the shared store; undefined if there is none, or if the command line goes without it. */
export function storeOf({ env, arguments: words }: Host, place: StorePlace): string | undefined {
  return words.includes(withoutStore) ? undefined : storeAddress(env, place)
}

const withoutStore = '--without-store'

/** The store for a command that writes; undefined if there is none. Throws if it cannot be used. */
export async function requireStore(host: Host, place: StorePlace): Promise<Store | undefined> {
  const address = storeOf(host, place)
  if (address === undefined) {
    if (storeAddress(host.env, place) !== undefined)
      host.log.warn('written without the shared store: other runners may write at the same time')
    return undefined
  }
  try {
    return await host.stores.open(address)
  } catch (error) {
    throw refusedBy(error)
  }
}

/** Why a command does not write, with the remedy; other errors stay as they are. */
export function refusedBy(error: unknown): unknown {
  return error instanceof StoreError ? refusedFor(error.message) : error
}

export function refusedFor(why: string): CommandError {
  const words = `refusing to write: ${why}; ${withoutStore} writes with the lock of this folder alone`
  return new CommandError(words, exitCode.refused)
}

/** Begins the copy of a journal in the store, which other machines read if this one is killed. */
export async function journalCopy(host: Host, place: StorePlace, run: Run): Promise<JournalCopy | undefined> {
  // In an incident, a flag can be switched off although the store is down.
  const isUrgent = run.command === 'disable' || run.command === 'enable'
  try {
    const address = storeOf(host, place)
    if (address === undefined) return undefined
    const append = await (await host.stores.open(address)).runs.begin(run)
    return isUrgent ? lines => append(lines).catch(() => {}) : append
  } catch (error) {
    if (!isUrgent) throw refusedBy(error)
    host.log.warn(`other runners do not see this run yet: ${messageOf(error)}`)
    return undefined
  }
}

/** The pace of a key for all runners; undefined without a store, or if it cannot be reached. */
export async function sharedPace(
  host: Host,
  place: Pick<RepositorySettings, 'store' | 'pace'>,
  connection: Connection,
) {
  const address = storeOf(host, place)
  if (address === undefined) return undefined
  const warn = (error: unknown) => host.log.warn(`the pace of the key is not shared now: ${messageOf(error)}`)
  try {
    const store = await host.stores.open(address)
    return store.pace(connection, { ...(await knownLimits(connection)), ...place.pace }, warn)
  } catch {
    // The reading of runs has the same failure, and reports it.
    return undefined
  }
}

/** The limits of the service for one key, as far as its profile is given. */
async function knownLimits({ profile }: Connection): Promise<PaceLimits> {
  const { limits } = await import('../../services/facts.ts')
  const all = profile === 'auto' ? [] : limits[profile]
  const known = all.find(({ of, each }) => of === 'requests' && each === 'key')
  return { perMinute: known?.perMinute, perHour: known?.perHour }
}
