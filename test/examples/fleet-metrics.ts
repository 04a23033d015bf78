/** The metrics of `vexil reconcile` with their labels. */
export const fleetMetrics: Readonly<Record<string, readonly string[]>> = {
  vexil_reconcile_total: ['environment', 'result'],
  vexil_reconcile_duration_seconds_bucket: ['le'],
  vexil_reconcile_duration_seconds_sum: [],
  vexil_reconcile_duration_seconds_count: [],
  vexil_reconcile_last_success_timestamp_seconds: ['environment'],
  vexil_environment_state: ['environment', 'state'],
  vexil_held_objects: ['environment'],
  vexil_jobs_waiting: [],
  vexil_store_up: [],
}
