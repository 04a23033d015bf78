import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { completeFilters } from '../../src/targeting/canonical-filters.ts'
import { loadingOf } from './load.ts'
import { printFigures } from './print-figures.ts'
import { measure, mediansOf } from './process.ts'
import { benchFlag, benchKey, benchOrganization, builtReader, writeRepository } from './repository.ts'
import { settingsOf, startStandIn } from './stand-in.ts'

const here = import.meta.dirname
const vexil = join(here, '../../dist/vexil.cjs')
const parallelism = 8

/**
 * A plan of many environments with one key, beside the sum of their floors over the cores of this machine. The floor of one
 * environment is a bare plan in a process of its own, and for the requests alone a bare list.
 */
export async function benchEnvironments(folder: string, environments: number, flags: number): Promise<void> {
  const ids = Array.from({ length: environments }, (_, at) => at + 1)
  const repository = await writeRepository(join(folder, 'environments'), flags)
  const settings = ids.map(id => `  env-${id}: { project: ${id} }\n`).join('')
  await writeFile(join(repository, 'vexil.yaml'), `version: 1\nenvironments:\n${settings}`)
  const live = Array.from({ length: flags }, (_, index) => {
    const flag = benchFlag(index)
    return { key: benchKey(index), ...flag, filters: completeFilters(flag.filters, undefined) }
  })
  const projects = ids.map(id => ({ id, name: `Bench ${id}`, feature_flags: live }))
  const world = join(folder, 'environments.json')
  await writeFile(
    world,
    JSON.stringify({ organizations: [{ id: benchOrganization, name: 'Bench', projects }] }),
  )
  const standIn = await startStandIn('--world', world)
  const { VEXIL_PROJECT_ID: _, ...env } = settingsOf(standIn, parallelism)
  const reader = await builtReader(folder)
  const loading = await loadingOf(folder, 'plan')
  const list = {
    ...{ url: standIn.url, path: '/api/projects/1/feature_flags', key: standIn.key },
    ...{ pageSize: 1000, concurrency: parallelism },
  }
  const flagFiles = join(repository, 'flags')
  let requests = 0
  const planOf = async (name: string) => {
    await standIn.resetRequests()
    const command = [vexil, 'plan', '--detailed-exitcode', '--env', name]
    const plan = await measure(command, { cwd: repository, env })
    if (plan.code !== 0) throw new Error(`the plan of ${name} is not empty: ${plan.stdout.slice(0, 500)}`)
    requests = await standIn.requests()
    return plan
  }
  try {
    const { one, http, barePlan, all } = await mediansOf(5, {
      one: () => planOf('env-1'),
      http: () =>
        measure([join(here, 'floor-http.js'), list.url, list.path, list.key, '1000', String(parallelism)]),
      barePlan: () =>
        measure([
          join(here, 'floor-plan.js'),
          JSON.stringify({ ...loading, list, flags: flagFiles, reader }),
        ]),
      all: () => planOf('all'),
    })
    const cores = availableParallelism()
    const overCores = (ms: number) => (environments * ms) / cores
    printFigures(`plan of ${environments} environments of ${flags} flags`, {
      'wall ms': all.wallMs,
      'cpu ms': all.cpuMs,
      'peak MB': all.peakMb,
      requests,
      'one environment ms': one.wallMs,
      'bare plan ms': barePlan.wallMs,
      'bare list ms': Number(http.stdout),
      cores,
      'sum of bare plans over the cores ms': overCores(barePlan.wallMs),
      'wall / sum of bare plans over the cores': all.wallMs / overCores(barePlan.wallMs),
      'wall / sum of bare lists': all.wallMs / (environments * Number(http.stdout)),
      'wall / sum of plans over the cores': all.wallMs / overCores(one.wallMs),
    })
  } finally {
    await standIn.stop()
  }
}
