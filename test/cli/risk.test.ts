import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, write, declareFlags, read } = workspace

const flagAt = (percent: number) =>
  `  checkout: { active: true, filters: { groups: [ { rollout_percentage: ${percent} } ] } }`

/** A live flag at 10% that is declared at another percentage, with these settings. */
async function widened(to: number, settings: string): Promise<void> {
  await write({ 'vexil.yaml': 'version: 1\n' })
  await declareFlags(flagAt(10))
  expect((await vexil('apply --auto-approve')).code).toBe(0)
  await write({ 'vexil.yaml': `version: 1\n${settings}` })
  await declareFlags(flagAt(to))
}

const plan = async (more = '') => {
  const { stdout, stderr, code } = await vexil(`plan ${more}`)
  return { stdout, stderr, code }
}

describe('a plan', () => {
  it('says why a risk is high, with the rule', async () => {
    await widened(60, '')
    expect((await plan()).stdout).toContain('\n      HIGH: everyone: 10% -> 60% (widened)\n')
    await vexil('plan --report plan.md --report plan.html')
    expect(await read('plan.md')).toMatch(/HIGH: everyone: 10% .*60% .*widened/)
    expect(await read('plan.html')).toMatch(/HIGH: everyone: 10% -&#62; 60% \(widened\)/)
    const [change] = JSON.parse((await plan('--json')).stdout).changes
    expect([change.risk, change.risk_reasons]).toEqual([
      'high',
      [{ rule: 'widened', level: 'high', reason: 'everyone: 10% -> 60%' }],
    ])
  })

  it('says it of a saved plan too', async () => {
    await widened(100, '')
    await plan('--out plan.json')
    expect((await vexil('show plan.json')).stdout).toContain(
      '\n      CRITICAL: everybody gets it from now on, 90 points at once (everyone)\n',
    )
  })

  it.each([
    ['a threshold', 60, 'risk: { widened: { high: 50 } }\n', 'MEDIUM'],
    ['a threshold that is passed', 61, 'risk: { widened: { high: 50 } }\n', 'HIGH'],
    ['another level', 61, 'risk: { widened: { critical: 50 } }\n', 'CRITICAL'],
    ['one level for all', 11, 'risk: { widened: critical }\n', 'CRITICAL'],
    ['a rule that does not count', 100, 'risk: { widened: low, everyone: low }\n', 'LOW'],
    ['a rule of its own', 5, 'risk: { narrowed: high }\n', 'HIGH'],
  ])('goes by the settings: %s', async (_, to, settings, risk) => {
    await widened(to, settings)
    expect((await plan()).stdout).toMatch(new RegExp(`^${risk} risk: `))
  })

  it('goes by the environment first, rule by rule', async () => {
    await widened(
      30,
      `environments: { staging: { project: 1 }, production: { project: 1, risk: { widened: { high: 10 } } } }
risk: { widened: { high: 50 }, created: critical }\n`,
    )
    expect((await plan('--env staging')).stdout).toMatch(/^MEDIUM risk: /)
    expect((await plan('--env production')).stdout).toMatch(/^HIGH risk: /)
    await declareFlags('  added: { active: true, filters: {} }')
    expect((await plan('--env production')).stdout).toMatch(/^CRITICAL risk: /)
  })
})

describe('settings of risk', () => {
  it.each([
    ['risk: { widend: high }', 'vexil.yaml:2:9 "widend" is not a rule of risk; did you mean "widened"?'],
    ['risk: { widened: { hgh: 5 } }', 'vexil.yaml:2:20 "hgh" is not a level of risk; did you mean "high"?'],
    [
      'risk: { turned_off: hgh }',
      'vexil.yaml:2:21 "turned_off" must be low, medium, high or critical, not "hgh"; did you mean "high"?',
    ],
    [
      'risk: { widened: hgh }',
      'vexil.yaml:2:18 "widened" must be low, medium, high or critical, not "hgh"; did you mean "high"?',
    ],
    ['risk: { widened: { high: 101 } }', 'vexil.yaml:2:26 "high" must be 100 or less, not 101'],
    ['risk: { turned_off: { high: 5 } }', 'vexil.yaml:2:21 "turned_off" must be text, not a map'],
    ['risk: high', 'vexil.yaml:2:7 "risk" must be a map, not "high"'],
  ])('are checked: %s', async (settings, message) => {
    await write({ 'vexil.yaml': `version: 1\n${settings}\n` })
    const { code, stderr, stdout } = await vexil('validate')
    expect(code).toBe(1)
    expect(stderr + stdout).toContain(message)
  })
})
