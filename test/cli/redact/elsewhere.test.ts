import { describe, expect, it } from 'vitest'
import { reportFormats } from '../../../src/report/formats.ts'
import { allParts, canary, countCanaries } from '../../support/canaries.ts'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, write, read } = workspace

const parts = 'redact: [payloads, descriptions, values]'

describe('vexil compare --redact', () => {
  it('tells in what environments differ and none of the values, in each form', async () => {
    const name = `name: ${canary}-one, environments: { production: { name: ${canary}-two } }`
    await write({
      'vexil.yaml': 'version: 1\nenvironments: { staging: {}, production: {} }\n',
      'flags.yaml': `feature_flags: { checkout: { active: false, ${name} } }\n`,
    })
    for (const form of ['', '--json']) {
      const open = await vexil(`compare staging production ${form}`)
      expect(open.stdout).toContain(canary)
      const hidden = await vexil(`compare staging production --redact ${allParts} ${form}`)
      expect(hidden.code).toBe(open.code)
      expect(hidden.stdout + hidden.stderr).not.toContain(canary)
      expect(hidden.stdout).toMatch(/description: \(sensitive [0-9a-f]{8}\) -> \(sensitive [0-9a-f]{8}\)/)
    }
  })
})

describe('vexil test --redact', () => {
  const tested = (settings: string, sensitive = '') => ({
    'vexil.yaml': `version: 1\n${settings}`,
    'flags.yaml': `feature_flags:
  checkout:${sensitive}
    active: true
    filters:
      groups:
        - properties: [ { key: email, type: person, operator: exact, value: [${canary}-a, ${canary}-b] } ]
        - properties: [ { key: plan, type: person, operator: icontains, value: ${canary}-plan } ]
      payloads: { "true": '{"text":"${canary}-payload"}' }
    tests:
      - person: { distinct_id: ${canary}-ada, properties: { email: ${canary}-a } }
        expect: { value: true, payload: { text: ${canary}-other } }
      - person: { distinct_id: ${canary}-bob, properties: { email: ${canary}-b } }
        expect: { value: true, payload: { text: ${canary}-payload } }
`,
  })
  const ends = reportFormats().map(({ extension }) => extension)
  const reports = ends.map(end => `--report r${end}`).join(' ')

  it.each([
    { by: 'the option', files: tested(''), option: `--redact ${allParts}` },
    { by: 'the settings', files: tested(`${parts}\n`), option: '' },
    { by: 'the flag', files: tested('', '\n    sensitive: true'), option: '' },
  ])('tells how tests came out and none of the values, by $by', async ({ files, option }) => {
    for (const form of ['', '--json']) {
      await write(tested(''))
      const open = await vexil(`test --coverage ${form}`)
      expect(countCanaries(open.stdout)).toBeGreaterThan(0)
      await write(files)
      const hidden = await vexil(`test --coverage ${form} ${option} ${reports}`)
      expect(hidden.code).toBe(open.code)
      expect(hidden.stdout + hidden.stderr).not.toContain(canary)
      expect(hidden.stdout).toMatch(/\(sensitive [0-9a-f]{8}\)/)
      for (const end of ends) expect(await read(`r${end}`), end).not.toContain(canary)
    }
    const { tests } = JSON.parse((await vexil(`test --json ${option}`)).stdout)
    expect(tests.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['failed', 'passed'])
  })
})

