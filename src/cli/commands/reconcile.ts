import { setMaxListeners } from 'node:events'
import { openFleetMetrics } from '../../fleet/fleet-metrics.ts'
import type { Store } from '../../fleet/index.ts'
import { Jobs } from '../../fleet/jobs.ts'
import { defaultFormat, notification, sendNotification } from '../../fleet/notify.ts'
import { serveHealth } from '../../fleet/serve-health.ts'
import { messageOf } from '../../model/text/message-of.ts'
import type { Settings } from '../../yaml/index.ts'
import type { SeveralFlags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host, Signal } from '../host/host.ts'
import { fannedOut } from '../plan/each-environment.ts'
import { Fleet } from '../plan/fleet.ts'
import { FleetEnvironments } from '../plan/fleet-environments.ts'
import {
  failedBefore,
  lockOfKey,
  type Reconciled,
  type ReconcileMode,
  reconcileEnvironment,
} from '../plan/reconcile-environment.ts'
import { webhookAddress } from '../repository/connection.ts'
import { openSource, type SourceFlags, sharedWork } from '../repository/declared-source.ts'
import { settingsAt } from '../repository/repository.ts'
import { storeOf } from '../repository/shared-store.ts'

export interface ReconcileFlags extends SeveralFlags, SourceFlags {
  readonly every: string
  readonly mode: ReconcileMode
  readonly listen: string
  /** How many environments at the same time. */
  readonly jobs: string
}

/** `vexil reconcile`: keeps environments as declared until a signal. Any number of replicas share the jobs. */
export async function runReconcile(host: Host, flags: ReconcileFlags): Promise<ExitCode> {
  const everyMs = parseEvery(flags.every)
  const workers = parseJobs(flags.jobs)
  const { mode, listen } = flags
  const stop = new AbortController()
  // Each waiting worker listens to it; Node warns of a leak from eleven listeners on.
  setMaxListeners(0, stop.signal)
  const onInterrupt = fannedOut(host.onInterrupt)
  let received: Signal | undefined
  const close = onInterrupt(signal => {
    if (!stop.signal.aborted) host.log.info('stopping: no new jobs, and running requests end')
    received = signal
    stop.abort()
  })
  // A job that listens only after the signal gets it too.
  const onStop: Host['onInterrupt'] = listener => {
    const signal = received
    if (signal) queueMicrotask(() => listener(signal))
    return onInterrupt(listener)
  }
  const source = await openSource(host, flags, stop.signal)
  try {
    await source.update([])
    const environments = new FleetEnvironments(host, flags, source, stop.signal)
    // A mistake in the files is reported below, and may be mended; one of the command line is not.
    const mistake = await environments.read().then(
      () => undefined,
      (error: unknown) => error,
    )
    const address = await addressOfStore(host, (await source.at(undefined)).directory)
    if (address === undefined || (mistake instanceof CommandError && mistake.code === exitCode.usage))
      throw mistake ?? new CommandError(needsStore, exitCode.usage)
    const store = await host.stores.open(address)
    // The settings of a revision may lack the store, or name another one.
    const sharing = { ...host, env: { ...host.env, VEXIL_STORE: address } }
    const metrics = await openFleetMetrics()
    const jobs = await Jobs.open({
      ...{ database: store.database, everySeconds: Math.round(everyMs / 1000) },
      fleet: sharedWork(source.fleet, flags),
    })
    const note = (environment: string, seen: Seen) =>
      noteStates(
        host,
        store,
        { ...seen, fleet: source.fleet, environment, notify: environments.notify },
        stop.signal,
      )
    const fleet = new Fleet({
      ...{ host, everyMs, jobs, metrics, stop: stop.signal },
      async environments(inUse) {
        const removed = await environments.update(inUse)
        const on = removed.length > 0 ? await store.states.on(source.fleet) : []
        for (const { environment, state } of on.filter(each => removed.includes(each.environment)))
          await note(environment, {
            states: [{ state, isOn: false, objects: 0 }],
            place: 'no longer declared',
          })
        return environments.names
      },
      states: () => store.states.on(source.fleet),
      placeOf: environment => environments.placeOf(environment),
      reconcile: (environment, { directory }) =>
        reconcileEnvironment(sharing, { environment, directory, mode, store, onInterrupt: onStop }),
      failed: (environment, error) => failedBefore(host, environment, error),
      isKeyFree: async key => (await store.locks.ownerOf(lockOfKey(key))) === undefined,
      async note(environment, ended, agoMs) {
        // It may have been removed while its job ran.
        if (environments.has(environment)) await note(environment, { ...ended, agoMs })
      },
    })
    try {
      const served = await serveHealth({ listen, ...fleet.served() })
      host.log.info(
        `reconciling every ${flags.every} in the mode ${mode}: ${served.url}/healthz, ${served.url}/metrics`,
      )
      const working = Array.from({ length: workers }, () => fleet.work())
      await Promise.all([fleet.schedule(), ...working]).finally(() => served.close())
    } finally {
      await jobs.close().catch(() => {})
    }
    return exitCode.done
  } catch (error) {
    // A signal also stops the beginning, such as the first clone.
    if (stop.signal.aborted) return exitCode.done
    throw error
  } finally {
    close()
    await source.close()
  }
}

