import { execFileSync } from 'node:child_process'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { printFigures } from './print-figures.ts'
import { measure, mediansOf } from './process.ts'
import { benchFlag, benchOrganization, writeRepository, writeWorld } from './repository.ts'
import { settingsOf, startStandIn } from './stand-in.ts'

const vexil = join(import.meta.dirname, '../../dist/vexil.cjs')
const parallelism = 8
const runs = 5

/** Every so many flags one is changed in the repository since the run on record. */
const changedEvery = 100

/**
 * What a base costs: plans of flags of which an apply at an earlier commit is on record, beside the same without that
 * record. A hundredth of the flags was changed in the repository since.
 */
export async function benchBase(folder: string, count: number): Promise<void> {
  const world = join(folder, `base-world-${count}.json`)
  await writeWorld(world, count, benchOrganization)
  const known = await writeRepository(join(folder, `known-${count}`), count)
  const standIn = await startStandIn('--world', world)
  const env = settingsOf(standIn, parallelism)
  const plan = (cwd: string) => () => measure([vexil, 'plan', '--detailed-exitcode'], { cwd, env, ends: [2] })
  try {
    commit(known)
    await measure([vexil, 'apply', '--auto-approve'], { cwd: known, env })
    await writeRepository(known, count, index =>
      benchFlag(index, index % changedEvery === 0 ? (index + 1) % 101 : undefined),
    )
    commit(known)
    const unknown = join(folder, `unknown-${count}`)
    await cp(known, unknown, { recursive: true })
    await rm(join(unknown, '.vexil'), { recursive: true })
    const { withBase, without } = await mediansOf(runs, { withBase: plan(known), without: plan(unknown) })
    printFigures(`plan ${count} flags with a base`, {
      'cpu ms': withBase.cpuMs,
      'cpu without ms': without.cpuMs,
      'cpu / without': withBase.cpuMs / without.cpuMs,
      'wall ms': withBase.wallMs,
      'wall without ms': without.wallMs,
      'wall / without': withBase.wallMs / without.wallMs,
      'peak MB': withBase.peakMb,
      'peak without MB': without.peakMb,
    })
  } finally {
    await standIn.stop()
  }
}

function commit(directory: string): void {
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: directory, stdio: 'ignore' })
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  git('init', '--quiet')
  git('add', '--all', '--', '.', ':(exclude).vexil')
  git(...who, 'commit', '--quiet', '--message', 'Change')
}
