import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const settings = `version: 1
limits: { rollout_step: 25 }
environments:
  staging: { project: "2", limits: { rollout_step: 100 } }
  production: { project: "1" }
`
const flags = `feature_flags:
  checkout:
    release:
      staff: { properties: { plan: staff } }
      rest: { rollout_percentage: 5 }   # slowly
    variants: { control: 50, test: 50 }
    environments:
      staging: { release: { rest: { rollout_percentage: 100 } } }
  menu: { rollout_percentage: 33.3 }
  wire:
    filters: { groups: [ { properties: [], rollout_percentage: 10 } ] }
  list:
    release:
      - rollout_percentage: 90 # nearly
  gone: { ensure: absent }
  nobody: { release: [] }
`
const workspace = useWorkspace({ 'vexil.yaml': settings, 'flags.yaml': flags })
const { vexil, write, read } = workspace

async function ramped(line: string, text = flags, more: Readonly<Record<string, string>> = {}) {
  await write({ 'flags.yaml': text, ...more })
  const result = await vexil(`ramp ${line}`, { env: {} })
  return { ...result, text: await read('flags.yaml') }
}

/** What it says under the diff. */
function saidIn(stdout: string): string {
  return stdout.slice(stdout.search(/^(wrote|would write|feature_flag)/m))
}

