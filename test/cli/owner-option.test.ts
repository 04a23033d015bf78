import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { aProgram } from '../support/program.ts'
import { isWrite, useWorkspace } from '../support/workspace.ts'

const support = '01900000-0000-0000-0000-0000000000aa'
const settings = `version: 1\nroles: { support: ${support} }\nownership: { tag: ours }\n`
const workspace = useWorkspace({
  'vexil.yaml': settings,
  'all.yaml': declared(10),
})
const { vexil, service, write, flag, edit } = workspace

function declared(percent: number): string {
  const filters = `filters: { groups: [ { rollout_percentage: ${percent} } ] }`
  return `feature_flags:
  checkout: { ${filters}, owner: payments, role_access: [support] }
  cart: { ${filters}, tags: ["Owner:payments"] }
  search: { ${filters}, owner: growth, protect: true }
  free: { ${filters}, tags: [owner] }
feature_flag_role_access:
  - { flag: cart, role: support }
plugins:
  geoip: { plugin_type: source }
`
}

const program = aProgram()
const has = (command: Command, option: string) => command.options.some(({ long }) => long === option)
const owning = program.commands.filter(command => has(command, '--owner')).map(command => command.name())

/** The rest of a line that runs each command to its end. */
const rest: Readonly<Record<string, string>> = {
  apply: '--auto-approve',
  claim: '--auto-approve',
  unclaim: '--auto-approve',
  undo: 'last --auto-approve',
  compare: 'staging production',
}

async function changesOf(line: string): Promise<string[]> {
  const { code, stdout, stderr } = await vexil(`${line} --json`)
  expect(code, stderr + stdout).toBe(0)
  return JSON.parse(stdout).changes.map(({ address }: { address: string }) => address)
}

const ofPayments = [
  'feature_flag.cart',
  'feature_flag.checkout',
  'feature_flag_role_access.cart:support',
  'feature_flag_role_access.checkout:support',
]

