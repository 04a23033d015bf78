import { setImmediate as nextTurn } from 'node:timers/promises'
import { loadConnections } from '../../api/index.ts'
import { type FileRead, StartedLists } from '../../core/read/started-lists.ts'
import type { LoadedSettings } from '../../yaml/index.ts'
import type { Repository, RepositoryFlags } from '../connection/repository-settings.ts'
import { connectQuietly, type SessionFlags, type Started } from '../connection/session.ts'
import type { Host } from '../host/host.ts'
import { openRepository, settingsFrom } from '../repository/repository.ts'
import { type Choice, isPart } from './target-filter.ts'

export interface EarlyRepository {
  readonly repository: Repository
  readonly started?: Started
}

/**
 * Reads a repository for a command that only reads the service, and asks the service while the files are parsed: each
 * takes about as long as the other. Nothing is asked for before the settings are right. What is wrong with the files, or
 * the connection, is told as ever; then the answers are not waited for. A plan of a part may need no list at all.
 */
export async function openRepositoryEarly(
  host: Host,
  flags: RepositoryFlags & SessionFlags & Choice,
): Promise<EarlyRepository> {
  if (flags.sandbox || isPart(flags))
    return { repository: await openRepository(host, flags, { policiesWarn: false }) }
  let started: Started | undefined
  const onSettled = async (
    settings: LoadedSettings,
  ): Promise<((file: FileRead) => Promise<void>) | undefined> => {
    const opened = await connectQuietly(host, flags, settingsFrom(host, flags, settings))
    if (!opened) return undefined
    // While files are parsed no module can be loaded. What is wrong with this one is told by the first request.
    await loadConnections().catch(() => undefined)
    const lists = new StartedLists(opened.client, host.stop)
    started = { ...opened, lists }
    return async file => {
      lists.sawFile(file)
      // Connections are opened, and requests leave, between turns of the loop; parsing files that are read already ends none.
      if (lists.areUnderWay) await nextTurn()
    }
  }
  try {
    const repository = await openRepository(host, flags, { onSettled, policiesWarn: false })
    return started ? { repository, started } : { repository }
  } catch (error) {
    await stopEarly(started)
    throw error
  }
}

/** Gives up what is still under way. */
export async function stopEarly(started: Started | undefined): Promise<void> {
  started?.lists.stop()
  await started?.client.close()
}
