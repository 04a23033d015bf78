import { type NotifiedState, notifiedStates } from '../model/connection.ts'
import { load } from './store-error.ts'

/** The result of one reconciliation of an environment. */
export type ReconcileResult = (typeof results)[number]

export const results = ['as_declared', 'drift', 'conflict', 'failed'] as const

type Kind = 'counter' | 'gauge' | 'histogram'

const metric = <Label extends string>(kind: Kind, name: string, labels: readonly Label[], help: string) => ({
  kind,
  name,
  labels,
  help,
})

const each = ['environment'] as const
const ofResult = ['environment', 'result'] as const
const ofState = ['environment', 'state'] as const

/** Every metric of a fleet, besides those of the process. Its documentation is computed from this table. */
// biome-ignore format: it is a table
export const fleetMetrics = {
  reconciled:  metric('counter', 'vexil_reconcile_total', ofResult, 'Reconciliations by result: as_declared, drift, conflict, failed.'),
  seconds:     metric('histogram', 'vexil_reconcile_duration_seconds', [], 'How long reconciliations took.'),
  lastSuccess: metric('gauge', 'vexil_reconcile_last_success_timestamp_seconds', each, 'When the last one ended that did not fail.'),
  state:       metric('gauge', 'vexil_environment_state', ofState, '1 if an environment has the state drift, conflict or failed, else 0.'),
  drift:       metric('gauge', 'vexil_drift_objects', each, 'Objects that are not as declared, from the last run that could compare.'),
  held:        metric('gauge', 'vexil_held_objects', each, 'Objects with at least one held field.'),
  conflicts:   metric('gauge', 'vexil_conflict_objects', each, 'Objects that the product and the repository changed differently.'),
  changes:     metric('counter', 'vexil_changes_total', each, 'Changes that reconciliations made.'),
  requests:    metric('counter', 'vexil_requests_total', each, 'Requests to the service.'),
  postponed:   metric('counter', 'vexil_reconcile_postponed_total', each, 'Reconciliations that were postponed.'),
  jobsWaiting: metric('gauge', 'vexil_jobs_waiting', [], 'Jobs in the shared store that no replica has started.'),
  storeUp:     metric('gauge', 'vexil_store_up', [], '1 if this replica reaches the shared store, else 0.'),
} as const

/** The table as rows of Markdown. */
export function metricRows(): readonly string[] {
  return Object.values(fleetMetrics).map(
    ({ name, labels, help }) => `| \`${name}\` | ${labels.join(', ')} | ${help.replace(/\.$/, '')} |`,
  )
}

const durationBuckets = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

/** The end of one reconciliation. */
export interface ReconcileEnd {
  readonly environment: string
  readonly result: ReconcileResult
  /** Objects. If the result is `failed`, the numbers are unknown, and the last known ones remain. */
  readonly drift: number
  readonly held: number
  readonly conflicts: number
  /** Milliseconds since 1970. */
  readonly finishedAtMs: number
  readonly seconds: number
  readonly changes: number
  readonly requests: number
}

export interface StateOn {
  readonly environment: string
  readonly state: NotifiedState
}

export interface FleetMetrics {
  readonly contentType: string
  /** Counts a reconciliation by this replica, and shows what it found. */
  ended(end: ReconcileEnd): void
  /** Shows which states of environments are on, whichever replica found them. Others vanish. */
  states(environments: readonly string[], on: readonly StateOn[]): void
  postponed(environment: string): void
  jobsWaiting(count: number): void
  storeUp(isUp: boolean): void
  text(): Promise<string>
}

/** Metrics for Prometheus, in a registry of their own. Throws a `StoreError` if the package is missing. */
export async function openFleetMetrics(): Promise<FleetMetrics> {
  const client = await load(() => import('prom-client'), 'prom-client')
  const registry = new client.Registry()
  const registers = [registry]
  client.collectDefaultMetrics({ register: registry })
  const counter = <Label extends string>({ name, help, labels }: Metric<Label>) =>
    new client.Counter({ name, help, labelNames: labels, registers })
  const gauge = <Label extends string>({ name, help, labels }: Metric<Label>) =>
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

  const known = new Set<string>()
  const show = ({ environment, result, drift, held, conflicts, finishedAtMs }: ReconcileEnd) => {
    if (result === 'failed') return
    gauges.drift.set({ environment }, drift)
    gauges.held.set({ environment }, held)
    gauges.conflicts.set({ environment }, conflicts)
    gauges.lastSuccess.set({ environment }, finishedAtMs / 1000)
  }

  const forget = (environment: string) => {
    known.delete(environment)
    for (const shown of [...Object.values(counters), ...Object.values(gauges)]) shown.remove({ environment })
    for (const result of results) reconciled.remove({ environment, result })
    for (const name of notifiedStates) state.remove({ environment, state: name })
  }
  return {
    contentType: registry.contentType,
    ended(end) {
      const { environment } = end
      known.add(environment)
      // A counter that starts at 0 shows its first increase.
      for (const result of results) reconciled.inc({ environment, result }, Number(result === end.result))
      counters.changes.inc({ environment }, end.changes)
      counters.requests.inc({ environment }, end.requests)
      counters.postponed.inc({ environment }, 0)
      seconds.observe(end.seconds)
      show(end)
    },
    states(environments, on) {
      const isOn = new Set(on.map(({ environment, state: name }) => `${name} ${environment}`))
      for (const environment of environments) {
        known.add(environment)
        for (const name of notifiedStates)
          state.set({ environment, state: name }, Number(isOn.has(`${name} ${environment}`)))
      }
      for (const environment of known) if (!environments.includes(environment)) forget(environment)
    },
    postponed: environment => counters.postponed.inc({ environment }),
    jobsWaiting: count => jobsWaiting.set(count),
    storeUp: isUp => storeUp.set(Number(isUp)),
    text: () => registry.metrics(),
  }
}

type Metric<Label extends string> = ReturnType<typeof metric<Label>>
