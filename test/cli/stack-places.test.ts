import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'
import { cdktf } from './stack-app.ts'

const workspace = useWorkspace({})
const { vexil, service, write, read } = workspace

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const constructs = join(import.meta.dirname, '../../src/constructs/index.ts')

/** A program in TypeScript whose flags are made on the lines that their keys say. */
const program = `import { App, TerraformStack } from ${JSON.stringify(cdktf)}
import { EventDefinition, FeatureFlag, Flag, VexilProvider } from ${JSON.stringify(constructs)}

const app = new App()
const stack = new TerraformStack(app, 'flags')
new VexilProvider(stack, 'vexil', { projectId: '1' })
interface Given { key: string }
const make = ({ key }: Given) => new Flag(stack, key, { key, active: true, release: [] })
`
const main = ['--app', `node --import ${tsx} main.ts`]

describe('the lines of an app', () => {
  it('stand beside changes and blocked changes, in text and in JSON', async () => {
    const declared = "make({ key: 'new' })\nEventDefinition.named(stack, 'never seen').tag('pay')"
    await write({ 'main.ts': `${program}${declared}\napp.synth()\n` })
    const { stdout } = await vexil(['plan', ...main])
    expect(stdout).toMatch(/\+ flag new +main\.ts:8\n/)
    expect(stdout).toMatch(/! event never seen .+ main\.ts:10\n/)
    const { changes, blocked } = JSON.parse((await vexil(['plan', '--stack', 'flags', '--json'])).stdout)
    const places = [...changes, ...blocked].map(({ address, source }: Given) => [address, source])
    expect(places).toEqual([
      ['feature_flag.new', { file: 'main.ts', line: 8, column: 34 }],
      ['event_definition.never seen', { file: 'main.ts', line: 10, column: 17 }],
    ])
  })

  it('stand before problems and what the app says, and where GitHub shows them', async () => {
    const wrong = "new FeatureFlag(stack, 'wrong', { key: 'x'.repeat(401), active: false })"
    await write({
      'main.ts': `${program}${wrong}\nnew Flag(stack, 'Open', { key: 'open', active: true })\napp.synth()\n`,
    })
    const env = { ...service.env, GITHUB_ACTIONS: 'true' }
    const { code, stderr, stdout } = await vexil(['validate', ...main], { env })
    expect(code).toBe(1)
    expect(`${stdout}${stderr}`).toContain(
      'main.ts:9:1 vexil_feature_flag.wrong.key: the key has 401 characters',
    )
    expect(`${stdout}${stderr}`).toContain('::error file=main.ts,line=9,col=1::vexil_feature_flag.wrong.key')
    expect(`${stdout}${stderr}`).toContain('::warning file=main.ts,line=10,col=1::[flags/Open] "release"')
    const json = JSON.parse((await vexil(['validate', '--stack', 'flags', '--json'])).stdout)
    expect(json.problems.map(({ source }: Given) => source)).toContainEqual({
      file: 'main.ts',
      line: 9,
      column: 1,
    })
  })
})

describe('the tests of an app', () => {
  it('are run at the lines where they were added, and are findings there', async () => {
    const tests = `make({ key: 'new' })
  .addTest({ person: { name: 'ada', distinctId: 'a' }, expect: false })
  .addTest({ person: { name: 'ada', distinctId: 'a' }, expect: true })
const tests = [{ person: {}, expect: true }]
new Flag(stack, 'late', { key: 'late', active: false, release: [], tests })`
    await write({ 'main.ts': `${program}${tests}\napp.synth()\n` })
    const { result, requests } = await service.watch(() =>
      vexil(['test', ...main, '--report', 'tests.junit.xml']),
    )
    expect(requests).toEqual([])
    expect(result).toMatchObject({ code: 1, stdout: '3 tests of 2 flags: 1 passed, 2 failed\n' })
    expect(result.stderr.split('\n').filter(line => line.startsWith('main.ts'))).toEqual([
      'main.ts:13:1 feature_flag "late": test of somebody: expected true, got false (the flag is off or deleted); correct the flag or the test',
      'main.ts:11:4 feature_flag "new": test of "ada": expected true, got false (no condition matches); correct the flag or the test',
    ])
    expect(await read('tests.junit.xml')).toContain('file="main.ts" line="11"')
    const { code, stderr } = await vexil(['validate', '--stack', 'flags'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('main.ts:13:1 feature_flag "late"')])
  })
})

interface Given {
  readonly address: string
  readonly source: unknown
}