describe('a problem of a file that hides values', () => {
  const broken = `feature_flags:
  checkout:
    active: ${canary}-no-truth
    filters: { groups: [ { rollout_percentage: 10, variant: ${canary}-variant } ] }
    tags: ${canary}-tags
`
  it.each(['validate', 'validate --json', 'plan', 'plan --json', 'test --sdk all'])(
    'is told by its place and without them, by `%s`',
    async command => {
      await write({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': broken })
      const open = await vexil(command)
      expect(open.stdout + open.stderr).toContain(canary)
      await write({ 'vexil.yaml': `version: 1\n${parts}\n` })
      const { code, stdout, stderr } = await vexil(command)
      expect(code).toBe(open.code)
      expect(stdout + stderr).not.toContain(canary)
      expect(stdout + stderr).toMatch(/flags\.yaml:3:\d+|"line": 3/)
    },
  )

  it.each(['test', 'validate', 'validate --json'])(
    'is told without numbers of a payload where a test does not pass, by `%s`',
    async command => {
      const flag = (sensitive: string) => `feature_flags:
  prices:
    active: true
    rollout_percentage: 100
    payloads: { true: { price: 4711 } }
    tests: [{ person: {}, expect: { value: true, payload: { price: 4712 } } }]
${sensitive}`
      await write({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': flag('') })
      const open = await vexil(command)
      expect(open.stdout + open.stderr).toContain('4711')
      await write({ 'flags.yaml': flag('    sensitive: ["true"]\n') })
      const { code, stdout, stderr } = await vexil(command)
      expect(code).toBe(1)
      expect(stdout + stderr).toContain('expected true with the payload (sensitive ')
      expect(stdout + stderr).not.toMatch(/471[12]/)
    },
  )

  it('names what is misspelt all the same', async () => {
    await write({
      'vexil.yaml': `version: 1\n${parts}\n`,
      'flags.yaml': 'feature_flags: { a: { actve: true } }\n',
    })
    const { stdout, stderr } = await vexil('validate')
    expect(stdout + stderr).toMatch(/"actve" is not a field.*did you mean "active"/)
  })
})

it('quotes names of members and operators, though a hidden value is the same', async () => {
  const value = '[files, gt]'
  await write({
    'vexil.yaml': `version: 1\n${parts}\n`,
    'flags.yaml': `feature_flags:
  checkout:
    active: true
    filters:
      groups:
        - properties: [ { key: plan, type: person, operator: exact, value: ${value} } ]
        - { properties: [ { key: age, type: person, operator: gt } ] }
`,
  })
  const { stderr } = await vexil('validate')
  expect(stderr).toContain('the operator "gt" needs a "value"')
  await write({ 'vexil.yaml': `version: 1\n${parts}\ndefaults: [{ owner: files }]\n` })
  expect((await vexil('validate')).stderr).toContain('"files" is missing')
})

it('names a file that is missing, where payloads are hidden', async () => {
  await write({
    'vexil.yaml':
      'version: 1\nredact: [payloads]\npolicies: { schemas: { feature_flags: policies/none.json } }\n',
    'flags.yaml': 'feature_flags: { checkout: { active: false } }\n',
  })
  const { code, stderr } = await vexil('validate')
  expect(code).toBe(1)
  expect(stderr).toContain('the file "policies/none.json" does not exist')
})

describe('what checks say of conditions', () => {
  const conditions = (sensitive: string) => `feature_flags:
  checkout:${sensitive}
    active: true
    filters:
      groups:
        - { properties: [ { key: email, type: person, operator: icontains, value: "é${canary}" } ] }
        - { properties: [ { key: plan, type: person, operator: exact, value: ${canary}-a }, { key: plan, type: person, operator: exact, value: ${canary}-b } ] }
    tests: [{ person: { properties: { email: "É${canary}", plan: free } }, expect: false }]
`
  const hidden = [
    ['a setting', 'redact: [values]\n', ''],
    ['a sensitive flag', '', '\n    sensitive: true'],
  ] as const

  it.each(hidden)('has no value in any letter case, by %s', async (_, settings, sensitive) => {
    const files = (setting: string, own: string) => ({
      'vexil.yaml': `version: 1\n${setting}`,
      'flags.yaml': conditions(own),
    })
    const commands = [
      'validate',
      'validate --json',
      'plan --report out.md',
      'plan --report out.html',
      'plan --json',
    ]
    const all = async () => {
      const outputs: string[] = []
      for (const command of commands) {
        const { stdout, stderr } = await vexil(`${command} --profile posthog-2026`)
        outputs.push(stdout, stderr)
      }
      return [...outputs, await read('out.md'), await read('out.html')].join('\n').toLowerCase()
    }
    await write(files('', ''))
    expect(await all()).toContain(`matches "é${canary}"`)
    await write(files(settings, sensitive))
    const shown = await all()
    expect(shown).toContain('matches (sensitive) in')
    expect(shown).toContain('plan is (sensitive) and plan is (sensitive) exclude each other')
    expect(shown).not.toContain(canary)
  })
})
