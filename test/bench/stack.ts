import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printFigures } from './print-figures.ts'
import { measure, medianOf } from './process.ts'
import { benchFlag, benchKey, benchOrganization, writeRepository, writeWorld } from './repository.ts'
import { settingsOf, startStandIn } from './stand-in.ts'

const vexil = join(import.meta.dirname, '../../dist/vexil.cjs')
const synthesize = join(import.meta.dirname, 'synthesize-stack.cjs')
const parallelism = 8

/** What it costs to synthesize a stack of so many flags and to plan it, beside the plan of the same flags in YAML. */
export async function benchStack(folder: string, count: number): Promise<void> {
  const directory = join(folder, `stack-${count}`)
  await mkdir(directory, { recursive: true })
  const flags = join(directory, 'flags.json')
  const all = Array.from({ length: count }, (_, index) => ({ key: benchKey(index), ...benchFlag(index) }))
  await writeFile(flags, JSON.stringify(all))
  const synthesized = await measure([synthesize, flags], { cwd: directory })
  const { size } = await stat(join(directory, 'cdktf.out/stacks/bench/cdk.tf.json'))

  const world = join(directory, 'world.json')
  await writeWorld(world, count, benchOrganization)
  const repository = await writeRepository(join(directory, 'yaml'), count)
  const standIn = await startStandIn('--world', world)
  const planOf = (cwd: string, ...given: readonly string[]) =>
    medianOf(3, () =>
      measure([vexil, 'plan', '--detailed-exitcode', ...given], {
        cwd,
        env: settingsOf(standIn, parallelism),
      }),
    )
  try {
    const ofStack = await planOf(directory, '--stack', 'bench')
    const ofYaml = await planOf(repository)
    if (ofStack.code !== 0)
      throw new Error(`the plan of the stack is not empty: ${ofStack.stdout.slice(0, 500)}`)
    printFigures(`stack of ${count} flags`, {
      'synthesize ms': synthesized.wallMs,
      'synthesize peak MB': synthesized.peakMb,
      'cdk.tf.json MB': size / 1_000_000,
      'plan ms': ofStack.wallMs,
      'plan peak MB': ofStack.peakMb,
      'plan of YAML ms': ofYaml.wallMs,
      ratio: ofStack.wallMs / ofYaml.wallMs,
    })
  } finally {
    await standIn.stop()
  }
}
