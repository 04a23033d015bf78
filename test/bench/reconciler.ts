import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printFigures } from './print-figures.ts'
import { measure, medianOf } from './process.ts'
import { benchFlag, benchKey, benchOrganization, writeRepository, writeWorld } from './repository.ts'
import { type StandIn, settingsOf, startStandIn } from './stand-in.ts'

const vexil = join(import.meta.dirname, '../../dist/vexil.js')
const here = import.meta.dirname
const pageSize = 1000
const parallelism = 8

/** What a plan of so many flags and an apply of a thousand cost, beside what the machine allows. */
export async function benchReconciler(folder: string, counts: readonly number[]): Promise<void> {
  const startMs = await benchStart()
  for (const count of counts) await benchPlan(folder, count, startMs)
  await benchApply(folder, 1000, startMs)
}

async function benchStart(): Promise<number> {
  const empty = await medianOf(9, () => measure(['-e', '0']))
  const version = await medianOf(9, () => measure([vexil, '--version']))
  printFigures('start', {
    'node -e 0 ms': empty.wallMs,
    'vexil --version ms': version.wallMs,
    'above ms': version.wallMs - empty.wallMs,
  })
  return empty.wallMs
}

async function benchPlan(folder: string, count: number, startMs: number): Promise<void> {
  const world = join(folder, `world-${count}.json`)
  await writeWorld(world, count, benchOrganization)
  const repository = await writeRepository(join(folder, `plan-${count}`), count)
  const standIn = await startStandIn('--world', world)
  try {
    const runs = count > 10_000 ? 1 : 3
    const plan = await medianOf(runs, async () => {
      await standIn.resetRequests()
      return measure([vexil, 'plan', '--detailed-exitcode'], {
        cwd: repository,
        env: settingsOf(standIn, parallelism),
      })
    })
    if (plan.code !== 0)
      throw new Error(`the plan of ${count} flags is not empty: ${plan.stdout.slice(0, 500)}`)
    const requests = await standIn.requests()
    const http = await floorOf(runs, [
      join(here, 'floor-http.js'),
      standIn.url,
      '/api/projects/1/feature_flags',
      standIn.key,
      String(pageSize),
      String(parallelism),
    ])
    const yaml = await floorOf(runs, [join(here, 'floor-yaml.js'), join(repository, 'flags')])
    const floor = startMs + http + yaml
    printFigures(`plan of ${count} flags`, {
      'wall ms': plan.wallMs,
      'floor ms': floor,
      'of it http': http,
      'of it yaml': yaml,
      ratio: plan.wallMs / floor,
      requests,
      'expected requests': Math.ceil(count / pageSize),
      'peak MB': plan.peakMb,
    })
  } finally {
    await standIn.stop()
  }
}

async function benchApply(folder: string, count: number, startMs: number): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index)
  const creates = await writeRepository(join(folder, 'creates'), count)
  const patches = await writeRepository(join(folder, 'patches'), count, index => (index + 1) % 101)
  const flags = '/api/projects/1/feature_flags'

  const ours = await startStandIn('--empty')
  const created = await applied(creates, ours)
  const patched = await applied(patches, ours)
  await ours.stop()

  const bare = await startStandIn('--empty')
  const bareCreates = await bareWrites(
    folder,
    bare,
    indexes.map(index => ({
      method: 'POST',
      path: flags,
      body: { key: benchKey(index), ...benchFlag(index) },
    })),
  )
  const bodies = indexes.map(index => ({ filters: benchFlag(index, (index + 1) % 101).filters }))
  // Ids count up in an empty sandbox; each change reads its object again before it writes.
  const barePatches = await bareWrites(
    folder,
    bare,
    bodies.flatMap((body, index) => [
      { method: 'GET', path: `${flags}/${index + 1}` },
      { method: 'PATCH', path: `${flags}/${index + 1}`, body },
    ]),
  )
  await bare.stop()

  printFigures(`apply of ${count} creates`, {
    'wall ms': created.wallMs,
    'bare ms': startMs + bareCreates,
    ratio: created.wallMs / (startMs + bareCreates),
    requests: created.requests,
  })
  printFigures(`apply of ${count} patches`, {
    'wall ms': patched.wallMs,
    'bare ms': startMs + barePatches,
    ratio: patched.wallMs / (startMs + barePatches),
    requests: patched.requests,
  })
}

async function applied(repository: string, standIn: StandIn): Promise<{ wallMs: number; requests: number }> {
  await standIn.resetRequests()
  const { wallMs } = await measure([vexil, 'apply', '--auto-approve'], {
    cwd: repository,
    env: settingsOf(standIn, parallelism),
  })
  return { wallMs, requests: await standIn.requests() }
}

async function bareWrites(folder: string, standIn: StandIn, requests: readonly unknown[]): Promise<number> {
  const file = join(folder, `requests-${(await readdir(folder)).length}.json`)
  await writeFile(file, JSON.stringify(requests))
  return floorOf(1, [join(here, 'floor-writes.js'), standIn.url, standIn.key, String(parallelism), file])
}

/** A floor prints its own time: what it does, without the start of its process. */
async function floorOf(runs: number, given: readonly string[]): Promise<number> {
  return Number((await medianOf(runs, () => measure(given))).stdout)
}
