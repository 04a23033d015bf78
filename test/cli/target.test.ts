import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({
  'vexil.yaml':
    'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\nownership: { tag: ours, prune: owned }\n',
  'all.yaml': `feature_flags:
  checkout: { active: false, filters: {}, role_access: [support] }
  checkout_v2: { active: false, filters: {} }
  geoip: { active: false, filters: {} }
plugins:
  geoip: { plugin_type: source }
`,
})
const { vexil, service, write } = workspace

const grant = 'feature_flag_role_access.checkout:support'

async function planned(line: string): Promise<string[]> {
  const { stdout } = await vexil(`plan --json ${line}`)
  return JSON.parse(stdout).changes.map(({ address }: { address: string }) => address)
}

describe('--target', () => {
  it.each([
    ['--target feature_flag.checkout_v2', ['feature_flag.checkout_v2']],
    ['--target checkout_v2', ['feature_flag.checkout_v2']],
    ['-t checkout', ['feature_flag.checkout', grant]],
    ['-t feature_flag_role_access.checkout:support -t plugin.geoip', ['plugin.geoip']],
    ['-t plugin.geoip -t checkout_v2', ['feature_flag.checkout_v2', 'plugin.geoip']],
    ['-t feature_flag.checkout_*', ['feature_flag.checkout_v2']],
    ['-t checkout_*', ['feature_flag.checkout_v2']],
    ['-t checkout*', ['feature_flag.checkout', 'feature_flag.checkout_v2', grant]],
    ['-t {geoip,checkout_??}', ['feature_flag.checkout_v2', 'feature_flag.geoip', 'plugin.geoip']],
    ['-t *:support', []],
    ['-t plugin.* -t feature_flag.geoip', ['feature_flag.geoip', 'plugin.geoip']],
  ])('%s keeps %j', async (line, addresses) => {
    expect(await planned(line)).toEqual(addresses)
  })

  it.each([
    ['geoip', '"geoip" could be feature_flag.geoip or plugin.geoip'],
    ['chekout_v2', '"chekout_v2" is not declared; did you mean "feature_flag.checkout_v2"?'],
    ['cart_*', '"cart_*" matches nothing that is declared'],
  ])('refuses %s', async (target, message) => {
    expect(await vexil(`plan --target ${target}`)).toEqual({
      code: 64,
      stdout: '',
      stderr: `vexil: ${message}\n`,
    })
  })

  it('takes what is declared under the name of a glob for that alone', async () => {
    await write({
      'all.yaml': 'plugins:\n  "geo*": { plugin_type: source }\n  geoip: { plugin_type: source }\n',
    })
    expect(await planned('-t geo*')).toEqual(['plugin.geo*'])
    expect(await planned('-t geo?p -t geo*')).toEqual(['plugin.geo*', 'plugin.geoip'])
  })

  it('prunes nothing, since what is left out is declared all the same', async () => {
    await vexil('apply --auto-approve')
    await service.send('POST', '/api/projects/1/feature_flags/', { key: 'left', name: '', tags: ['ours'] })
    const prunes = async (line: string) =>
      JSON.parse((await vexil(`plan --json ${line}`)).stdout).summary.delete
    expect(await prunes('')).toBe(1)
    expect(await prunes('--target checkout')).toBe(0)
  })

  it('stays in the command that comes next', async () => {
    const { stdout } = await vexil('plan --target checkout -t checkout_v2 --prune never')
    expect(stdout).toMatch(/Next: vexil apply --target checkout --target checkout_v2 --prune never\n$/)
    const glob = await vexil(['plan', '--target', 'checkout_*', '--allow', 'survey={a,*}'])
    expect(glob.stdout).toMatch(/Next: vexil apply --target 'checkout_\*' --allow 'survey=\{a,\*\}'\n$/)
    const saved = await vexil(['plan', '--target', 'checkout', '--out', 'my plan.json'])
    expect(saved.stdout).toMatch(
      /Next: vexil apply 'my plan.json' {3}\(valid while these objects are unchanged\)\n$/,
    )
  })
})
