import { describe, expect, it } from 'vitest'
import { flagsPath, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({
  'vexil.yaml':
    'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\nlimits: { delete: 5, rollout_step: 25 }\n',
  'all.yaml': declared(10),
})
const { vexil, service, write } = workspace

function declared(percent: number): string {
  const filters = `filters: { groups: [ { rollout_percentage: ${percent} } ] }`
  return `feature_flags:
  checkout: { ${filters}, role_access: [support] }
  checkout_v2: { ${filters} }
  geoip: { ${filters} }
plugins:
  geoip: { plugin_type: source }
`
}

/** Three flags that are live at 10% and declared at 90%. */
async function threeWidenings(): Promise<void> {
  await vexil('apply --auto-approve')
  await write({ 'all.yaml': declared(90) })
}

async function changesOf(line: string): Promise<string[]> {
  const { code, stdout, stderr } = await vexil(`${line} --json`)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout).changes.map(({ address }: { address: string }) => address)
}

describe('--allow', () => {
  it.each([
    ['rollout_step=feature_flag.checkout_v2', ['feature_flag.checkout_v2']],
    ['rollout_step=checkout_v2', ['feature_flag.checkout_v2']],
    [
      'rollout_step=checkout_v2 --allow rollout_step=checkout',
      ['feature_flag.checkout', 'feature_flag.checkout_v2'],
    ],
    ['can_edit=checkout:support', []],
    ['rollout_step=checkout*', ['feature_flag.checkout', 'feature_flag.checkout_v2']],
    ['rollout_step=feature_flag.{geoip,checkout}', ['feature_flag.checkout', 'feature_flag.geoip']],
    ['can_edit=*', []],
    ['rollout_step', ['feature_flag.checkout', 'feature_flag.checkout_v2', 'feature_flag.geoip']],
  ])('%s lets %j pass', async (allow, addresses) => {
    await threeWidenings()
    expect(await changesOf(`plan --allow ${allow}`)).toEqual(addresses)
  })

  it.each([
    ['rollout_step=geoip', '"geoip" could be feature_flag.geoip or plugin.geoip'],
    ['rollout_step=chekout_v2', '"chekout_v2" is not declared; did you mean "feature_flag.checkout_v2"?'],
    ['survey=plugin.geopi', '"plugin.geopi" is not declared; did you mean "plugin.geoip"?'],
    ['survey=something_else', '"something_else" is not declared'],
    ['survey=cart_*', '"cart_*" matches nothing that is declared'],
    ['survey=', '--allow survey= names nothing; give --allow survey=ADDRESS'],
    [
      'delete_limit=checkout',
      'delete_limit is about a whole plan, not about "checkout"; give --allow delete_limit',
    ],
    ['survei=checkout', '"survei" is not a rule that can be allowed; did you mean "survey"?'],
  ])('%s is refused, and nothing is written', async (allow, message) => {
    for (const line of ['plan', 'apply --auto-approve']) {
      expect(await vexil(`${line} --allow ${allow}`)).toEqual({
        code: 64,
        stdout: '',
        stderr: `vexil: ${message}\n`,
      })
    }
    expect(((await service.get(`${flagsPath}/`)) as { count: number }).count).toBe(0)
  })

  it('is printed whole beside each thing that it would let pass, and can be typed as it is printed', async () => {
    await threeWidenings()
    const { stdout } = await vexil('plan')
    const printed = Array.from(stdout.matchAll(/--allow (\S+)/g), ([, allow]) => allow)
    expect(printed).toEqual([
      'rollout_step=feature_flag.checkout',
      'rollout_step=feature_flag.checkout_v2',
      'rollout_step=feature_flag.geoip',
    ])
    expect(await changesOf(`plan ${printed.map(allow => `--allow ${allow}`).join(' ')}`)).toHaveLength(3)
  })

  it('knows what a prune would delete, though nothing declares it', async () => {
    await write({ 'all.yaml': 'feature_flags: { kept: { active: false, filters: {} } }\n' })
    await service.send('POST', `${flagsPath}/`, { key: 'left', name: '' })
    for (const name of ['left', 'feature_flag.left', 'le*', '*t', 'feature_flag.*']) {
      expect(await changesOf(`plan --prune all --allow survey=${name}`)).toContain('feature_flag.left')
    }
    expect(await vexil('plan --prune all --allow survey=lefft')).toMatchObject({
      code: 64,
      stdout: '',
      stderr: 'vexil: "lefft" is not declared; did you mean "feature_flag.left"?\n',
    })
    expect((await vexil('plan --prune all --allow survey=lefft*')).stderr).toBe(
      'vexil: "lefft*" matches nothing that is declared\n',
    )
    expect((await vexil('plan --allow survey=left')).code).toBe(64)
    expect((await vexil('plan --allow survey=le*')).code).toBe(64)
  })
})
