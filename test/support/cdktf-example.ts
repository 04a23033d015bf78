import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aConsumer, type Consumer, pack } from '../package/consumer/consumer.ts'

const example = join(import.meta.dirname, '../../examples/cdktf')

/** The example of constructs as somebody has it who installed the package: no link into this tree, and no network. */
export async function installedExample(): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-packed-'))
  try {
    const modules = ['cdktn', 'constructs', 'tsx', 'typescript', 'vitest', '@types']
    const consumer = await aConsumer(
      await pack(folder),
      Object.fromEntries(modules.map(name => [name, name])),
    )
    await cp(example, consumer.directory, { recursive: true })
    return consumer
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs the example's own program, which writes all of its stacks; the folder that they are in. */
export async function synthesized(consumer: Consumer): Promise<string> {
  const said = await consumer.node('--import', import.meta.resolve('tsx'), 'main.ts')
  if (said !== '') throw new Error(`the example does not synthesize:\n${said}`)
  return join(consumer.directory, 'cdktf.out/stacks')
}
