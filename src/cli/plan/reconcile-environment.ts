import { countsOfLiveEdits } from '../../core/live-edits/live-edit.ts'
import { targetText } from '../../core/target.ts'
import { paceKey, type SeenState, type Store } from '../../fleet/index.ts'
import { within } from '../../model/runtime.ts'
import type { Document, PlanDocument } from '../../report/document.ts'
import { countEvents } from '../../report/lines/run-report.ts'
import type { Flags } from '../command-options.ts'
import { runApply } from '../commands/apply.ts'
import { runPlan } from '../commands/plan.ts'
import { blockedCode, CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import { type Host, interruptible } from '../host/host.ts'
import type { Note } from '../host/log.ts'
import { resolveConnection } from '../repository/connection.ts'
import { openSettings } from '../repository/repository.ts'
import { quietHost, sharing } from './each-environment.ts'
import { failureOf, logFailure } from './failure.ts'
import { LockedError, lockOwner } from './run-record.ts'

export type ReconcileMode = 'report' | 'apply'

export interface Reconciling {
  readonly environment: string
  /** The folder with vexil.yaml. */
  readonly directory: string
  readonly mode: ReconcileMode
  readonly store: Store
  readonly onInterrupt: Host['onInterrupt']
}

/** What one job has found and done. */
export interface Reconciled {
  readonly is: 'reconciled'
  /** `stopped`: by a signal, or since the lock was lost. Then nothing is known. */
  readonly result: 'as_declared' | 'drift' | 'conflict' | 'failed' | 'stopped'
  readonly states: readonly SeenState[]
  /** For people. */
  readonly place: string
  readonly commit?: string | undefined
  readonly counts: {
    readonly changes: number
    readonly held: number
    readonly conflicts: number
    readonly drift: number
  }
  readonly requests: number
  /** Whether it is to be tried again soon. */
  readonly isAgain: boolean
  /** The name of the key that this job used. */
  readonly freed?: string | undefined
}

/** The key or the place is in use by another job or command. */
export interface Busy {
  readonly is: 'busy'
  readonly why: string
  /** The name of the key that another job uses. */
  readonly waitsFor?: string
  readonly freed?: string | undefined
}

/**
 * Plans or applies one environment, as `vexil plan` and `vexil apply --auto-approve` do. Only one job at a time
 * uses a key, on all machines: two would only wait for each other's requests.
 */
export function reconcileEnvironment(host: Host, job: Reconciling): Promise<Reconciled | Busy> {
  const attributes = { 'vexil.environment': job.environment, 'vexil.mode': job.mode }
  return within(host.runtime, 'reconcile', { isRoot: true, attributes }, async span => {
    const ended = await reconcileOne(host, job)
    if (ended.is === 'reconciled') {
      span.set({ 'vexil.result': ended.result, 'vexil.changes': ended.counts.changes })
      if (ended.result === 'failed') span.fail('failed')
    } else span.set({ 'vexil.result': 'busy' })
    return ended
  })
}

async function reconcileOne(host: Host, { environment, directory, mode, store, onInterrupt }: Reconciling) {
  const ends = new Map<string, () => Promise<void>>()
  const found = new Found()
  const own = quietHost(host, {
    onInterrupt,
    take: note => noteOf(host, environment, note),
    several: {
      ...sharing(new Map(), ends),
      approve: async () => false,
      onRequest: () => {
        found.requests += 1
      },
    },
    onDocument: document => found.take(document),
  })
  const flags: Flags = { chdir: directory, env: environment, autoApprove: true, input: false, onlyNews: true }
  try {
    const settings = await openSettings(own, flags)
    const { baseUrl, project, organization } = settings.connection
    if (baseUrl !== undefined)
      found.place = targetText({ baseUrl, projectId: project, organizationId: organization, profile: '' })
    const connection = await resolveConnection(flags, own, settings.connection, directory)
    own.secrets.add(connection.apiKey)
    const owner = await lockOwner(own, `reconcile ${mode}`, environment)
    const key = paceKey(connection.baseUrl, connection.apiKey)
    const lock = await store.locks.acquire(lockOfKey(key), owner)
    if (lock.is === 'refused') return { is: 'busy', why: 'its key is in use', waitsFor: key } as const
    found.freed = key
    try {
      found.code =
        mode === 'apply'
          ? await runApply(own, undefined, flags)
          : await interruptible(own, stopping => runPlan(stopping, flags))
    } finally {
      for (const end of [...ends.values()].reverse()) await end()
      await lock.release()
    }
  } catch (error) {
    if (error instanceof LockedError) {
      return { is: 'busy', why: 'its place is in use', freed: found.freed } as const
    }
    // It may have been replaced.
    host.keysOfCommands.clear()
    await found.fail(own, error)
    if (error instanceof Error && !(error instanceof CommandError)) own.log.debug(error.stack ?? '')
  }
  return found.summary()
}

/** The result of a job that could not begin. */
export async function failedBefore(host: Host, environment: string, error: unknown): Promise<Reconciled> {
  const found = new Found()
  const log = host.log.collecting(note => noteOf(host, environment, note))
  await found.fail({ log, secrets: host.secrets }, error)
  return found.summary()
}

/** Writes a message of one environment. */
function noteOf({ log }: Host, environment: string, { level, text, fields }: Note): void {
  const shown = log.isJson ? text : `${environment}: ${text.replace(/^vexil: /, '')}`
  log.writeNote({ level, text: shown, fields: { ...fields, environment } })
}

function isStop(code: ExitCode): boolean {
  return code === exitCode.interrupted || code === exitCode.terminated
}

/** The name of the lock of a key. */
export function lockOfKey(key: string): string {
  return `key ${key}`
}

/** Collects what the command of one environment hands over. */
class Found {
  requests = 0
  code: ExitCode = exitCode.done
  reason: string | undefined
  freed: string | undefined
  place = 'an unknown place'
  #plan: PlanDocument | undefined
  /** How many changes a run has left; undefined without one. */
  #left: number | undefined
  #hasFailed = false

  take(document: Document): void {
    if (document.is === 'plan') this.#plan = document
    if (document.is !== 'run') return
    const { failed, pending, stale, skipped } = countEvents(document.events)
    this.#left = failed + pending + stale + skipped
    const failure = document.events.find(event => event.type === 'change_failed')
    if (failure && 'failure' in failure) this.reason = failure.failure.text
  }

  async fail({ log, secrets }: Pick<Host, 'log' | 'secrets'>, error: unknown): Promise<void> {
    const { exitCode: code, errors, line } = await failureOf(error)
    this.code = code
    this.#hasFailed = true
    this.reason = secrets.hide(errors[0]?.message ?? line ?? 'unknown reason')
    if (!isStop(code)) await logFailure({ log }, error)
  }

  summary(): Reconciled {
    const { code, place, requests, freed } = this
    const plan = this.#plan?.plan
    const { held = 0, conflict = 0 } = countsOfLiveEdits(plan?.liveEdits ?? [])
    const refused = (plan?.blocked ?? []).filter(
      one => blockedCode({ blocked: [one], liveEdits: [] }) !== exitCode.done,
    )
    const [changes, conflicts] = [plan?.changes.length ?? 0, conflict + refused.length]
    const left = this.#left ?? changes
    const drift = held + left
    const isStopped = isStop(code)
    const isFailed =
      this.#hasFailed ||
      !plan ||
      [exitCode.error, exitCode.partly, exitCode.usage].some(each => each === code)
    const commit = this.#plan?.meta.commit
    const rule = refused[0]?.rule
    const states: SeenState[] = [
      { state: 'failed', isOn: isFailed, objects: left, reason: this.reason, commit },
      // After a failure before the plan, nothing is known of the objects.
      ...(plan
        ? [
            { state: 'drift', isOn: drift > 0, objects: drift, commit } as const,
            { state: 'conflict', isOn: conflicts > 0, objects: conflicts, reason: rule, commit } as const,
          ]
        : []),
    ]
    const worst = (['failed', 'conflict', 'drift'] as const).find(name =>
      states.some(({ state, isOn }) => state === name && isOn),
    )
    return {
      is: 'reconciled',
      result: isStopped ? 'stopped' : (worst ?? 'as_declared'),
      states: isStopped ? [] : states,
      place,
      commit,
      counts: { changes: changes - left, held, conflicts, drift },
      requests,
      freed,
      isAgain: isStopped || isFailed || code === exitCode.stale,
    }
  }
}
