import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as vexil from '../../src/index.ts'
import { type Consumer, useConsumers } from '../support/consumer.ts'
import { useService } from '../support/service.ts'

const consumerWith = useConsumers()
const root = join(import.meta.dirname, '../..')
const examples = join(root, 'examples')

/** What a program can import. Taking one of these away, or another name for it, breaks programs: say so in CHANGELOG.md. */
const names = [
  'CommandError',
  'ProblemsError',
  'ServiceError',
  'SettingError',
  'TransportError',
  'UnexpectedAnswerError',
  'exitCode',
  'load',
  'validate',
]

const flags = `feature_flags:
  checkout_v2: { name: New checkout, active: true, filters: { groups: [{ rollout_percentage: 10 }] }, tags: [checkout] }
`

const service = useService()

/** A project of somebody else's with the package in it, and a repository of declarations. */
async function project(declarations: string): Promise<Consumer> {
  const consumer = await consumerWith({})
  await consumer.write({
    'package.json': '{"type":"module"}',
    'vexil.yaml': 'version: 1\n',
    'flags.yaml': declarations,
    'apply.mjs': await readFile(join(examples, 'program/apply.mjs'), 'utf8'),
  })
  return consumer
}

describe("import 'vexil'", () => {
  it('has these names and no others', () => {
    expect(Object.keys(vexil).sort()).toEqual(names)
  })

  it('has on its page all that it exports, types too', async () => {
    const types = await readFile(join(root, 'dist/index.d.ts'), 'utf8')
    const exported = [...types.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
      .flatMap(([, list = '']) => list.split(','))
      .map(name => name.trim().replace(/^type /, ''))
      .filter(name => name !== '')
    const page = await readFile(join(root, 'docs/library.md'), 'utf8')
    const listed = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name),
    )
    expect(exported.length).toBeGreaterThan(names.length)
    expect(listed.sort()).toEqual(exported.sort())
  })

  it('plans, applies and renders in the example, and has nothing to do the second time', async () => {
    const consumer = await project(flags)
    const first = await consumer.nodeWith(service.env, 'apply.mjs')
    expect(first).toContain('+ flag checkout_v2 ')
    expect(first).toContain('change_done feature_flag.checkout_v2')
    expect(first).toMatch(/1 change applied/)
    const second = await consumer.nodeWith(service.env, 'apply.mjs')
    expect(second).toContain('No changes')
    expect(second).not.toContain('change_')
  })

  it('tells of problems with their positions, of a choice of environments, of a folder that is not there, and of a service that does not answer', async () => {
    const consumer = await project('feature_flags: { checkout_v2: { actve: true } }\n')
    const told = await consumer.nodeWith(service.env, 'apply.mjs')
    expect(told).toContain('flags.yaml:1 "actve" is not a field')
    expect(await consumer.nodeWith(service.env, 'apply.mjs', 'nowhere')).toMatch(/nowhere" cannot be read/)
    await consumer.write({ 'flags.yaml': flags })
    await consumer.write({ 'vexil.yaml': 'version: 1\nenvironments: { staging: {}, production: {} }\n' })
    const unchosen = await consumer.nodeWith(service.env, 'apply.mjs')
    expect(unchosen).toMatch(/^there are 2 environments, and none is selected; select one .*\n/)
    const chosen = await consumer.nodeWith(service.env, 'apply.mjs', '.', 'staging')
    expect(chosen).toMatch(/1 change applied/)
    const nobody = { ...service.env, VEXIL_BASE_URL: 'http://127.0.0.1:1' }
    expect(await consumer.nodeWith(nobody, 'apply.mjs', '.', 'staging')).toMatch(
      /TransportError: GET .*127\.0\.0\.1:1/,
    )
  })

  it('can be required as well', async () => {
    const consumer = await project(flags)
    await consumer.write({ 'main.cjs': "console.log(Object.keys(require('vexil')).sort().join())" })
    const said = await consumer.nodeWith({}, '--no-warnings', 'main.cjs')
    expect(
      said
        .trim()
        .split(',')
        .filter(name => name !== '__esModule' && name !== 'module.exports'),
    ).toEqual(names)
  })

  it('has types that need no other package', async () => {
    const consumer = await project(flags)
    await consumer.write({
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          target: 'es2023',
          // For AbortSignal, which is in Node's types as well.
          lib: ['es2023', 'dom'],
          module: 'nodenext',
          strict: true,
          skipLibCheck: false,
          types: [],
          noEmit: true,
        },
        files: ['main.ts'],
      }),
      'main.ts': `import { load, validate, type Plan, type Problem } from 'vexil'
const repository = await load({ environment: 'production', env: { VEXIL_API_KEY: 'the key' } })
const planned = await repository.plan({ allow: ['rollout_step'], targets: ['checkout_v2'], prune: 'never' })
const plan: Plan = planned.plan
const run = await planned.apply({ allOrNothing: true, onEvent: event => void event.type })
const code: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 64 | 130 | 143 = run.exitCode
const problems: readonly Problem[] = (await validate()).document.problems.map(told => told.problem)
export const all: readonly [Plan, number, readonly Problem[], string] = [plan, code, problems, await run.render('json')]
// @ts-expect-error: no such option
await repository.plan({ alow: [] })
`,
    })
    expect(await consumer.compile('tsconfig.json')).toBe('')
  })
})
