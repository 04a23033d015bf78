/** The result of one reconciliation of an environment. */
export type ReconcileResult = (typeof results)[number]

export const results = ['as_declared', 'drift', 'conflict', 'failed'] as const
const states = ['drift', 'conflict', 'failed'] as const

interface MetricDescription {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** Labels, with their values if these are known. */
  readonly labels: readonly string[]
  readonly help: string
}

/** Every metric of a fleet, besides those of the process. Its documentation is computed from this table. */
export const fleetMetrics = {
  reconciled: {
    name: 'vexil_reconcile_total',
    kind: 'counter',
    labels: ['environment', 'result'],
    help: 'Finished reconciliations, by result: as_declared, drift, conflict or failed.',
  },
  seconds: {
    name: 'vexil_reconcile_duration_seconds',
    kind: 'histogram',
    labels: [],
    help: 'How long reconciliations took.',
  },
  lastSuccess: {
    name: 'vexil_reconcile_last_success_timestamp_seconds',
    kind: 'gauge',
    labels: ['environment'],
    help: 'When the last reconciliation ended that did not fail.',
  },
  state: {
    name: 'vexil_environment_state',
    kind: 'gauge',
    labels: ['environment', 'state'],
    help: 'Whether an environment has a state: drift, conflict or failed. 1 is yes, 0 is no.',
  },
  drift: {
    name: 'vexil_drift_objects',
    kind: 'gauge',
    labels: ['environment'],
    help: 'Objects that differ from their declarations, from the last reconciliation that could compare.',
  },
  held: {
    name: 'vexil_held_objects',
    kind: 'gauge',
    labels: ['environment'],
    help: 'Objects with at least one held field.',
  },
  conflicts: {
    name: 'vexil_conflict_objects',
    kind: 'gauge',
    labels: ['environment'],
    help: 'Objects with a conflict between the product and the repository.',
  },
  changes: {
    name: 'vexil_changes_total',
    kind: 'counter',
    labels: ['environment'],
    help: 'Changes that reconciliations made.',
  },
  requests: {
    name: 'vexil_requests_total',
    kind: 'counter',
    labels: ['environment'],
    help: 'Requests to the service.',
  },
  postponed: {
    name: 'vexil_reconcile_postponed_total',
    kind: 'counter',
    labels: ['environment'],
    help: 'Reconciliations that were postponed.',
  },
  jobsWaiting: {
    name: 'vexil_jobs_waiting',
    kind: 'gauge',
    labels: [],
    help: 'Jobs in the shared store that no replica has started.',
  },
  storeUp: {
    name: 'vexil_store_up',
    kind: 'gauge',
    labels: [],
    help: 'Whether this replica reaches the shared store. 1 is yes, 0 is no.',
  },
} as const satisfies Readonly<Record<string, MetricDescription>>

const durationBuckets = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

/** The state of an environment after a reconciliation. */
export interface EnvironmentState {
  readonly environment: string
  readonly result: ReconcileResult
  /** Objects. If the result is `failed`, the numbers are unknown, and the last known ones remain. */
  readonly drift: number
  readonly held: number
  readonly conflicts: number
  /** Milliseconds since 1970. */
  readonly finishedAtMs: number
}

export interface ReconcileEnd extends EnvironmentState {
  readonly seconds: number
  readonly changes: number
  readonly requests: number
}

export interface FleetMetrics {
  readonly contentType: string
  /** Counts a reconciliation by this replica, and shows its state. */
  ended(end: ReconcileEnd): void
  /** Shows the states of environments, which other replicas may have reconciled. */
  states(environments: readonly EnvironmentState[]): void
  postponed(environment: string): void
  jobsWaiting(count: number): void
  storeUp(isUp: boolean): void
  /** Removes all metrics of environments that do not exist any more. */
  forget(environments: Iterable<string>): Promise<void>
  text(): Promise<string>
}

type Client = typeof import('prom-client')

/**
 * Metrics for Prometheus, in a registry of their own. Throws an Error if the package is missing.
 *
 * @param load Imports the package: `() => import('prom-client')`.
 */
export async function openFleetMetrics(load: () => Promise<Client>): Promise<FleetMetrics> {
  const client = await load().catch((cause: unknown) => {
    throw new Error('metrics need the package prom-client; run `npm install prom-client`', { cause })
  })
  const registry = new client.Registry()
  const registers = [registry]
  client.collectDefaultMetrics({ register: registry })
  const counter = <Label extends string>({ name, help, labels }: Described<Label>) =>
    new client.Counter({ name, help, labelNames: labels, registers })
  const gauge = <Label extends string>({ name, help, labels }: Described<Label>) =>
    new client.Gauge({ name, help, labelNames: labels, registers })
  const { name, help } = fleetMetrics.seconds
  const seconds = new client.Histogram({ name, help, buckets: durationBuckets, registers })
  const counters = {
    changes: counter(fleetMetrics.changes),
    requests: counter(fleetMetrics.requests),
    postponed: counter(fleetMetrics.postponed),
  }
  const gauges = {
    lastSuccess: gauge(fleetMetrics.lastSuccess),
    drift: gauge(fleetMetrics.drift),
    held: gauge(fleetMetrics.held),
    conflicts: gauge(fleetMetrics.conflicts),
  }
  const reconciled = counter(fleetMetrics.reconciled)
  const state = gauge(fleetMetrics.state)
  const jobsWaiting = gauge(fleetMetrics.jobsWaiting)
  const storeUp = gauge(fleetMetrics.storeUp)

  const show = ({ environment, result, drift, held, conflicts, finishedAtMs }: EnvironmentState) => {
    state.set({ environment, state: 'failed' }, Number(result === 'failed'))
    if (result === 'failed') return
    state.set({ environment, state: 'drift' }, Number(result === 'drift' || drift > 0))
    state.set({ environment, state: 'conflict' }, Number(result === 'conflict' || conflicts > 0))
    gauges.drift.set({ environment }, drift)
    gauges.held.set({ environment }, held)
    gauges.conflicts.set({ environment }, conflicts)
    gauges.lastSuccess.set({ environment }, finishedAtMs / 1000)
  }

  return {
    contentType: registry.contentType,
    ended(end) {
      const { environment } = end
      // A counter that starts at 0 shows its first increase.
      for (const result of results) reconciled.inc({ environment, result }, Number(result === end.result))
      counters.changes.inc({ environment }, end.changes)
      counters.requests.inc({ environment }, end.requests)
      counters.postponed.inc({ environment }, 0)
      seconds.observe(end.seconds)
      show(end)
    },
    states(environments) {
      for (const each of environments) show(each)
    },
    postponed: environment => counters.postponed.inc({ environment }),
    jobsWaiting: count => jobsWaiting.set(count),
    storeUp: isUp => storeUp.set(Number(isUp)),
    async forget(environments) {
      for (const environment of environments) {
        for (const metric of [...Object.values(counters), ...Object.values(gauges)])
          metric.remove({ environment })
        for (const result of results) reconciled.remove({ environment, result })
        for (const each of states) state.remove({ environment, state: each })
      }
    },
    text: () => registry.metrics(),
  }
}

interface Described<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labels: readonly Label[]
}
