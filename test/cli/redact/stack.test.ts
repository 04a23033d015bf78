import { describe, expect, it } from 'vitest'
import { reportFormats } from '../../../src/report/formats.ts'
import { canary, countCanaries, filesWithCanary } from '../../support/canaries.ts'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, write, read } = workspace

const parts = 'redact: [payloads, descriptions, values]\n'
const [stackFile, place] = ['stacks/shop/cdk.tf.json', '--stack stacks/shop']

interface Given {
  readonly settings?: string
  readonly sensitive?: unknown
  /** How conditions compare: with `regex` the value is no pattern, and a warning quotes it. */
  readonly operator?: string
}

/** A stack of one flag, whose payloads and values are canaries of `side`; one of its tests fails. */
function files(
  side: string,
  { settings = '', sensitive, operator = 'exact' }: Given,
): Record<string, string> {
  const at = (name: string) => `${canary}-${side}-${name}`
  const filters = {
    groups: [
      { properties: [{ key: 'email', type: 'person', operator, value: `${at('mail')}(` }] },
      { properties: [{ key: 'plan', type: 'person', operator: 'icontains', value: at('plan') }] },
    ],
    payloads: { true: { text: at('payload') } },
  }
  const person = { distinct_id: at('ada'), properties: { email: `${at('mail')}(` } }
  const tests = [{ person, expect: { value: true, payload: { text: at('other') } } }]
  const flag = {
    key: 'checkout',
    active: true,
    filters: JSON.stringify(filters),
    '//': { vexil: { tests, ...(sensitive === undefined ? {} : { sensitive }) } },
  }
  return {
    'vexil.yaml': `version: 1\n${settings}`,
    [stackFile]: JSON.stringify({ resource: { vexil_feature_flag: { shop: flag } } }),
  }
}

const ends = reportFormats().map(({ extension }) => extension)
const reports = ends.map(end => `--report r${end}`).join(' ')

describe.each<{ by: string; given: Given; option: string }>([
  { by: 'the settings', given: { settings: parts }, option: '' },
  { by: 'the option', given: {}, option: '--redact payloads,descriptions,values' },
  { by: 'its flag', given: { sensitive: true }, option: '' },
])('a stack whose values are hidden by $by', ({ given, option }) => {
  it('is planned, applied and put on record without them', async () => {
    const { path, flag } = workspace()
    await write(files('live', given))
    expect(await vexil(`apply ${place} --auto-approve ${option}`)).toMatchObject({ code: 0 })
    await write(files('now', given))
    for (const form of ['', '--json']) {
      const { code, stdout, stderr } = await vexil(`plan ${place} ${form} ${option} ${reports}`)
      expect(code, stderr).toBe(0)
      expect(stdout + stderr).not.toContain(canary)
      expect(stdout.match(/\(sensitive [0-9a-f]{8}\)/g)?.length).toBeGreaterThan(2)
      for (const end of ends) expect(await read(`r${end}`), end).not.toContain(canary)
    }
    const applied = await vexil(`apply ${place} --auto-approve ${option}`)
    expect(applied).toMatchObject({ code: 0 })
    expect(applied.stdout + applied.stderr).not.toContain(canary)
    expect(countCanaries(JSON.stringify((await flag('checkout')).filters))).toBe(3)
    const kept = await filesWithCanary(path)
    expect(kept.filter(file => !file.startsWith('.vexil/runs/values/'))).toEqual([stackFile])
  })

  it.each(['validate', 'test'])('is told by `vexil %s` without them', async command => {
    for (const form of ['', '--json']) {
      await write(files('now', { operator: 'regex' }))
      const open = await vexil(`${command} ${place} ${form}`)
      expect(countCanaries(open.stdout + open.stderr)).toBeGreaterThan(0)
      await write(files('now', { ...given, operator: 'regex' }))
      const hidden = await vexil(`${command} ${place} ${form} ${option} ${reports}`)
      expect(hidden.code).toBe(open.code)
      expect(hidden.stdout + hidden.stderr).not.toContain(canary)
      for (const end of ends) expect(await read(`r${end}`), end).not.toContain(canary)
    }
  })
})

describe('a stack with a variable that Terraform hides', () => {
  const resource = (body: object) => ({
    vexil_feature_flag: { 'a"b': { key: 'checkout', name: `$\{timestamp()}`, ...body } },
  })
  const stack = (body: object) => ({
    [stackFile]: JSON.stringify({
      variable: { token: { type: 'string', sensitive: true, default: canary } },
      output: { key: { value: 'checkout', sensitive: false } },
      resource: resource(body),
    }),
  })

  it('is told with ways to go on', async () => {
    await write(stack({}))
    const { code, stdout, stderr } = await vexil(`plan ${place}`)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('another time at every run; give the time as a variable')
    expect(stderr).not.toContain(canary)
  })

  it('is told without them where a flag of it hides values', async () => {
    await write(stack({ '//': { vexil: { sensitive: true } } }))
    const { stderr } = await vexil(`plan ${place}`)
    expect(stderr).not.toContain('give the time as a variable')
  })
})
