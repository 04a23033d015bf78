import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printFigures } from './print-figures.ts'
import { type Measured, measure } from './process.ts'
import { benchFlag, benchKey, benchOrganization, writeRepository, writeWorld } from './repository.ts'
import { settingsOf, startStandIn } from './stand-in.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Builds another commit in a folder of its own, and runs commands and syntheses of both in turns: the ratios of processor time, wall
 * time and peak memory to that commit, each the median of the ratios of all turns, with the lowest and the highest.
 */
export async function compareWith(
  revision: string,
  folder: string,
  counts: readonly number[],
): Promise<void> {
  const other = join(folder, 'other')
  execFileSync('git', ['clone', '--quiet', '--shared', root, other])
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: other, stdio: 'pipe' })
  run('git', 'checkout', '--quiet', revision)
  // Scripts of packages are not run: an addon that is built at install is for the sandbox, which stays ours.
  run('npm', 'ci', '--ignore-scripts')
  run('npm', 'run', 'bundle')
  const programs = [other, root].map(each => join(each, 'dist/vexil.cjs'))
  await inTurns('start', 15, programs, ['--version'], {})
  for (const count of counts) {
    const world = join(folder, `world-${count}.json`)
    await writeWorld(world, count, benchOrganization)
    const repository = await writeRepository(join(folder, `repository-${count}`), count)
    const standIn = await startStandIn('--world', world)
    const env = settingsOf(standIn, 8)
    const turns = count > 10_000 ? 3 : 7
    try {
      await inTurns(`plan of ${count} flags`, turns, programs, ['plan'], { cwd: repository, env })
      await inTurns(`validate ${count} flags`, turns, programs, ['validate'], { cwd: repository })
      if (count > 10_000) continue
      const stack = join(folder, `stack-${count}`)
      const flags = Array.from({ length: count }, (_, at) => ({ key: benchKey(at), ...benchFlag(at) }))
      await mkdir(stack)
      await writeFile(join(stack, 'flags.json'), JSON.stringify(flags))
      const synthesizers = [other, root].map(each => join(each, 'test/bench/synthesize-stack.cjs'))
      await inTurns(`synthesis of ${count} flags`, 1, synthesizers, ['flags.json'], { cwd: stack })
      await inTurns(`plan of a stack of ${count} flags`, 3, programs, ['plan', '--stack', 'bench'], {
        cwd: stack,
        env,
      })
    } finally {
      await standIn.stop()
    }
  }
}

async function inTurns(
  title: string,
  turns: number,
  [other = '', ours = '']: readonly string[],
  command: readonly string[],
  options: Parameters<typeof measure>[1],
): Promise<void> {
  const pairs: (readonly [other: Measured, ours: Measured])[] = []
  // The first turn compiles both, and is not counted.
  for (let turn = 0; turn <= turns; turn++) {
    const pair = [
      await measure([other, ...command], options),
      await measure([ours, ...command], options),
    ] as const
    if (turn > 0) pairs.push(pair)
  }
  const figures = (['cpuMs', 'wallMs', 'peakMb'] as const).flatMap(name => {
    const inOrder = (figure: (pair: (typeof pairs)[number]) => number) =>
      pairs.map(figure).sort((left, right) => left - right)
    const ratios = inOrder(([before, now]) => now[name] / before[name])
    const middle = Math.floor(pairs.length / 2)
    return [
      [name, inOrder(([, now]) => now[name])[middle]],
      [`${name} ratio`, ratios[middle]],
      [`${name} from`, ratios[0]],
      [`${name} to`, ratios.at(-1)],
    ]
  })
  printFigures(title, Object.fromEntries(figures))
}