interface Seen extends Pick<Reconciled, 'states' | 'place' | 'commit'> {
  /** Since when its job ran. */
  readonly agoMs?: number
}

interface Noted extends Seen {
  readonly fleet: string
  readonly environment: string
  readonly notify: Settings['notify']
}

/** Notes what has begun or ended, and sends one message for each of these. */
async function noteStates(
  host: Host,
  store: Store,
  { fleet, environment, notify, states, place, commit, agoMs }: Noted,
  signal: AbortSignal,
): Promise<void> {
  for (const seen of states) {
    const isNew = await store.states.note(fleet, environment, seen, agoMs)
    if (!isNew || !notify?.on.includes(seen.state)) continue
    const url = webhookOrWarning(host, notify)
    if (url === undefined) continue
    const { state, isOn, objects, reason } = seen
    const body = notification(
      {
        ...{ environment, state, is: isOn ? 'begun' : 'ended', atMs: host.runtime.now(), objects, place },
        ...(reason === undefined || !isOn ? {} : { reason }),
        ...(commit === undefined ? {} : { commit }),
      },
      notify.format ?? defaultFormat(url),
    )
    const { runtime, secrets, env } = host
    const connection = { url, runtime, signal, proxyEnvironment: env }
    const warning = await sendNotification({ ...connection, body, hide: secrets.hide })
    if (warning !== undefined) host.log.warn(`${environment}: ${warning}`, { environment })
  }
}

/** The address of the webhook. Its variable was set when this process began, but settings change. */
function webhookOrWarning(host: Host, notify: Settings['notify']): string | undefined {
  try {
    return webhookAddress(host, { notify })
  } catch (error) {
    host.log.warn(messageOf(error))
    return undefined
  }
}

async function addressOfStore(host: Host, directory: string): Promise<string | undefined> {
  const settings = await settingsAt(host, directory)
  webhookAddress(host, settings ?? {})
  return storeOf(host, settings ?? {})
}

const needsStore = 'reconcile needs a shared store; set `store` in vexil.yaml or VEXIL_STORE'

function parseEvery(text: string): number {
  const [, number, unit] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? []
  const ms = Number(number) * (unit === 'h' ? 3_600_000 : unit === 'm' ? 60_000 : 1_000)
  if (ms >= 1_000 && ms <= 24 * 3_600_000) return ms
  throw new CommandError(
    `--every takes a time such as 30s, 5m or 1h, up to 24h; not "${text}"`,
    exitCode.usage,
  )
}

function parseJobs(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  throw new CommandError(`--jobs takes a number from 1 to 99, not "${text}"`, exitCode.usage)
}
