import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { writeJson } from '../../src/model/text/json-text.ts'
import { plannedPolicies } from '../../src/policies/planned-policies.ts'
import { policyCode, policyRow } from '../../src/policies/policy-table.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { useWorkspace } from '../support/workspace.ts'
import { declaredIn, withLevel } from './front-ends.ts'
import { policyCases, roles, today } from './policy-cases.ts'

const bench = useWorkspace({})

/** One case of each policy. */
const cases = [...new Map(policyCases.map(one => [one.policy, one])).values()].flatMap(one =>
  (['error', 'warning'] as const).map(level => ({ ...one, level })),
)

describe('a report of what is against policies', () => {
  it.each(cases)('has what $policy asks as a rule, at its line, as $level', async one => {
    const { policy, section, refused, setting, level, files, at, says } = one
    const { rule, doc, remedy } = policyRow(policy)
    const lines = declaredIn(section, refused)
    const policies = { [policy]: withLevel(setting, policy, level) }
    await bench().write({
      ...files,
      'vexil.yaml': writeJson({ version: 1, roles, policies }),
      'all.yaml': lines.map(([, line]) => `${line}\n`).join(''),
    })
    const { code } = await bench().vexil('validate --report p.sarif --report p.junit.xml', {
      host: { runtime: testRuntime(Date.parse(today)) },
    })
    expect(code).toBe(level === 'error' ? 1 : 0)

    const [{ results, tool }] = JSON.parse(await bench().read('p.sarif')).runs
    const id = policyCode(rule)
    expect(tool.driver.rules).toEqual([
      {
        id,
        shortDescription: { text: doc },
        help: { text: `What to do: ${remedy}.` },
        defaultConfiguration: { level },
      },
    ])
    const startLine = 1 + lines.findIndex(([name]) => name === at)
    expect(results).toMatchObject([
      {
        ruleId: id,
        level,
        message: { text: expect.stringContaining(says) },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'all.yaml' }, region: { startLine } } }],
      },
    ])

    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(await bench().read('p.junit.xml'))
    expect(testsuites['@_failures'] ?? '0').toBe(level === 'error' ? '1' : '0')
    expect(writeJson(testsuites)).toContain(id)
  })

  it('has what a policy on plans asks as well', async () => {
    const live =
      'feature_flags:\n  kept: { active: true, filters: { groups: [{ rollout_percentage: 10 }] } }\n'
    await bench().write({ 'vexil.yaml': 'version: 1\n', 'all.yaml': live })
    expect(await bench().vexil('apply --auto-approve')).toMatchObject({ code: 0 })
    const policies = 'version: 1\npolicies: { protected_keys: [kept] }\n'
    await bench().write({ 'vexil.yaml': policies, 'all.yaml': live.replace('10', '20') })
    expect(await bench().vexil('plan --fail-on-blocked --report p.sarif')).toMatchObject({ code: 3 })
    const [{ results, tool }] = JSON.parse(await bench().read('p.sarif')).runs
    expect(results).toMatchObject([{ ruleId: 'protected_keys' }])
    const { doc, remedy } = plannedPolicies.protected_keys
    expect(tool.driver.rules).toEqual([
      {
        id: 'protected_keys',
        shortDescription: { text: doc },
        help: { text: `What to do: ${remedy}.` },
        defaultConfiguration: { level: 'warning' },
      },
    ])
  })
})
