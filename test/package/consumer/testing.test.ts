import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Consumer, useConsumers } from '../../support/consumer.ts'
import { variants } from '../../support/rounds.ts'
import { testFile } from './testing-programs.ts'

const consumerWith = useConsumers()

async function testedWith(engine: string, type: string): Promise<Consumer> {
  const names = ['vitest', '@types', engine]
  const consumer = await consumerWith(Object.fromEntries(names.map(name => [name, name])))
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

/** What the template of CDKTF has in its test: the engine's own matchers, some of which have the names of ours. */
const ofTheEngine = (engine: string) => `import '${engine}/lib/testing/adapters/jest'\n`

/** How the compiler is set: by whoever knows `exports`, or as the template of CDKTF does. */
const compilers = {
  nodenext: { target: 'es2023', module: 'nodenext' },
  template: {
    ...{ target: 'es2018', lib: ['es2018'], module: 'commonjs' },
    ...{ moduleResolution: 'bundler', resolvePackageJsonExports: false },
  },
}

async function typedWithJest(
  engine: string,
  before: string,
  compiler: keyof typeof compilers,
): Promise<Consumer> {
  const names = ['expect', '@types', engine]
  const consumer = await consumerWith(Object.fromEntries(names.map(name => [name, name])))
  const compilerOptions = {
    ...{ ...compilers[compiler], strict: true, skipLibCheck: true, noEmit: true },
    types: ['node', 'jest', 'vexil/testing/jest'],
  }
  await consumer.write({
    'package.json': '{}',
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['flags.test.ts'] }),
    'flags.test.ts': `${before}${testFile(engine)}`,
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

describe('the packed sandbox of a test', () => {
  it('does not keep a process from its end, as where a test fails before it closes it', async () => {
    const consumer = await consumerWith({})
    await consumer.write({
      'main.cjs': `const { startSandbox } = require('vexil/testing')
startSandbox().then(async ({ url }) => console.log((await fetch(url + '/api/projects/1/feature_flags/')).status))`,
    })
    expect(await consumer.node('main.cjs')).toBe('401\n')
  })
})

describe.each(['cdktf', 'cdktn'])('the packed help for tests, with %s', engine => {
  it.each(variants(engine === 'cdktf' ? ['commonjs', 'module'] : ['module', 'commonjs']))(
    'type-checks and runs in a project of %s',
    async type => {
      const consumer = await testedWith(engine, type)
      expect(await consumer.compile('tsconfig.json')).toBe('')
      expect(await testsOf(consumer)).toMatchObject({ numPassedTests: 3, numFailedTests: 0 })
    },
  )

  const settings = [
    ['as in the template of CDKTF', ofTheEngine(engine), 'template'],
    ['alone', '', 'nodenext'],
    ['beside those of the engine', ofTheEngine(engine), 'nodenext'],
  ] as const
  it.each(variants(settings))('has types for jest: %s', async (_, before, compiler) => {
    const consumer = await typedWithJest(engine, before, compiler)
    expect(await consumer.compile('tsconfig.json')).toBe('')
  })
})
