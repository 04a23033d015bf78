import { describe, expect, it } from 'vitest'
import type { WorldFile } from '../../src/sandbox/index.ts'
import { aWorld, useWorkspace as useBench } from '../support/workspace.ts'

/** What a service holds from before it wanted text: everybody who is at least 100 gets it. */
const world: WorldFile = aWorld({
  feature_flags: [
    {
      key: 'old',
      filters: {
        groups: [
          {
            properties: [{ key: 'age', type: 'person', operator: 'gte', value: 100 }],
            rollout_percentage: 100,
          },
        ],
      },
    },
    {
      key: 'listed',
      filters: {
        groups: [
          {
            properties: [{ key: 'country', type: 'person', value: ['DE', 'AT', 'CH'] }],
            rollout_percentage: 10,
          },
        ],
      },
    },
  ],
})

const bench = useBench({ 'vexil.yaml': 'version: 1\nlimits: { rollout_step: 25 }\n' }, { seed: world })

const old = (percent: number, value = '"100"') => `
  old:
    active: true
    filters: { groups: [ { properties: [ { key: age, type: person, operator: gte, value: ${value} } ], rollout_percentage: ${percent} } ] }
`
const listed = (values: string, percent = 10, operator = '') => `
  listed:
    active: true
    filters: { groups: [ { properties: [ { key: country, type: person, ${operator}value: ${values} } ], rollout_percentage: ${percent} } ] }
`

describe('a condition that is spelled differently from the live one', () => {
  it('is narrowed where its percentage falls: the guard and the words agree', async () => {
    const { vexil, declareFlags } = bench()
    await declareFlags(old(80))
    const { code, stdout } = await vexil('plan --detailed-exitcode')
    expect(code).toBe(2)
    expect(stdout).toContain('condition 1  age >= 100  100% -> 80%')
    expect(stdout).not.toContain('written differently')
    expect(stdout).not.toContain('widens')
  })

  it('is held back where it widens, by as much as the words say', async () => {
    const { vexil, declareFlags } = bench()
    await declareFlags(listed('[CH, DE, AT]', 60))
    const { stdout } = await vexil('plan')
    expect(stdout).toContain('widens by 50 points')
    expect(stdout).toContain('condition 1  country is CH, DE or AT  10% -> 60%')
  })

  it('is sent in letters of another case, and widens nothing by that', async () => {
    const { vexil, declareFlags } = bench()
    await declareFlags(listed('[de, at, ch]'))
    const { code, stdout } = await vexil('plan --detailed-exitcode')
    expect(code).toBe(2)
    expect(stdout).toContain('condition 1  country is de, at or ch (written differently)')
    expect(stdout).toContain('[0].value[0]: "DE" -> "de"')
    expect(stdout).not.toContain('widens')
    expect((await vexil('apply --auto-approve')).code).toBe(0)
    expect((await bench().flag('listed')).filters).toMatchObject({
      groups: [{ properties: [{ value: ['de', 'at', 'ch'] }] }],
    })
  })
})
