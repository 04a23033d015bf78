import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type FleetMetrics, openFleetMetrics } from '../../fleet/fleet-metrics.ts'
import type { Store } from '../../fleet/index.ts'
import { type Job, Jobs } from '../../fleet/jobs.ts'
import { defaultFormat, notification, sendNotification } from '../../fleet/notify.ts'
import { parseListen, serveHealth } from '../../fleet/serve-health.ts'
import { openCheckouts } from '../../git/checkouts.ts'
import { remoteOf } from '../../git/files.ts'
import { runGit } from '../../git/run.ts'
import type { Settings } from '../../yaml/index.ts'
import type { SeveralFlags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { fannedOut } from '../plan/each-environment.ts'
import { failureOf, logLine } from '../plan/failure.ts'
import { type Reconciled, type ReconcileMode, reconcileEnvironment } from '../plan/reconcile-environment.ts'
import { chooseEnvironments } from '../repository/choose-environments.ts'
import { webhookAddress } from '../repository/connection.ts'
import { settingsAt } from '../repository/repository.ts'
import { storeOf } from '../repository/shared-store.ts'

export interface ReconcileFlags extends SeveralFlags {
  readonly every: string
  readonly mode: ReconcileMode
  /** The address of the repository; without it, the folder is read as it is. */
  readonly repo?: string
  /** The branch, tag or commit of environments whose settings name none. */
  readonly revision?: string
  readonly workDir?: string
  readonly listen: string
  /** How many environments at the same time. */
  readonly jobs: string
}

/**
 * `vexil reconcile`: keeps environments as declared until a signal. Any number of replicas share the jobs.
 *
 * | who       | does what, again and again                                                        |
 * |-----------|-----------------------------------------------------------------------------------|
 * | scheduler | fetches the repository, and adds a job for each environment once in each interval |
 * | worker    | takes the oldest job, plans or applies its environment, notes states and notifies |
 *
 * A mistake in one environment stops no other one. A store that is down stops work until it is back.
 */
export async function runReconcile(host: Host, flags: ReconcileFlags): Promise<ExitCode> {
  const everyMs = parseEvery(flags.every)
  const workers = parseJobs(flags.jobs)
  const listen = parseListen(flags.listen)
  const stop = new AbortController()
  const onInterrupt = fannedOut(host.onInterrupt)
  const close = onInterrupt(() => {
    if (!stop.signal.aborted) host.log.info('stopping: no new jobs, and running requests end')
    stop.abort()
  })
  const source = await openSource(host, flags, stop.signal)
  try {
    await source.update([])
    const store = await openStore(host, (await source.at(undefined)).directory)
    const metrics = await openFleetMetrics(host.runtime)
    const jobs = await Jobs.open({
      database: store.database,
      fleet: source.fleet,
      everySeconds: Math.round(everyMs / 1000),
    })
    const fleet = new Fleet({ host, flags, everyMs, source, store, metrics, jobs, stop: stop.signal, onInterrupt })
    const served = await serveHealth({ listen, ...fleet.served() })
    host.log.info(`reconciling every ${flags.every} in the mode ${flags.mode}; ${served.url}/healthz and /metrics`)
    try {
      await Promise.all([fleet.schedule(), ...Array.from({ length: workers }, () => fleet.work())])
    } finally {
      await Promise.all([served.close(), jobs.close().catch(() => {})])
    }
    return exitCode.done
  } finally {
    close()
    await source.close()
  }
}

async function openStore(host: Host, directory: string): Promise<Store> {
  const settings = await settingsAt(host, directory)
  const address = storeOf(host, settings ?? {})
  if (address !== undefined) return host.stores.open(address)
  throw new CommandError('reconcile needs a shared store; set `store` in vexil.yaml or VEXIL_STORE', exitCode.usage)
}

/** Where the declarations of each environment come from. */
interface Source {
  /** Replicas of the same repository share jobs. */
  readonly fleet: string
  /** Fetches what is new, and removes folders that are not in use. After an error, the last state remains. */
  update(inUse: Iterable<string>): Promise<void>
  /** The folder with vexil.yaml at a revision. */
  at(revision: string | undefined): Promise<{ readonly directory: string; readonly commit?: string }>
  close(): Promise<void>
}

async function openSource(host: Host, flags: ReconcileFlags, signal: AbortSignal): Promise<Source> {
  const { repo, revision, workDir, chdir = '.' } = flags
  if (repo === undefined) {
    if (revision !== undefined) throw new CommandError('--revision is for --repo', exitCode.usage)
    const directory = resolve(host.directory, chdir)
    const fleet = fleetName((await remoteAddress(host, directory)) ?? directory, chdir)
    return { fleet, async update() {}, at: async () => ({ directory }), async close() {} }
  }
  const folder = workDir === undefined ? await mkdtemp(join(tmpdir(), 'vexil-')) : resolve(host.directory, workDir)
  const checkouts = openCheckouts({ url: repo, folder, env: host.env, signal, within: chdir })
  if (URL.canParse(repo)) host.secrets.add(decodeURIComponent(new URL(repo).password))
  // The commits of the folders that were given out since the last update.
  let recent = new Set<string>()
  return {
    fleet: fleetName(repo.replace(/^(\w+:\/\/)[^/@]*@/, '$1'), chdir),
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
  return found?.is === 'done' ? found.text.trim().replace(/^(\w+:\/\/)[^/@]*@/, '$1') : undefined
}

function fleetName(repository: string, within: string): string {
  return createHash('sha256').update(JSON.stringify([repository, within])).digest('hex').slice(0, 16)
}

interface FleetOptions {
  readonly host: Host
  readonly flags: ReconcileFlags
  readonly everyMs: number
  readonly source: Source
  readonly store: Store
  readonly metrics: FleetMetrics
  readonly jobs: Jobs
  readonly stop: AbortSignal
  readonly onInterrupt: Host['onInterrupt']
}

/** One replica. */
class Fleet {
  readonly #options: FleetOptions
  #settings: Settings | undefined
  /** The commits of running jobs. */
  readonly #inUse = new Map<string, string>()
  #scheduledAt: number
  #isDown = false

  constructor(options: FleetOptions) {
    this.#options = options
    this.#scheduledAt = options.host.runtime.now()
  }

  /** Adds jobs until the signal. */
  async schedule(): Promise<void> {
    const { host, everyMs, metrics, jobs, stop, source } = this.#options
    while (!stop.aborted) {
      await this.#guarded(async () => {
        await source.update(this.#inUse.values()).catch(error => this.#report(error))
        const names = await this.#environments()
        await jobs.add(names)
        metrics.keep(names)
        metrics.jobsWaiting(await jobs.waiting())
        this.#scheduledAt = host.runtime.now()
      })
      await host.runtime.sleep(Math.min(everyMs / 5, longestPauseMs), stop).catch(() => {})
    }
  }

  /** Takes and does jobs until the signal. */
  async work(): Promise<void> {
    const { host, jobs, stop } = this.#options
    while (!stop.aborted) {
      const job = await this.#guarded(() => jobs.next())
      this.#noteStore()
      if (job) await this.#guarded(() => this.#run(job))
      else await host.runtime.sleep((0.5 + host.runtime.random()) * idleMs, stop).catch(() => {})
    }
  }

  served(): Pick<Parameters<typeof serveHealth>[0], 'health' | 'metrics'> {
    const { host, everyMs, metrics, stop } = this.#options
    return {
      health: () => {
        const silentMs = host.runtime.now() - this.#scheduledAt
        const isStuck = silentMs > Math.max(2 * everyMs, 5 * 60_000)
        return {
          ok: !isStuck && !stop.aborted,
          body: { store: this.#isDown ? 'down' : 'up', scheduled_seconds_ago: Math.round(silentMs / 1000) },
        }
      },
      metrics: async () => ({ text: await metrics.text(), contentType: metrics.contentType }),
    }
  }

  async #environments(): Promise<readonly string[]> {
    const { host, flags, source } = this.#options
    const { directory: chdir } = await source.at(undefined)
    const { names, settings } = await chooseEnvironments(host, { env: flags.env, shard: flags.shard, chdir })
    this.#settings = settings
    return names
  }

  async #run(job: Job): Promise<void> {
    const { host, flags, source, store, metrics, jobs, onInterrupt, stop } = this.#options
    const { environment } = job
    const settings = this.#settings
    const known = settings?.environments.find(({ name }) => name === environment)
    // Another replica has read a newer state of the repository.
    if (!settings || !known) return settings ? jobs.done(job) : jobs.postpone(job)
    const startedAt = host.runtime.now()
    const { directory, commit } = await source.at(known.revision)
    if (commit !== undefined) this.#inUse.set(job.id, commit)
    const one = { environment, directory, mode: flags.mode, store, onInterrupt }
    const ended = await reconcileEnvironment(host, one).finally(() => this.#inUse.delete(job.id))
    if (ended.is === 'busy') {
      host.log.debug(`${environment} is put off: ${ended.why}`, { environment })
      metrics.postponed(environment)
      return jobs.postpone(job)
    }
    const finishedAtMs = host.runtime.now()
    if (ended.result !== 'stopped') {
      const { counts, requests, result } = ended
      metrics.ended({ environment, result, seconds: (finishedAtMs - startedAt) / 1000, ...counts, requests, finishedAtMs })
      host.log.info(`${environment}: ${wordsOf[result]}, ${requests} requests`, { environment })
      await this.#noteStates(environment, settings, ended)
    }
    await (ended.isAgain ? jobs.failed(job) : jobs.done(job))
    if (stop.aborted) host.log.debug(`${environment} has ended`, { environment })
  }

  /** Notes what has begun or ended, and sends one message for each of these. */
  async #noteStates(environment: string, settings: Settings, { target, states, place, commit }: Reconciled) {
    const { host, store } = this.#options
    if (!target) return
    for (const seen of states) {
      const isNew = await store.states.note(target, environment, seen)
      const { notify } = settings
      if (!isNew || !notify?.on.includes(seen.state)) continue
      const url = webhookAddress(host.env, settings)
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
      const warning = await sendNotification({ url, body, runtime, hide: secrets.hide, proxyEnvironment: env })
      if (warning !== undefined) host.log.warn(`${environment}: ${warning}`, { environment })
    }
  }

  /** Reports an error in one line. Nothing ends the process but a signal. */
  async #guarded<Made>(run: () => Promise<Made>): Promise<Made | undefined> {
    try {
      return await run()
    } catch (error) {
      await this.#report(error)
      return undefined
    } finally {
      this.#noteStore()
    }
  }

  async #report(error: unknown): Promise<void> {
    const { host, stop } = this.#options
    if (stop.aborted || this.#isDown) return
    const failure = await failureOf(error)
    if (failure.line !== undefined) logLine(host, failure.line, failure)
  }

  /** Reports once that the store is down, and once that it is back. */
  #noteStore(): void {
    const { host, jobs, metrics } = this.#options
    const isDown = jobs.failure !== undefined
    metrics.storeUp(!isDown)
    if (isDown === this.#isDown) return
    this.#isDown = isDown
    if (isDown) host.log.error(`${jobs.failure instanceof Error ? jobs.failure.message : 'the store failed'}; waiting for it`)
    else host.log.info('the store is back')
  }
}

const wordsOf = {
  as_declared: 'as declared',
  drift: 'drift',
  conflict: 'a conflict needs a decision',
  failed: 'failed',
} as const

const longestPauseMs = 30_000
const idleMs = 1_000

function parseEvery(text: string): number {
  const [, number, unit] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? []
  const ms = Number(number) * (unit === 'h' ? 3_600_000 : unit === 'm' ? 60_000 : 1_000)
  if (ms >= 1_000 && ms <= 24 * 3_600_000) return ms
  throw new CommandError(`--every takes a time such as 30s, 5m or 1h, up to 24h; not "${text}"`, exitCode.usage)
}

function parseJobs(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  throw new CommandError(`--jobs takes a number from 1 to 99, not "${text}"`, exitCode.usage)
}
