import { join } from 'node:path'
import { App, TerraformStack } from 'cdktf'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { VexilProvider } from '../../../src/constructs/generated/provider/index.ts'
import { Flag, When } from '../../../src/constructs/own-constructs.ts'
import type { Problem } from '../../../src/model/problem.ts'
import { reportFormats } from '../../../src/report/formats.ts'
import { useWorkspace } from '../../support/workspace.ts'

const ceiling = 'max_rollout: { at_most: 75, everyone_only: true, level: warning }'
const settings = (more = '') => `version: 1\npolicies: { ${ceiling} }\n${more}`

const wide = (key: string, more = '') => `  ${key}: { active: true, rollout_percentage: 90${more} }\n`

const workspace = useWorkspace({
  'vexil.yaml': settings(),
  'flags/a.yaml': `feature_flags:\n${wide('applied')}`,
})
const { vexil, write, read } = workspace

const ends = reportFormats().map(({ extension }) => extension)

/** Those that tell warnings: a code host that is given SARIF of validate and of a plan would show them twice. */
const tellingEnds = ends.filter(end => end !== '.sarif')
const reports = ends.map(end => `--report r${end}`).join(' ')

/** Plans with a report of each kind after `applied` was applied. */
async function planned(files: Readonly<Record<string, string>>, options = '') {
  expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
  await write(files)
  const result = await vexil(`plan ${options} ${reports}`)
  expect(result.code, result.stderr).toBe(0)
  return result
}

async function warningsInJson(): Promise<readonly Problem[]> {
  return JSON.parse(await read('r.json')).warnings
}

const added = {
  'flags/b.yaml': `feature_flags:\n${wide('checkout')}  narrow: { active: true, rollout_percentage: 5 }\n`,
}

describe('what policies warn of in a plan', () => {
  it.each(tellingEnds)(
    'stands in its report %s with rule, place and remedy, and nothing of what is as declared',
    async end => {
      const { stdout } = await planned(added, '--json')
      const [warned, ...others] = JSON.parse(stdout).warnings as readonly Problem[]
      expect(others).toEqual([])
      expect(warned).toMatchObject({
        code: 'policy-max-rollout',
        address: 'feature_flag.checkout',
        source: { file: 'flags/b.yaml', line: 2 },
      })
      const text = await read(`r${end}`)
      for (const words of ['policy-max-rollout', 'goes to 90%', 'of the policy'])
        expect(text).toContain(words)
      expect(text).toMatch(/flags(?:\/|%2F)b\.yaml/)
      expect(text).not.toMatch(/applied.{0,12}: condition/)
    },
  )

  it('is the same that validate says of these objects', async () => {
    await planned(added)
    const { stdout } = await vexil('validate --json')
    const problems = JSON.parse(stdout).problems as readonly Problem[]
    const [found, ...others] = problems.filter(({ address }) => address === 'feature_flag.checkout')
    expect(others).toEqual([])
    const { severity, ...told } = found ?? {}
    expect(severity).toBe('warning')
    expect(await warningsInJson()).toEqual([told])
  })

  it('is a skipped case in JUnit, and left to validate in SARIF', async () => {
    await planned(added)
    // A code host that is given both would show it twice.
    expect(JSON.parse(await read('r.sarif')).runs[0].results).toEqual([])
    const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' })
    const { testsuite } = parser.parse(await read('r.junit.xml')).testsuites
    expect([testsuite.failures, testsuite.skipped]).toEqual(['0', '1'])
    const skipped = testsuite.testcase.filter((each: object) => 'skipped' in each)
    expect(skipped).toMatchObject([{ classname: 'policy-max-rollout', file: 'flags/b.yaml', line: '2' }])
  })

  it('is in no plan about other objects', async () => {
    await planned(added, '--target narrow')
    expect(await warningsInJson()).toBeUndefined()
    for (const end of ends) expect(await read(`r${end}`)).not.toContain('policy-max-rollout')
  })

  it('is counted beyond ten where people read it, and whole for programs', async () => {
    const many = Array.from({ length: 13 }, (_, at) => wide(`many_${at}`)).join('')
    await planned({ 'flags/b.yaml': `feature_flags:\n${many}` })
    const times = (text: string) => text.split('goes to 90%').length - 1
    for (const end of ['.md', '.txt']) {
      const text = await read(`r${end}`)
      expect([end, times(text)]).toEqual([end, 10])
      expect(text).toContain('3 more warnings')
    }
    expect(await warningsInJson()).toHaveLength(13)
  })

  it('does not keep the plan that is printed from being applied', async () => {
    const { stdout } = await planned(added, '--json')
    await write({ 'printed.json': stdout })
    expect(await vexil('apply printed.json --auto-approve')).toMatchObject({ code: 0 })
    expect(await workspace().flag('checkout')).toMatchObject({ active: true })
  })
})

const stack = (filters: object) => {
  const shop = { key: 'checkout', active: true, filters: JSON.stringify(filters) }
  return { 'stacks/shop/cdk.tf.json': JSON.stringify({ resource: { vexil_feature_flag: { shop } } }) }
}

describe('what a warning quotes', () => {
  const pattern = '(?<!canary)mail'
  const email = { key: 'email', type: 'person', operator: 'regex', value: pattern }
  const filters = { groups: [{ properties: [email], rollout_percentage: 10 }] }
  const flag = JSON.stringify({ active: true, filters })
  const files = { 'flags/b.yaml': `feature_flags:\n  checkout: ${flag}\n` }

  it('is told', async () => {
    await planned(files)
    for (const end of tellingEnds) expect(await read(`r${end}`), end).toContain('SDKs read')
    expect(JSON.stringify(await warningsInJson())).toContain(pattern)
  })

  it('is hidden in every report where values are', async () => {
    const hidden = { ...files, 'vexil.yaml': settings('redact: [values]\n') }
    const { stdout, stderr } = await planned(hidden)
    expect(stdout + stderr).not.toContain(pattern)
    expect(await warningsInJson()).toHaveLength(1)
    for (const end of ends) expect(await read(`r${end}`), end).not.toContain(pattern)
  })
})

describe('what policies warn of in a plan of a stack', () => {
  it('stands in its reports whether or not the stack tells places', async () => {
    await planned(stack({ groups: [{ rollout_percentage: 90 }] }), '--stack stacks/shop')
    for (const end of tellingEnds) expect(await read(`r${end}`), end).toContain('policy-max-rollout')
  })

  it('stands there at the place of its construct, and nothing of what is as declared', async () => {
    const { path } = workspace()
    const synthesize = (...keys: readonly string[]) => {
      const app = new App({ outdir: join(path, 'cdktf.out') })
      const shop = new TerraformStack(app, 'shop')
      new VexilProvider(shop, 'vexil', {})
      if (keys.includes('one'))
        new Flag(shop, 'One', { key: 'one', active: true, release: [When.everyone().at(90)] })
      if (keys.includes('two'))
        new Flag(shop, 'Two', { key: 'two', active: true, release: [When.everyone().at(90)] })
      app.synth()
    }
    synthesize('one')
    expect(await vexil('apply --stack shop --auto-approve')).toMatchObject({ code: 0 })
    synthesize('one', 'two')
    const { code, stderr } = await vexil(`plan --stack shop ${reports}`)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('2 warnings: ')
    const [warned, ...others] = await warningsInJson()
    expect(others).toEqual([])
    expect(warned?.source?.file).toMatch(/plan-warnings\.test\.ts$/)
    const text = await read('r.md')
    expect(text).toContain('vexil_feature_flag.two: condition')
    expect(text).not.toContain('vexil_feature_flag.one: condition')
  })
})
