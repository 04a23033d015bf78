import { join } from 'node:path'
import { benchApplies } from './applies.ts'
import { loadingOf, loadOf } from './load.ts'
import { printFigures } from './print-figures.ts'
import { measure, mediansOf } from './process.ts'
import { benchOrganization, builtReader, writeRepository, writeWorld } from './repository.ts'
import { settingsOf, startStandIn } from './stand-in.ts'

const here = import.meta.dirname
const vexil = join(here, '../../dist/vexil.cjs')
const pageSize = 1000
const parallelism = 8

/** What a plan of so many flags and an apply of a thousand cost, beside what the machine allows. */
export async function benchReconciler(folder: string, counts: readonly number[]): Promise<void> {
  await benchStart(folder)
  for (const count of counts) await benchPlan(folder, count)
  for (const profile of ['documented', 'posthog-2026']) await benchApplies(folder, { profile, count: 1000 })
}

async function benchStart(folder: string): Promise<void> {
  const { empty, version, plan } = await mediansOf(9, {
    empty: () => measure(['-e', '0']),
    version: () => measure([vexil, '--version']),
    plan: await loadOf(folder, 'plan'),
  })
  printFigures('start', {
    'node -e 0 ms': empty.wallMs,
    'vexil --version ms': version.wallMs,
    'above ms': version.wallMs - empty.wallMs,
    'node and what a plan loads ms': plan.wallMs,
  })
}

/**
 * A plan beside its floor: the start, the same lists over bare HTTP, and the same files through the fastest of our
 * parsers, one after the other. A plan may ask and parse at the same time. The bare plan does, in one process that keeps what it has read and compares it, and checks nothing.
 */
async function benchPlan(folder: string, count: number): Promise<void> {
  const world = join(folder, `world-${count}.json`)
  await writeWorld(world, count, benchOrganization)
  const repository = await writeRepository(join(folder, `plan-${count}`), count)
  const standIn = await startStandIn('--world', world)
  const flags = join(repository, 'flags')
  const reader = await builtReader(folder)
  const loading = await loadingOf(folder, 'plan')
  const path = '/api/projects/1/feature_flags'
  let requests = 0
  try {
    const medians = await mediansOf(count > 10_000 ? 3 : 5, {
      async plan() {
        await standIn.resetRequests()
        const env = settingsOf(standIn, parallelism)
        const plan = await measure([vexil, 'plan', '--detailed-exitcode'], { cwd: repository, env })
        if (plan.code !== 0) throw new Error(`the plan is not empty: ${plan.stdout.slice(0, 500)}`)
        requests = await standIn.requests()
        return plan
      },
      start: await loadOf(folder, 'plan'),
      http: () =>
        measure([
          join(here, 'floor-http.js'),
          standIn.url,
          path,
          standIn.key,
          String(pageSize),
          String(parallelism),
        ]),
      plain: () => measure([join(here, 'floor-yaml.js'), flags, reader]),
      async barePlan() {
        const list = { url: standIn.url, path, key: standIn.key, pageSize, concurrency: parallelism }
        const bare = await measure([
          join(here, 'floor-plan.js'),
          JSON.stringify({ ...loading, list, flags, reader }),
        ])
        if (Number(bare.stdout) !== 0) throw new Error(`of a bare plan ${bare.stdout} fields differ`)
        return bare
      },
      empty: () => measure(['-e', '0']),
    })
    const { plan, start, http, barePlan, empty } = medians
    const parts = {
      start: start.wallMs,
      http: Number(http.stdout),
      'our own parser': Number(medians.plain.stdout),
    }
    const floor = sum(Object.values(parts))
    const cpuFloor = start.cpuMs + http.cpuMs + medians.plain.cpuMs - 2 * empty.cpuMs
    printFigures(`plan of ${count} flags`, {
      'wall ms': plan.wallMs,
      'floor ms': floor,
      ...prefixed('of it ', parts),
      'plan / floor': plan.wallMs / floor,
      'bare plan ms': barePlan.wallMs,
      'plan / bare plan': plan.wallMs / barePlan.wallMs,
      ...prefixed('% of the plan: ', sharesOf(plan.wallMs, parts)),
      'cpu ms': plan.cpuMs,
      'cpu of the floor ms': cpuFloor,
      'cpu / floor': plan.cpuMs / cpuFloor,
      'cpu of the bare plan ms': barePlan.cpuMs,
      'cpu / bare plan': plan.cpuMs / barePlan.cpuMs,
      requests,
      'expected requests': Math.ceil(count / pageSize),
      'peak MB': plan.peakMb,
    })
  } finally {
    await standIn.stop()
  }
}

function sharesOf(whole: number, parts: Readonly<Record<string, number>>): Record<string, number> {
  const shares = Object.entries(parts).map(([name, ms]) => [name, (100 * ms) / whole])
  const rest = 100 - (100 * sum(Object.values(parts))) / whole
  return { ...Object.fromEntries(shares), 'the rest': rest }
}

function prefixed(prefix: string, figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [prefix + name, figure]))
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0)
}