describe('--owner', () => {
  it('is an option of every command that has --target, and of those that are about objects', () => {
    const targeting = program.commands.filter(command => has(command, '--target'))
    expect(targeting.length).toBeGreaterThan(3)
    expect(owning).toEqual(expect.arrayContaining(targeting.map(command => command.name())))
    expect(owning).toEqual(expect.arrayContaining(['claim', 'unclaim', 'evaluate', 'export']))
  })

  it('reaches each of them: an owner that there is none of is refused, and nothing is written', async () => {
    await vexil('apply --auto-approve')
    for (const name of owning) {
      const environments = name === 'compare' ? 'environments: { staging: {}, production: {} }\n' : ''
      await write({ 'vexil.yaml': `${settings}${environments}` })
      const line = `${name} ${rest[name] ?? ''} --owner paymnts`
      const { result, requests } = await service.watch(() => vexil(line))
      expect(result, line).toMatchObject({ code: 64, stdout: '' })
      expect(result.stderr, line).toMatch(
        /^(?:\d+ warnings: .*\n)?vexil: "paymnts" owns nothing [^;]+; did you mean "payments"\?\n$/,
      )
      expect(requests.filter(isWrite), line).toEqual([])
    }
  })

  it.each([
    ['--owner payments', ofPayments],
    ['--owner growth', ['feature_flag.search']],
    ['--owner growth --owner payments', [...ofPayments, 'feature_flag.search'].sort()],
    ['--owner payments --target c*', ofPayments],
    ['--owner payments -t cart -t search', ['feature_flag.cart', 'feature_flag_role_access.cart:support']],
  ])('%s plans %j', async (line, addresses) => {
    expect((await changesOf(`plan ${line}`)).sort()).toEqual(addresses)
    await vexil(`apply --auto-approve ${line}`)
    expect(await changesOf(`plan ${line}`)).toEqual([])
    const left = await changesOf('plan')
    expect(left).toHaveLength(7 - addresses.length)
  })

  it('with targets that are of somebody else is refused', async () => {
    expect(await vexil('plan --owner growth --target cart')).toMatchObject({
      code: 64,
      stderr: 'vexil: no object that --target names belongs to "growth"\n',
    })
  })

  it('stays in the command that comes next, and cannot change a saved plan', async () => {
    const { stdout } = await vexil('plan --owner payments --target c* --out saved.json')
    expect(stdout).toContain('Next: vexil apply saved.json')
    expect((await vexil('plan --owner payments')).stdout).toMatch(/Next: vexil apply --owner payments\n$/)
    expect(await vexil('apply saved.json --owner payments')).toMatchObject({
      code: 64,
      stderr: 'vexil: --owner cannot change a saved plan; give it to `vexil plan`\n',
    })
  })

  it('prunes nothing of others', async () => {
    await write({
      'vexil.yaml': `version: 1\nroles: { support: ${support} }\nownership: { tag: ours, prune: owned }\n`,
    })
    await vexil('apply --auto-approve')
    await service.send('POST', '/api/projects/1/feature_flags/', { key: 'left', tags: ['ours'] })
    expect(await changesOf('plan')).toEqual(['feature_flag.left'])
    expect(await changesOf('plan --owner payments')).toEqual([])
  })

  it('limits drift, claims, evaluations and exports', async () => {
    await vexil('apply --auto-approve')
    await edit('search', { filters: { groups: [{ rollout_percentage: 5 }] } })
    await edit('cart', { tags: ['owner:payments'] })
    expect((await vexil('drift --owner growth')).code).toBe(6)
    expect((await vexil('claim --auto-approve --owner growth')).stdout).toMatch(/^No changes/)
    expect((await flag('cart')).tags).toEqual(['owner:payments'])
    expect((await vexil('claim --auto-approve --owner payments')).stdout).toContain('@ flag cart claimed')
    expect((await vexil('unclaim --auto-approve search --owner growth')).code).toBe(0)
    expect((await flag('search')).tags).toEqual(['owner:growth'])
    expect((await flag('checkout')).tags).toContain('ours')
    const evaluated = JSON.parse((await vexil('evaluate --owner growth --json --distinct-id a')).stdout)
    expect(evaluated.flags.map(({ flag: key }: { flag: string }) => key)).toEqual(['search'])
    const exported = await vexil('export --owner payments')
    expect(Array.from(exported.stdout.matchAll(/^ {2}(\S+):$/gm), ([, key]) => key)).toEqual([
      'cart',
      'checkout',
    ])
  })

  it('limits an undo to what they own, by the files of today or by the tags that the run wrote', async () => {
    await vexil('apply --auto-approve')
    await write({ 'all.yaml': declared(90) })
    await vexil('apply --auto-approve')
    const percent = async (key: string) =>
      JSON.stringify((await flag(key)).filters).match(/percentage":(\d+)/)?.[1]
    expect((await vexil('undo last --auto-approve --owner growth')).code).toBe(0)
    expect(await Promise.all(['search', 'cart', 'checkout', 'free'].map(percent))).toEqual([
      '10',
      '90',
      '90',
      '90',
    ])

    await write({
      'all.yaml':
        'feature_flags: { made: { active: false, filters: {}, owner: growth }, also: { active: false, filters: {} } }\n',
    })
    await vexil('apply --auto-approve')
    await write({ 'all.yaml': 'feature_flags: { other: { active: false, filters: {} } }\n' })
    expect((await vexil('undo last --auto-approve --owner growth')).stdout).toContain('1 change applied.')
    expect((await flag('also')).deleted).toBe(false)
  })

  it('is completed with the owners that are declared', async () => {
    const { stdout } = await vexil(['complete', 'bash', '--', 'plan', '--owner', ''])
    expect(stdout.split('\n').filter(Boolean).sort()).toEqual(['growth', 'payments'])
  })
})
