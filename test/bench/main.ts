import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure, medianOf } from './process.ts'
import { benchFlag, benchKey, writeRepository, writeWorld } from './repository.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

/**
 * `npm run bench [-- COUNT ...]`: what a plan and an apply cost beside what the machine allows. Nothing here fails
 * for being slow; the figures are for people.
 */

const vexil = join(import.meta.dirname, '../../dist/vexil.js')
const here = import.meta.dirname
const pageSize = 1000
const parallelism = 8
const organization = '01900000-0000-0000-0000-000000000001'
const counts = process.argv.slice(2).map(Number).filter(Number.isInteger)

const folder = await mkdtemp(join(tmpdir(), 'vexil-bench-'))
try {
  const startMs = await benchStart()
  for (const count of counts.length > 0 ? counts : [1000, 10_000, 100_000]) await benchPlan(count, startMs)
  await benchApply(1000, startMs)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function benchStart(): Promise<number> {
  const empty = await medianOf(9, () => measure(['-e', '0']))
  const version = await medianOf(9, () => measure([vexil, '--version']))
  print('start', {
    'node -e 0 ms': empty.wallMs,
    'vexil --version ms': version.wallMs,
    'above ms': version.wallMs - empty.wallMs,
  })
  return empty.wallMs
}

async function benchPlan(count: number, startMs: number): Promise<void> {
  const world = join(folder, `world-${count}.json`)
  await writeWorld(world, count, organization)
  const repository = await writeRepository(join(folder, `plan-${count}`), count)
  const standIn = await startStandIn('--world', world)
  try {
    const runs = count > 10_000 ? 1 : 3
    const plan = await medianOf(runs, async () => {
      await standIn.resetRequests()
      return measure([vexil, 'plan', '--detailed-exitcode'], { cwd: repository, env: envOf(standIn) })
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
    print(`plan of ${count} flags`, {
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

async function benchApply(count: number, startMs: number): Promise<void> {
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
    bare,
    bodies.flatMap((body, index) => [
      { method: 'GET', path: `${flags}/${index + 1}` },
      { method: 'PATCH', path: `${flags}/${index + 1}`, body },
    ]),
  )
  await bare.stop()

  print(`apply of ${count} creates`, {
    'wall ms': created.wallMs,
    'bare ms': startMs + bareCreates,
    ratio: created.wallMs / (startMs + bareCreates),
    requests: created.requests,
  })
  print(`apply of ${count} patches`, {
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
    env: envOf(standIn),
  })
  return { wallMs, requests: await standIn.requests() }
}

async function bareWrites(standIn: StandIn, requests: readonly unknown[]): Promise<number> {
  const file = join(folder, `requests-${(await readdir(folder)).length}.json`)
  await writeFile(file, JSON.stringify(requests))
  return floorOf(1, [join(here, 'floor-writes.js'), standIn.url, standIn.key, String(parallelism), file])
}

/** A floor prints its own time: what it does, without the start of its process. */
async function floorOf(runs: number, given: readonly string[]): Promise<number> {
  return Number((await medianOf(runs, () => measure(given))).stdout)
}

function envOf(standIn: StandIn): Record<string, string> {
  return {
    VEXIL_BASE_URL: standIn.url,
    VEXIL_API_KEY: standIn.key,
    VEXIL_PROJECT_ID: '1',
    VEXIL_ORGANIZATION_ID: standIn.organization,
    VEXIL_PARALLELISM: String(parallelism),
  }
}

function print(title: string, figures: Readonly<Record<string, number>>): void {
  const cells = Object.entries(figures).map(
    ([name, value]) => `${name} ${Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 0)}`,
  )
  console.log(`${title}: ${cells.join(', ')}`)
}
