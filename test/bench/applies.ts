import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printFigures } from './print-figures.ts'
import { type Measured, measure, mediansOf } from './process.ts'
import { benchFlag, benchKey, writeRepository } from './repository.ts'
import { type StandIn, settingsOf, startStandIn } from './stand-in.ts'

const here = import.meta.dirname
const dist = join(here, '../../dist')
const vexil = join(dist, 'vexil.js')
const parallelism = 8
const runs = 3
const flags = '/api/projects/1/feature_flags'

/**
 * Applies of so many creations and of as many changes of conditions, beside the same bodies sent by a bare client at the
 * same concurrency after the start of node and of what an apply loads. A bare change is a PATCH; where the apply has read
 * objects first, it is shown beside as many reads as well.
 */
export async function benchApplies(
  folder: string,
  { profile, count }: { readonly profile: string; readonly count: number },
): Promise<void> {
  const percentAfter = (index: number) => (index + 1) % 101
  const creates = await writeRepository(join(folder, `creates-${profile}`), count)
  const patches = await writeRepository(join(folder, `patches-${profile}`), count, index =>
    benchFlag(index, percentAfter(index)),
  )
  const indexes = Array.from({ length: count }, (_, index) => index)
  const posted = indexes.map(index => ({
    method: 'POST',
    path: flags,
    body: { key: benchKey(index), ...benchFlag(index) },
  }))
  // Ids count up in an empty sandbox.
  const patched = indexes.map(index => ({
    method: 'PATCH',
    path: `${flags}/${index + 1}`,
    body: { filters: benchFlag(index, percentAfter(index)).filters },
  }))
  const readAndPatched = patched.flatMap(patch => [{ method: 'GET', path: patch.path }, patch])
  const sent: Record<string, Readonly<Record<string, number>>> = {}
  const onNew = async <Done>(use: (standIn: StandIn) => Promise<Done>): Promise<Done> => {
    const standIn = await startStandIn('--empty', '--profile', profile)
    try {
      return await use(standIn)
    } finally {
      await standIn.stop()
    }
  }
  const applied = async (name: string, repository: string, standIn: StandIn) => {
    const directory = await mkdtemp(join(folder, `${name}-`))
    try {
      await cp(repository, directory, { recursive: true })
      await standIn.resetRequests()
      const env = settingsOf(standIn, parallelism)
      const apply = await measure([vexil, 'apply', '--auto-approve'], { cwd: directory, env })
      sent[name] = await standIn.requestsByTemplate()
      return apply
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }
  const bare = async (requests: readonly unknown[], standIn: StandIn): Promise<Measured> => {
    const file = join(folder, 'requests.json')
    await writeFile(file, JSON.stringify(requests))
    return measure([join(here, 'floor-writes.js'), standIn.url, standIn.key, String(parallelism), file])
  }
  const medians = await mediansOf(runs, {
    start: () => measure([join(here, 'floor-load.js'), dist, 'apply', 'text', 'undici']),
    create: () => onNew(standIn => applied('create', creates, standIn)),
    bareCreate: () => onNew(standIn => bare(posted, standIn)),
    patch: () =>
      onNew(async standIn => {
        await bare(posted, standIn)
        return applied('patch', patches, standIn)
      }),
    barePatch: () =>
      onNew(async standIn => {
        await bare(posted, standIn)
        return bare(patched, standIn)
      }),
    bareReadAndPatch: () =>
      onNew(async standIn => {
        await bare(posted, standIn)
        return bare(readAndPatched, standIn)
      }),
  })
  const floor = ({ stdout }: Measured) => medians.start.wallMs + Number(stdout)
  const told = (name: 'create' | 'patch', apply: Measured, bareMs: number) => ({
    'wall ms': apply.wallMs,
    'bare ms': bareMs,
    'of it start ms': medians.start.wallMs,
    'apply / bare': apply.wallMs / bareMs,
    'cpu ms': apply.cpuMs,
    'peak MB': apply.peakMb,
    ...sent[name],
  })
  const { create, bareCreate, patch, barePatch, bareReadAndPatch } = medians
  printFigures(`apply of ${count} creates, ${profile}`, told('create', create, floor(bareCreate)))
  printFigures(`apply of ${count} patches, ${profile}`, {
    ...told('patch', patch, floor(barePatch)),
    'bare with reads ms': floor(bareReadAndPatch),
    'apply / bare with reads': patch.wallMs / floor(bareReadAndPatch),
  })
}
