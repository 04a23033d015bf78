import { describe, expect, it } from 'vitest'
import { fleetMetrics } from '../fleet-metrics.ts'
import { readReconcile } from '../reconcile-words.ts'
import { problemsOf, readObjects } from './objects.ts'
import { readExpression } from './promql.ts'

/** `examples/kubernetes/monitoring.yaml`, with the schemas of the Prometheus Operator and the grammar of PromQL. */

const objects = await readObjects('monitoring.yaml', ['ServiceMonitor', 'PrometheusRule'])
const { PrometheusRule, ServiceMonitor } = objects
const { Deployment, Service } = await readObjects('reconcile.yaml', [
  'Deployment',
  'PodDisruptionBudget',
  'Service',
  'NetworkPolicy',
])

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

const rules: readonly Rule[] = PrometheusRule.spec.groups.flatMap(({ rules }: { rules: Rule[] }) => rules)

describe('the schemas', () => {
  it.each(Object.values(objects))('have every field of the $kind', object => {
    expect(problemsOf(object)).toEqual([])
  })

  it('refuse a wrong type, a duration that is none and a field that they do not have', () => {
    const copy = structuredClone(PrometheusRule)
    const [first, second, third] = copy.spec.groups[0].rules
    first.labels.severity = 1
    second.for = 'ten minutes'
    third.annotation = {}
    const [wrong, ...unknown] = problemsOf(copy)
    expect(wrong).toContain('rules/0/labels/severity must be string')
    expect(wrong).toContain('rules/1/for must match pattern')
    expect(unknown).toEqual(['/spec/groups/0/rules/2/annotation is not a field'])
  })
})

it('scrapes the port of the Service', () => {
  expect(ServiceMonitor.spec.selector.matchLabels).toEqual(Service.metadata.labels)
  expect(ServiceMonitor.spec.endpoints.map(({ port }: { port: string }) => port)).toEqual(
    Service.spec.ports.map(({ name }: { name: string }) => name),
  )
})

describe('the grammar of PromQL', () => {
  it.each([
    'sum by (x (vexil_store_up)',
    'vexil_store_up{job="x"',
    'nofunction(vexil_store_up[5m])',
    'max(a) > 1 for 5m',
  ])('refuses %s', text => {
    expect(readExpression(text).errors).not.toEqual([])
  })
})

describe('the alerts', () => {
  it('are these', () => {
    expect(rules.map(({ alert, labels }) => `${alert}: ${labels.severity}`)).toEqual([
      'VexilNotReconciled: warning',
      'VexilConflict: warning',
      'VexilFailed: critical',
      'VexilDrift: warning',
      'VexilJobsGrow: warning',
      'VexilStoreDown: critical',
    ])
  })

  it.each(rules)('ask in PromQL, and only for metrics and labels that there are: $alert', ({ expr }) => {
    const { errors, metrics, labels } = readExpression(expr)
    expect(errors).toEqual([])
    expect(metrics).not.toEqual([])
    expect(metrics.filter(name => !(name in fleetMetrics))).toEqual([])
    const known = metrics.flatMap(name => fleetMetrics[name] ?? [])
    expect(labels.filter(label => !known.includes(label))).toEqual([])
  })

  it.each(rules)('name only labels that the alert has: $alert', ({ expr, annotations }) => {
    const used = Array.from(
      Object.values(annotations)
        .join('\n')
        .matchAll(/\$labels\.(\w+)/g),
      ([, label]) => label,
    )
    expect(used.filter(label => !expr.includes(`by (${label})`))).toEqual([])
  })

  it('wait for three intervals of the Deployment', () => {
    const { every } = readReconcile(Deployment.spec.template.spec.containers[0].args)
    const minutes = Number(/^(\d+)m$/.exec(String(every))?.[1])
    const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr
    expect(exprOf('VexilNotReconciled')).toMatch(new RegExp(`> ${minutes * 60 * 3}$`))
    expect(exprOf('VexilJobsGrow')?.match(/\[\w+\]/g)).toEqual([`[${minutes * 3}m]`, `[${minutes * 3}m]`])
  })
})
