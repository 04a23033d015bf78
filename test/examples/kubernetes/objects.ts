import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  PrometheusRule,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import { Deployment } from 'kubernetes-models/apps/v1'
import { CronJob } from 'kubernetes-models/batch/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Service } from 'kubernetes-models/v1'
import { parseAllDocuments } from 'yaml'
import { packageRoot } from '../../support/built.ts'

/** Kubernetes objects, checked by the schemas that kubernetes-models compiles from Kubernetes and its operators. */

const models = [
  CronJob,
  Deployment,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  PrometheusRule,
  ServiceMonitor,
]

export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> }
  // The schemas know the rest.
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own.
  readonly spec: any
}

/** The documents of a file of `examples/kubernetes`: one of each of these kinds, and no other. */
export async function readObjects<Kind extends string>(
  file: string,
  kinds: readonly Kind[],
): Promise<Readonly<Record<Kind, KubernetesObject>>> {
  const text = await readFile(join(packageRoot, 'examples/kubernetes', file), 'utf8')
  const documents = parseAllDocuments(text, { version: '1.1' })
  for (const { errors, warnings } of documents) {
    const [problem] = [...errors, ...warnings]
    if (problem !== undefined) throw problem
  }
  const objects = documents.map(document => document.toJS() as KubernetesObject)
  const found = objects.map(({ kind }) => kind)
  if (found.join() !== kinds.join()) throw new Error(`${file} has ${found}`)
  // The line above compares the kinds.
  return Object.fromEntries(objects.map(object => [object.kind, object])) as Record<Kind, KubernetesObject>
}

/** Wrong values, and fields that no schema has. */
export function problemsOf(object: KubernetesObject): readonly string[] {
  const model = models.find(
    ({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind,
  )
  if (model === undefined) return [`no schema for ${object.apiVersion} ${object.kind}`]
  const watched = watchReads(object)
  const wrong = messageOf(() => model.prototype.validate.call(watched.value))
  return [...wrong, ...watched.unread().map(path => `${path} is not a field`)]
}

function messageOf(run: () => void): readonly string[] {
  try {
    run()
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

/**
 * The schemas accept unknown fields, as a server that drops them does. But they read every field that they know, so a
 * field that they never read is unknown.
 */
function watchReads(root: object) {
  const nodes: { readonly path: string; readonly keys: readonly string[]; readonly read: Set<string> }[] = []
  const watch = (value: unknown, path: string): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const read = new Set<string>()
    const children = new Map<string, unknown>()
    nodes.push({ path, keys: Object.keys(value), read })
    return new Proxy(value, {
      get(target, key) {
        const found: unknown = Reflect.get(target, key)
        if (typeof key !== 'string' || !Object.hasOwn(target, key)) return found
        read.add(key)
        if (!children.has(key)) children.set(key, watch(found, `${path}/${key}`))
        return children.get(key)
      },
    })
  }
  const value = watch(root, '')
  const unread = () =>
    nodes.flatMap(({ path, keys, read }) => keys.filter(key => !read.has(key)).map(key => `${path}/${key}`))
  return { value, unread }
}
