import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Consumer, useConsumers } from '../../support/consumer.ts'
import { variants } from '../../support/rounds.ts'
import { startService } from '../../support/service.ts'
import {
  appProgram,
  jestLikeRunner,
  mixedProgram,
  program,
  programSynthesizes,
  settings,
} from './programs.ts'

const consumerWith = useConsumers()

/** A project whose programs are compiled by the settings of this name. */
async function compiledWith(engine: string, name: keyof typeof settings): Promise<Consumer> {
  const { type, compilerOptions } = settings[name]
  const common = { target: 'es2023', strict: true, skipLibCheck: false, types: [], declaration: true }
  const consumer = await consumerWith({ [engine]: engine })
  await consumer.write({
    'package.json': JSON.stringify({ type }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { ...common, ...compilerOptions },
      files: ['main.ts', 'app.ts'],
    }),
    'main.ts': program(engine),
    'app.ts': appProgram(engine),
  })
  expect(await consumer.compile('tsconfig.json')).toBe('')
  return consumer
}

const names = Object.keys(settings) as (keyof typeof settings)[]

describe.each(['cdktf', 'cdktn'])('the packed constructs with %s and nothing else', engine => {
  const compiled = new Map<string, Promise<Consumer>>()
  /** Compiled once: the compiler takes longer than all else. */
  function projectOf(name: keyof typeof settings): Promise<Consumer> {
    const project = compiled.get(name) ?? compiledWith(engine, name)
    compiled.set(name, project)
    return project
  }

  it.each(variants(names))('type-check and synthesize in a project of %s', async name => {
    const consumer = await projectOf(name)
    expect(JSON.parse(await consumer.node('main.js'))).toEqual(programSynthesizes)
  })

  it.each(['ES modules', 'CommonJS'] as const)('are applied by the packed command line: %s', async name => {
    const service = await startService()
    try {
      const consumer = await projectOf(name)
      const stack = ['--app', 'node app.js']
      expect(await consumer.vexil(['apply', '--auto-approve', ...stack], service.env)).toContain(
        '4 changes applied',
      )
      const again = await consumer.vexil(['plan', '--detailed-exitcode', ...stack], service.env)
      expect(again).toContain('No changes')
    } finally {
      await service.close()
    }
  })

  it('run where modules are loaded as jest does', async () => {
    const consumer = await projectOf('CommonJS')
    await consumer.write({ 'jest-like.js': jestLikeRunner })
    expect(JSON.parse(await consumer.node('jest-like.js'))).toEqual(programSynthesizes)
  })

  it('run where TypeScript is compiled while it is required', async () => {
    const consumer = await consumerWith({ [engine]: engine })
    await consumer.write({ 'package.json': '{}', 'main.ts': program(engine) })
    const hook = fileURLToPath(import.meta.resolve('tsx/cjs'))
    expect(JSON.parse(await consumer.node('--require', hook, 'main.ts'))).toEqual(programSynthesizes)
  })
})

describe('the packed constructs', () => {
  it('take cdktn for cdktf where it is installed under that name', async () => {
    const consumer = await consumerWith({ cdktf: 'cdktn' })
    await consumer.write({ 'package.json': '{"type":"module"}', 'main.ts': program('cdktf') })
    const hook = import.meta.resolve('tsx')
    expect(JSON.parse(await consumer.node('--import', hook, 'main.ts'))).toEqual(programSynthesizes)
  })

  it.each([
    ['cdktf', 'cdktn'],
    ['cdktn', 'cdktf'],
  ])('say so when an app of %s gets a construct for %s', async (engine, constructs) => {
    const consumer = await consumerWith({ cdktf: 'cdktf', cdktn: 'cdktn' })
    await consumer.write({ 'main.js': mixedProgram(engine, constructs) })
    expect(await consumer.node('main.js')).toBe(
      `"flags/checkout": this construct is made for ${constructs}, but the app comes from ${engine}; ` +
        `import the construct from "vexil/${engine}", or everything else from "${constructs}"\n`,
    )
  })

  it('keep what is inside to themselves', async () => {
    const consumer = await consumerWith({ cdktf: 'cdktf' })
    await consumer.write({ 'main.js': "require('vexil/cdktf/types/cdktf/generated')" })
    expect(await consumer.node('main.js')).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })
})