describe('vexil ramp', () => {
  it('writes the next step that the limits allow, and says how many are left', async () => {
    const first = await ramped('checkout --to 100 -e production --condition rest')
    expect(first.code).toBe(0)
    expect(saidIn(first.stdout)).toBe(`wrote flags.yaml
feature_flag.checkout in production: condition rest 5% -> 30%; 3 more steps to 100%
Next: vexil plan --env production
`)
    expect(first.text).toBe(
      flags.replace(
        /(staging: .*\n)/,
        '$1      production: { release: { rest: { rollout_percentage: 30 } } }\n',
      ),
    )
    const texts = [first.text]
    for (const percent of [55, 80, 100]) {
      const next = await ramped('checkout --to 100 -e production --condition rest', texts.at(-1) ?? '')
      expect(next.text).toBe(
        texts[0]?.replace('rollout_percentage: 30 } } }', `rollout_percentage: ${percent} } } }`),
      )
      texts.push(next.text)
    }
    const last = await ramped('checkout --to 100 -e production --condition rest', texts.at(-1) ?? '')
    expect(last).toMatchObject({
      code: 0,
      stdout: 'feature_flag.checkout in production: condition rest is already at 100%\n',
      text: texts.at(-1),
    })
  })

  const menu = 'menu: { rollout_percentage: 33.3 }'
  const menuIn = (environment: string, percent: number) =>
    `menu: { rollout_percentage: 33.3, environments: { ${environment}: { rollout_percentage: ${percent} } } }`
  const inStaging = '    environments:\n      staging: { release: { rest: { rollout_percentage: 100 } } }\n'

  it.each([
    ['menu -e production --to 100', menu, menuIn('production', 58.3)],
    ['menu -e production --to 100 --shared', menu, 'menu: { rollout_percentage: 58.3 }'],
    ['menu -e staging --to 100', menu, menuIn('staging', 100)],
    ['menu -e production --to 0', menu, menuIn('production', 0)],
    ['menu -e production --to 50 --shared --condition 1', 'percentage: 33.3', 'percentage: 50'],
    ['wire -e production --to 20 --shared', 'rollout_percentage: 10 }', 'rollout_percentage: 20 }'],
    ['list -e production --to 100 --shared --condition 1', 'percentage: 90 #', 'percentage: 100 #'],
    ['checkout -e staging --to 50 --condition 2', 'percentage: 100 } } }', 'percentage: 50 } } }'],
    ['checkout -e staging --to 50 --condition rest', 'percentage: 100 } } }', 'percentage: 50 } } }'],
    ['checkout -e staging --to 5 --condition rest', inStaging, ''],
  ])('writes %s in place', async (line, before, after) => {
    const { code, stderr, text } = await ramped(line)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(text).toBe(flags.replace(before, after))
  })

  it('writes into the declaration itself where there is one environment, or into an override that says it', async () => {
    const one = { 'vexil.yaml': 'version: 1\nlimits: { rollout_step: 10 }\nenvironments: { only: {} }\n' }
    const text = 'feature_flags:\n  a:\n    rollout_percentage: 5\n'
    expect((await ramped('a --to 100', text, one)).text).toBe(text.replace('5', '15'))
    const overridden = `${text}    environments: { only: { rollout_percentage: 20 } }\n`
    expect((await ramped('a --to 100', overridden, one)).text).toBe(overridden.replace('20', '30'))
    const none = { 'vexil.yaml': 'version: 1\n' }
    expect((await ramped('a --to 100', text, none)).text).toBe(text.replace('5', '100'))
  })

  it('tells everything as data', async () => {
    const { stdout, text } = await ramped('checkout --to 100 -e production --condition rest --dry-run --json')
    expect(text).toBe(flags)
    expect(JSON.parse(stdout)).toMatchObject({
      dry_run: true,
      ramp: {
        address: 'feature_flag.checkout',
        environment: 'production',
        condition: 'rest',
        before: 5,
        after: 30,
        to: 100,
        steps_left: 3,
      },
    })
  })

  const there = 'for production; there are: staff (100%), rest (5%)'

  it.each([
    [
      'checkout -e production --to 100',
      '"feature_flag.checkout" has 2 conditions for production; choose one with --condition: staff (100%), rest (5%)',
    ],
    ...['nope', '0', '3', '02', '-1', ''].map(name => [
      `checkout -e production --to 100 --condition=${name}`,
      `has no condition "${name}" ${there}`,
    ]),
    ['menu --to 100', 'none is selected; select one with --env: staging or production'],
    ['menu -e production --to 120', '--to takes a percentage from 0 to 100, not "120"'],
    ['menu -e production --to 1e1', '--to takes a percentage from 0 to 100, not "1e1"'],
    ['gone -e production --to 100', '"feature_flag.gone" is not declared for production'],
    ['nobody -e production --to 100', 'has no condition for production; declare one first'],
    ['*e* -e production --to 100', 'flags; name one'],
  ])('ends in 64 for %s', async (line = '', message = '') => {
    expect(await ramped(line)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(message),
      text: flags,
    })
  })

  it('refuses to widen where no plan may', async () => {
    const none = { 'vexil.yaml': 'version: 1\nlimits: { rollout_step: 0 }\n' }
    const text = 'feature_flags:\n  a:\n    rollout_percentage: 5\n'
    expect(await ramped('a --to 100', text, none)).toMatchObject({ code: 3, text })
    expect(await ramped('a --to 1', text, none)).toMatchObject({ code: 0, text: text.replace('5', '1') })
  })

  it('takes steps that no plan blocks, and more would', async () => {
    await write({
      'vexil.yaml': 'version: 1\nlimits: { rollout_step: 30 }\n',
      'flags.yaml': 'feature_flags: { a: { active: true, rollout_percentage: 10 } }\n',
    })
    const planned = async () => JSON.parse((await vexil('plan --json')).stdout)
    await vexil('apply --auto-approve')
    for (let steps = 0; steps < 3; steps += 1) {
      expect((await vexil('ramp a --to 100')).code).toBe(0)
      expect(await planned()).toMatchObject({ changes: [{ action: 'update' }], blocked: [] })
      await vexil('apply --auto-approve')
    }
    expect(await read('flags.yaml')).toContain('rollout_percentage: 100 ')
    await vexil('ramp a --to 10')
    expect(await planned()).toMatchObject({ changes: [{ action: 'update' }], blocked: [] })
    await vexil('apply --auto-approve')
    await vexil('ramp a --to 100')
    await vexil('ramp a --to 100')
    expect(await planned()).toMatchObject({ changes: [], blocked: [{ rule: 'rollout_step' }] })
  })
})
