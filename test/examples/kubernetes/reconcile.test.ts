import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOfTest } from '../../support/folder.ts'
import { credentialWith, gitVariables } from '../git-credential.ts'
import { readReconcile } from '../reconcile-words.ts'
import { problemsOf, readObjects } from './objects.ts'

/** `examples/kubernetes/reconcile.yaml`, with the schemas of Kubernetes and without a cluster. */

const kinds = ['Deployment', 'PodDisruptionBudget', 'Service', 'NetworkPolicy'] as const
const objects = await readObjects('reconcile.yaml', kinds)
const { Deployment, NetworkPolicy, PodDisruptionBudget, Service } = objects
const pod = Deployment.spec.template.spec
const [container] = pod.containers
/** Those that have a value in the file. */
const env: Readonly<Record<string, string>> = Object.fromEntries(
  container.env.flatMap(({ name, value }: { name: string; value?: string }) =>
    value === undefined ? [] : [[name, value]],
  ),
)
const labels = { 'app.kubernetes.io/name': 'vexil-reconcile' }

/** The problems of the Deployment after a change. */
function problemsAfter(change: (spec: typeof Deployment.spec) => void) {
  const copy = structuredClone(Deployment)
  change(copy.spec)
  return problemsOf(copy)
}

describe('the schemas', () => {
  it.each(Object.values(objects))('have every field of the $kind', object => {
    expect(problemsOf(object)).toEqual([])
  })

  it('refuse a wrong type, a wrong word and a quantity that is none', () => {
    const problems = problemsAfter(spec => {
      const [one] = spec.template.spec.containers
      spec.replicas = '2'
      one.ports[0].protocol = 'HTTP'
      one.resources.limits.memory = '512MB'
    })
    expect(problems).toEqual([expect.any(String)])
    expect(problems[0]).toContain('spec/replicas must be integer')
    expect(problems[0]).toContain('ports/0/protocol must be equal to one of the allowed values')
    expect(problems[0]).toContain('resources/limits/memory must match format "quantity"')
  })

  it('refuse a field that they do not have', () => {
    const problems = problemsAfter(spec => {
      spec.replica = 2
      spec.template.spec.containers[0].securityContex = {}
      spec.template.spec.containers[0].livenessProbe.httpGet.prot = 1
    })
    expect(problems).toEqual([
      '/spec/replica is not a field',
      '/spec/template/spec/containers/0/securityContex is not a field',
      '/spec/template/spec/containers/0/livenessProbe/httpGet/prot is not a field',
    ])
  })

  it('refuse an object of a version that is gone', () => {
    expect(problemsOf({ ...PodDisruptionBudget, apiVersion: 'policy/v1beta1' })).toEqual([
      'no schema for policy/v1beta1 PodDisruptionBudget',
    ])
  })
})

describe('the Deployment', () => {
  it('passes only options that the command has', () => {
    expect(readReconcile(container.args)).toEqual({
      every: '5m',
      mode: 'report',
      repo: 'https://git.example.com/acme/flags.git',
      revision: 'main',
      workDir: '/work',
      listen: '0.0.0.0:9464',
      logFormat: 'json',
    })
  })

  it('would not pass an option with a typing error', () => {
    expect(() => readReconcile(['reconcile', '--evry=5m'])).toThrow('not known: --evry=5m')
  })

  it('has no rights that it does not need', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(pod.containers).toHaveLength(1)
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
  })

  it('takes every secret from a Secret, and writes only into empty folders', () => {
    const secrets = container.env.filter(({ value }: { value?: string }) => value === undefined)
    expect(secrets).toEqual([
      { name: 'PGPASSWORD', valueFrom: { secretKeyRef: { name: 'vexil-store', key: 'password' } } },
    ])
    expect(
      pod.volumes.map(({ name, emptyDir, secret }: never) => [name, emptyDir ? 'empty' : secret]),
    ).toEqual([
      ['work', 'empty'],
      ['tmp', 'empty'],
      ['keys', { secretName: 'vexil-reconcile', defaultMode: 0o440 }],
    ])
    expect(new URL(env.VEXIL_STORE ?? '').password).toBe('')
    expect(env.VEXIL_API_KEY_FILE).toBe('/run/secrets/vexil/key')
  })

  it('asks for its health where it listens, and has longer to stop than it needs', () => {
    const port = Number(/:(\d+)$/.exec(String(readReconcile(container.args).listen))?.[1])
    expect(container.ports).toEqual([{ name: 'metrics', containerPort: port }])
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      expect(container[probe].httpGet, probe).toEqual({ path: '/healthz', port: 'metrics' })
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(60)
  })

  it('keeps one replica while nodes are drained', () => {
    expect([Deployment.spec.replicas, PodDisruptionBudget.spec.minAvailable]).toEqual([2, 1])
    expect(pod.topologySpreadConstraints[0].labelSelector.matchLabels).toEqual(labels)
  })
})

it('gives git the name and the token of the file', async () => {
  const folder = await folderOfTest({ git: 'username=reader\npassword=token-1\n' })
  expect(env.GIT_CONFIG_VALUE_0).toContain('/run/secrets/vexil/git ')
  expect(credentialWith(gitVariables(env, join(folder, 'git')))).toEqual([
    'username=reader',
    'password=token-1',
  ])
})

it('selects the same pods everywhere', () => {
  expect(Deployment.spec.selector.matchLabels).toEqual(labels)
  expect(Deployment.spec.template.metadata.labels).toEqual(labels)
  expect(Service.spec.selector).toEqual(labels)
  expect(PodDisruptionBudget.spec.selector.matchLabels).toEqual(labels)
  expect(NetworkPolicy.spec.podSelector.matchLabels).toEqual(labels)
})

it('lets only monitoring in, and out only to DNS, PostgreSQL and HTTPS', () => {
  const { policyTypes, ingress, egress } = NetworkPolicy.spec
  expect(policyTypes).toEqual(['Ingress', 'Egress'])
  expect(ingress).toEqual([
    {
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      ports: [{ protocol: 'TCP', port: 'metrics' }],
    },
  ])
  const [dns, ...others] = egress
  expect(dns.ports.map(({ port }: { port: number }) => port)).toEqual([53, 53])
  expect(dns.to).toHaveLength(1)
  expect(others).toEqual([
    {
      ports: [
        { protocol: 'TCP', port: 5432 },
        { protocol: 'TCP', port: 443 },
      ],
    },
  ])
})
