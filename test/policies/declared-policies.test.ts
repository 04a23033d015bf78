import { describe, expect, it } from 'vitest'
import { levelSpellings } from '../../src/policies/policy.ts'
import { declaredPolicyNames, policyCode, policyRow, remedyOf } from '../../src/policies/policy-table.ts'
import { type Hold, holdInStack, holdInYaml, longForm, withLevel } from './front-ends.ts'
import { policyCases } from './policy-cases.ts'

const frontEnds: Readonly<Record<string, Hold>> = { yaml: holdInYaml, stack: holdInStack }

const cases = Object.keys(frontEnds).flatMap(frontEnd =>
  policyCases.map((one, index) => ({ ...one, frontEnd, index })),
)

describe('a policy of the settings', () => {
  it('is tried with every policy that there is and that needs no other environment', () => {
    const tried = new Set(policyCases.map(({ policy }) => policy))
    expect(declaredPolicyNames.filter(name => !tried.has(name))).toEqual(['first_in'])
  })

  it.each(cases)('$policy ($index) refuses what is against it in $frontEnd, at its level', async one => {
    const { policy, setting, section, refused, says, at, files } = one
    const hold = frontEnds[one.frontEnd] as Hold
    const code = policyCode(policyRow(policy).rule)
    for (const [level, severity] of Object.entries(levelSpellings)) {
      const found = await hold({ [policy]: withLevel(setting, policy, level) }, section, refused, files)
      const place = one.frontEnd === 'yaml' ? { at } : {}
      expect(found).toEqual([
        {
          code,
          severity,
          message: `${says} (policy ${policy})`,
          remedy: remedyOf(policy),
          about: section,
          ...place,
        },
      ])
    }
  })

  it.each(cases)('$policy ($index) says nothing in $frontEnd once its remedy is followed', async one => {
    const { policy, setting, section, accepted, refused, files } = one
    const hold = frontEnds[one.frontEnd] as Hold
    expect(await hold({ [policy]: setting }, section, accepted, files)).toEqual([])
    const off = { [policy]: withLevel(setting, policy, 'off') }
    expect(await hold(off, section, refused, files)).toEqual([])
    const except = { [policy]: { ...longForm(setting, policy), except: ['ope*'] } }
    expect(await hold(except, section, refused, files)).toEqual([])
  })
})
