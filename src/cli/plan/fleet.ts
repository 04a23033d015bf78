import type { FleetMetrics, StateOn } from '../../fleet/fleet-metrics.ts'
import type { Job, Jobs } from '../../fleet/jobs.ts'
import type { HealthOptions } from '../../fleet/serve-health.ts'
import { counted } from '../../report/line-text.ts'
import type { Host } from '../host/host.ts'
import { logFailure } from './failure.ts'
import type { Busy, Reconciled } from './reconcile-environment.ts'

/** What a replica works with. A simulation has its own. */
export interface FleetParts {
  readonly host: Host
  readonly everyMs: number
  readonly jobs: Pick<Jobs, 'add' | 'next' | 'done' | 'failed' | 'postpone' | 'wake' | 'waiting' | 'failure'>
  readonly metrics: FleetMetrics
  readonly stop: AbortSignal
  /** Fetches what is new, and returns the environments. `inUse`: the commits of running jobs. */
  environments(inUse: Iterable<string>): Promise<readonly string[]>
  /** The states that are on, whichever replica found them. */
  states(): Promise<readonly StateOn[]>
  /** The checkout of an environment; undefined if it is no longer declared. */
  placeOf(environment: string): Promise<Place | undefined>
  reconcile(environment: string, place: Place): Promise<Reconciled | Busy>
  /** The result of a job whose environment has no checkout. */
  failed(environment: string, error: unknown): Promise<Reconciled>
  isKeyFree(key: string): Promise<boolean>
  /** Notes what has begun or ended, and notifies. */
  note(environment: string, ended: Reconciled, elapsedMs: number): Promise<void>
}

export interface Place {
  readonly directory: string
  readonly commit?: string
}

/** One replica. */
export class Fleet {
  readonly #parts: FleetParts
  /** The commits of running jobs. */
  readonly #inUse = new Map<string, string>()
  #scheduledAt: number
  #isDown = false

  constructor(parts: FleetParts) {
    this.#parts = parts
    this.#scheduledAt = parts.host.runtime.now()
  }

  /** Adds jobs until the signal. */
  async schedule(): Promise<void> {
    const { host, everyMs, metrics, jobs, stop, environments, states } = this.#parts
    while (!stop.aborted) {
      await this.#guarded(async () => {
        const names = await environments(this.#inUse.values())
        await jobs.add(names)
        metrics.states(names, await states())
        metrics.jobsWaiting(await jobs.waiting())
      })
      this.#scheduledAt = host.runtime.now()
      await host.runtime.sleep(Math.min(everyMs / 5, longestPauseMs), stop).catch(() => {})
    }
  }

  /** Takes and does jobs until the signal. */
  async work(): Promise<void> {
    const { host, jobs, stop } = this.#parts
    while (!stop.aborted) {
      const job = await this.#guarded(() => jobs.next())
      if (job) await this.#guarded(() => this.#run(job).catch(error => this.#again(job, error)))
      else await host.runtime.sleep((0.5 + host.runtime.random()) * idleMs, stop).catch(() => {})
    }
  }

  served(): Pick<HealthOptions, 'health' | 'metrics'> {
    const { host, everyMs, metrics, stop } = this.#parts
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

  async #run(job: Job): Promise<void> {
    const { host, metrics, jobs, reconcile, isKeyFree } = this.#parts
    const { environment } = job
    const startedAt = host.runtime.now()
    const place = await this.#placeOf(job)
    if (!place) return
    if (place.commit !== undefined) this.#inUse.set(job.id, place.commit)
    const ended = await reconcile(environment, place).finally(() => this.#inUse.delete(job.id))
    try {
      if (ended.is === 'busy') {
        host.log.debug(`${environment} is put off: ${ended.why}`, { environment })
        metrics.postponed(environment)
        await jobs.postpone(job, ended.waitsFor)
        // It may have become free before the job was put off.
        if (ended.waitsFor !== undefined && (await isKeyFree(ended.waitsFor))) await jobs.wake(ended.waitsFor)
      } else await this.#ended(job, ended, host.runtime.now() - startedAt)
    } finally {
      if (ended.freed !== undefined) await jobs.wake(ended.freed)
    }
  }

  /** Tries a job again whose result could not be noted. */
  async #again(job: Job, error: unknown): Promise<never> {
    await this.#parts.jobs.failed(job).catch(() => {})
    throw error
  }

  /** The checkout of a job; undefined if the job has ended, since there is none. */
  async #placeOf(job: Job): Promise<Place | undefined> {
    const { jobs, stop, placeOf, failed } = this.#parts
    try {
      const place = await placeOf(job.environment)
      if (!place) await jobs.done(job)
      return place
    } catch (error) {
      // A signal stops git, which is no failure of the environment.
      if (stop.aborted) await jobs.failed(job)
      else await this.#ended(job, await failed(job.environment, error), 0)
      return undefined
    }
  }

  async #ended(job: Job, ended: Reconciled, elapsedMs: number): Promise<void> {
    const { host, metrics, jobs, note } = this.#parts
    const { environment } = job
    if (ended.result !== 'stopped') {
      const { counts, requests, result } = ended
      metrics.ended({
        environment,
        result,
        seconds: elapsedMs / 1000,
        ...counts,
        requests,
        finishedAtMs: host.runtime.now(),
      })
      host.log.info(`${environment}: ${wordsOf[result]}, ${counted(requests, 'request')}`, { environment })
      await note(environment, ended, elapsedMs)
    }
    await (ended.isAgain ? jobs.failed(job) : jobs.done(job))
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
    const { host, stop } = this.#parts
    if (stop.aborted || this.#isDown) return
    await logFailure(host, error)
  }

  /** Reports once that the store is down, and once that it is back. */
  #noteStore(): void {
    const { host, jobs, metrics } = this.#parts
    const isDown = jobs.failure !== undefined
    metrics.storeUp(!isDown)
    if (isDown === this.#isDown) return
    this.#isDown = isDown
    if (isDown)
      host.log.error(
        `${jobs.failure instanceof Error ? jobs.failure.message : 'the store failed'}; waiting for it`,
      )
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
