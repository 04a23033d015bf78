import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aConsumer, type Consumer, pack } from './consumer.ts'
import { testFile } from './testing-programs.ts'

const consumers: Consumer[] = []
let folder: string
let tarball: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vexil-packed-'))
  tarball = await pack(folder)
})

afterAll(async () => {
  for (const consumer of consumers) await consumer.remove()
  await rm(folder, { recursive: true, force: true })
})

async function consumerWith(engine: string, type: string): Promise<Consumer> {
  const names = ['constructs', 'vitest', '@types', engine]
  const consumer = await aConsumer(tarball, Object.fromEntries(names.map(name => [name, name])))
  consumers.push(consumer)
  const compilerOptions = {
    ...{ target: 'es2023', module: 'nodenext', strict: true, skipLibCheck: true, noEmit: true },
    types: ['node', 'vitest/globals', 'vexil/testing/vitest'],
  }
  await consumer.write({
    'package.json': JSON.stringify({ type }),
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['flags.test.ts'] }),
    'vitest.config.mjs': `export default { test: { globals: true, setupFiles: ['vexil/testing/vitest'] } }`,
    'flags.test.ts': testFile(engine),
  })
  return consumer
}

async function testsOf(consumer: Consumer): Promise<{ readonly numPassedTests: number }> {
  const vitest = join(consumer.directory, 'node_modules/vitest/vitest.mjs')
  const said = await consumer.node(vitest, 'run', '--reporter=json')
  try {
    return JSON.parse(said.slice(said.indexOf('{')))
  } catch {
    throw new Error(said)
  }
}

describe.each(['cdktf', 'cdktn'])('the packed help for tests, with %s', engine => {
  it.each(['module', 'commonjs'])('type-checks and runs in a project of %s', async type => {
    const consumer = await consumerWith(engine, type)
    expect(await consumer.compile('tsconfig.json')).toBe('')
    expect(await testsOf(consumer)).toMatchObject({ numPassedTests: 2, numFailedTests: 0 })
  })
})
