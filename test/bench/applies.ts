import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadOf } from './load.ts'
import { printFigures } from './print-figures.ts'
import { type Measured, measure, mediansOf } from './process.ts'
import { benchFlag, benchKey, builtReader, writeRepository } from './repository.ts'
import { type StandIn, settingsOf, startStandIn } from './stand-in.ts'

const here = import.meta.dirname
const vexil = join(here, '../../dist/vexil.cjs')
const parallelism = 8
const runs = 3
const flags = '/api/projects/1/feature_flags'
const readPath = '/api/projects/{project_id}/feature_flags/{id}'

/**
 * Applies of so many creations and of as many changes of conditions, beside the same bodies sent by a bare client at the
 * same concurrency after the start of node and of what an apply loads. A bare change is a PATCH.
 *
 * The floor is what no program that does the same is without: that start, the files through the fastest parser, the list,
 * the reads that the apply has made before it wrote, and each write on record before it leaves and when it is answered.
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
  const plain = await builtReader(folder)
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
  const bare = async (requests: readonly unknown[], standIn: StandIn, ...more: readonly string[]) => {
    const file = join(folder, 'requests.json')
    await writeFile(file, JSON.stringify(requests))
    const given = [standIn.url, standIn.key, String(parallelism), file, ...more]
    return measure([join(here, 'floor-writes.js'), ...given])
  }
  /** One that may be killed at any moment. */
  const safely = async (requests: readonly unknown[], standIn: StandIn): Promise<Measured> => {
    const journal = join(folder, 'requests.jsonl')
    await rm(journal, { force: true })
    return bare(requests, standIn, journal)
  }
  /** As many reads as the last apply has made, each right before its write. */
  const readAndPatched = () => {
    const reads = sent.patch?.[`GET ${readPath}`] ?? 0
    return patched.flatMap((patch, index) =>
      index < reads ? [{ method: 'GET', path: patch.path }, patch] : [patch],
    )
  }
  const list = (standIn: StandIn) =>
    measure([join(here, 'floor-http.js'), standIn.url, flags, standIn.key, '1000', String(parallelism)])
  const medians = await mediansOf(runs, {
    start: await loadOf(folder, 'apply'),
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
    safeCreate: () => onNew(standIn => safely(posted, standIn)),
    safePatch: () =>
      onNew(async standIn => {
        await bare(posted, standIn)
        return safely(readAndPatched(), standIn)
      }),
    list: () =>
      onNew(async standIn => {
        await bare(posted, standIn)
        return list(standIn)
      }),
    plain: () => measure([join(here, 'floor-yaml.js'), join(patches, 'flags'), plain]),
    empty: () => measure(['-e', '0']),
  })
  const { start, empty, create, bareCreate, safeCreate, patch, barePatch, safePatch } = medians
  const told = (name: 'create' | 'patch', apply: Measured, bareOnes: Measured, safeOnes: Measured) => {
    const bareMs = start.wallMs + inside(bareOnes)
    // A new project has an empty list.
    const parts = [medians.plain, safeOnes, ...(name === 'patch' ? [medians.list] : [])]
    const floorMs = parts.reduce((sum, part) => sum + inside(part), start.wallMs)
    const floorCpuMs = parts.reduce((sum, { cpuMs }) => sum + cpuMs - empty.cpuMs, start.cpuMs)
    return {
      'wall ms': apply.wallMs,
      'bare ms': bareMs,
      'of it start ms': start.wallMs,
      'apply / bare': apply.wallMs / bareMs,
      'floor ms': floorMs,
      'floor / bare': floorMs / bareMs,
      'apply / floor': apply.wallMs / floorMs,
      'cpu ms': apply.cpuMs,
      'cpu of the floor ms': floorCpuMs,
      'cpu / floor': apply.cpuMs / floorCpuMs,
      'peak MB': apply.peakMb,
      ...sent[name],
    }
  }
  printFigures(`apply of ${count} creates, ${profile}`, told('create', create, bareCreate, safeCreate))
  printFigures(`apply of ${count} patches, ${profile}`, told('patch', patch, barePatch, safePatch))
}

/** What a part of a floor has taken, without the start of its process. */
function inside({ stdout }: Measured): number {
  return Number(stdout)
}
