import { fleetMetrics as metrics } from '../../src/fleet/fleet-metrics.ts'

/** The series of `vexil reconcile` with their labels, as Prometheus gets them. */
export const fleetMetrics: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.values(metrics).flatMap(({ kind, name, labels }): (readonly [string, readonly string[]])[] =>
    kind === 'histogram'
      ? [
          [`${name}_bucket`, ['le', ...labels]],
          [`${name}_sum`, labels],
          [`${name}_count`, labels],
        ]
      : [[name, labels]],
  ),
)
