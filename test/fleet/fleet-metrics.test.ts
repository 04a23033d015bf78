import parsePrometheus from 'parse-prometheus-text-format'
import { describe, expect, it } from 'vitest'
import { fleetMetrics, openFleetMetrics, type ReconcileEnd } from '../../src/fleet/fleet-metrics.ts'

const open = () => openFleetMetrics()

function anEnd(end: Partial<ReconcileEnd> = {}): ReconcileEnd {
  return {
    ...{ environment: 'production', result: 'as_declared', seconds: 2, changes: 3, requests: 20 },
    ...{ drift: 0, held: 0, conflicts: 0, finishedAtMs: 5000, ...end },
  }
}

/** The values of our metrics by name and labels: `vexil_x{environment="a"}`. */
async function valuesIn({ text }: Awaited<ReturnType<typeof open>>): Promise<Record<string, number>> {
  const ours = parsePrometheus(await text()).filter(
    ({ name, type }) => /^vexil_/.test(name) && type !== 'HISTOGRAM',
  )
  return Object.fromEntries(
    ours.flatMap(({ name, metrics }) =>
      metrics.map(({ labels = {}, value }) => {
        const written = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
        return [written.length === 0 ? name : `${name}{${written.join(',')}}`, Number(value)]
      }),
    ),
  )
}

describe('the metrics of a fleet', () => {
  it('are those of the table, beside those of the process', async () => {
    const metrics = await open()
    metrics.ended(anEnd())
    metrics.states(['production'], [])
    const families = parsePrometheus(await metrics.text())
    const ours = families.filter(({ name }) => name.startsWith('vexil_'))
    const described = ours.map(({ name, help, type }) => ({ name, help, kind: type?.toLowerCase() }))
    const table = Object.values(fleetMetrics).map(({ name, help, kind }) => ({ name, help, kind }))
    const byName = (left: { name: string }, right: { name: string }) => (left.name < right.name ? -1 : 1)
    expect(described.sort(byName)).toEqual(table.sort(byName))
    for (const { name, labels } of Object.values(fleetMetrics)) {
      const [sample] = ours.find(family => family.name === name)?.metrics ?? []
      expect({ name, labels: Object.keys(sample?.labels ?? {}) }).toEqual({ name, labels: [...labels] })
    }
    expect(families.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['process_cpu_seconds_total', 'process_start_time_seconds']),
    )
    expect(metrics.contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
  })

  it('count what replicas do, and show the last state', async () => {
    const metrics = await open()
    metrics.ended(anEnd())
    metrics.ended(anEnd({ result: 'drift', drift: 4, held: 1, finishedAtMs: 9500, changes: 0 }))
    metrics.postponed('production')
    metrics.jobsWaiting(7)
    metrics.storeUp(true)
    metrics.states(['production'], [{ environment: 'production', state: 'drift' }])
    expect(await valuesIn(metrics)).toEqual({
      'vexil_reconcile_total{environment="production",result="as_declared"}': 1,
      'vexil_reconcile_total{environment="production",result="drift"}': 1,
      'vexil_reconcile_total{environment="production",result="conflict"}': 0,
      'vexil_reconcile_total{environment="production",result="failed"}': 0,
      'vexil_reconcile_last_success_timestamp_seconds{environment="production"}': 9.5,
      'vexil_environment_state{environment="production",state="drift"}': 1,
      'vexil_environment_state{environment="production",state="conflict"}': 0,
      'vexil_environment_state{environment="production",state="failed"}': 0,
      'vexil_drift_objects{environment="production"}': 4,
      'vexil_held_objects{environment="production"}': 1,
      'vexil_conflict_objects{environment="production"}': 0,
      'vexil_changes_total{environment="production"}': 3,
      'vexil_requests_total{environment="production"}': 40,
      'vexil_reconcile_postponed_total{environment="production"}': 1,
      vexil_jobs_waiting: 7,
      vexil_store_up: 1,
    })
    const durations = parsePrometheus(await metrics.text()).find(
      ({ name }) => name === 'vexil_reconcile_duration_seconds',
    )
    expect(durations?.metrics[0]).toMatchObject({ count: '2', sum: '4', buckets: { '1': '0', '2.5': '2' } })
  })

  it('keep what was found if a reconciliation fails', async () => {
    const metrics = await open()
    metrics.ended(anEnd({ result: 'conflict', drift: 2, conflicts: 2 }))
    metrics.ended(anEnd({ result: 'failed', finishedAtMs: 9000 }))
    const values = await valuesIn(metrics)
    expect(values).toMatchObject({
      'vexil_conflict_objects{environment="production"}': 2,
      'vexil_reconcile_last_success_timestamp_seconds{environment="production"}': 5,
    })
  })

  it('show what other replicas found, and count it nowhere', async () => {
    const metrics = await open()
    const environment = 'a "b" \\ \n c'
    metrics.states([environment], [{ environment, state: 'drift' }])
    expect(await valuesIn(metrics)).toEqual({
      [`vexil_environment_state{environment="${environment}",state="drift"}`]: 1,
      [`vexil_environment_state{environment="${environment}",state="conflict"}`]: 0,
      [`vexil_environment_state{environment="${environment}",state="failed"}`]: 0,
      vexil_jobs_waiting: 0,
      vexil_store_up: 0,
    })
  })

  it('have nothing of an environment that is gone', async () => {
    const metrics = await open()
    metrics.ended(anEnd({ environment: 'staging' }))
    metrics.ended(anEnd())
    metrics.postponed('staging')
    metrics.states(['staging', 'production'], [])
    metrics.states(['production'], [])
    // Its last job ends later.
    metrics.ended(anEnd({ environment: 'staging' }))
    metrics.states(['production'], [])
    const text = await metrics.text()
    expect(text).not.toContain('staging')
    expect(text).toContain('vexil_reconcile_total{environment="production",result="as_declared"} 1')
  })

  it('are of one registry each', async () => {
    const { register } = await import('prom-client')
    const [one, other] = [await open(), await open()]
    one.jobsWaiting(3)
    expect(await valuesIn(other)).toMatchObject({ vexil_jobs_waiting: 0 })
    expect(register.getMetricsAsArray()).toEqual([])
  })
})
