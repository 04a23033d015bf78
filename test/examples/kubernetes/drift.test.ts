import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../../support/built.ts'
import { writeFiles } from '../../support/folder.ts'
import { aRemote } from '../../support/pipelines/remote.ts'
import { aRunner } from '../../support/pipelines/runner.ts'
import { editShopFlag, shopFiles, shopKeys, shopService } from '../../support/pipelines/shop.ts'
import { problemsOf, readObjects } from './objects.ts'

/** `examples/kubernetes/drift.yaml`: its containers one after the other, in a folder and without Kubernetes. */

interface Container {
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly workingDir?: string
  readonly env?: readonly { readonly name: string; readonly value: string }[]
  readonly securityContext: object
  readonly volumeMounts: readonly { readonly name: string }[]
}

const text = await readFile(join(packageRoot, 'examples/kubernetes/drift.yaml'), 'utf8')
const { spec } = parse(text)
const pod = spec.jobTemplate.spec.template.spec
const [clone, drift] = [pod.initContainers[0], pod.containers[0]] as readonly [Container, Container]

it('has only fields that Kubernetes has', async () => {
  const { CronJob } = await readObjects('drift.yaml', ['CronJob'])
  expect(problemsOf(CronJob)).toEqual([])
})

it('runs as nobody who may do more than it needs, and gives the key to the container that asks the service', () => {
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  })
  for (const each of [...pod.initContainers, ...pod.containers] as readonly Container[])
    expect(each.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
  const mounts = ({ volumeMounts }: Container) => volumeMounts.map(({ name }) => name)
  expect([mounts(clone), mounts(drift)]).toEqual([
    ['work', 'tmp'],
    ['work', 'tmp', 'key'],
  ])
  expect([spec.concurrencyPolicy, spec.jobTemplate.spec.backoffLimit]).toEqual(['Forbid', 0])
})

it('ends in 6 where the service is not as declared', async () => {
  const service = await shopService()
  const runner = await aRunner()
  const remote = await aRemote(shopFiles(service))
  const { read, write } = shopKeys
  await writeFiles(runner.folder, { 'run/secrets/vexil/key': `${read}\n` })
  await remote.clone(join(runner.folder, 'desk'), 'main')
  await runner.run('vexil apply --env production --auto-approve', {
    directory: join(runner.folder, 'desk'),
    env: { VEXIL_API_KEY: write },
  })
  const here = (each: string) =>
    each
      .replace(/^\/(?=work|run)/, `${runner.folder}/`)
      .replace('https://git.example.com/acme/flags.git', remote.url)
  const words = (each: readonly string[] = []) => each.map(word => `'${here(word)}'`).join(' ')
  const night = async () => {
    const cloned = await runner.run(`rm -rf work/flags\n${words(clone.command)}`, {
      directory: runner.folder,
      env: {},
    })
    expect(cloned.code, cloned.log).toBe(0)
    return runner.run(`vexil ${words(drift.args)}`, {
      directory: here(drift.workingDir ?? ''),
      env: Object.fromEntries((drift.env ?? []).map(({ name, value }) => [name, here(value)])),
    })
  }
  const first = await night()
  expect(first.code, first.log).toBe(0)
  await editShopFlag(service, false)
  const { code, log } = await night()
  expect(code, log).toBe(6)
  expect(log).toContain('checkout_v2')
  expect(log).not.toContain(read)
})
