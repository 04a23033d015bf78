import { describe, expect, it } from 'vitest'
import { sitDown } from './desk.ts'
import { flags } from './repository.ts'

const filters = (percent: number) => `{
      groups: [
        { properties: [ { key: id, value: 1, type: cohort }, { key: email, type: person, operator: is_set } ], rollout_percentage: ${percent} },
        { properties: [ { key: plan, value: [pro], type: person, operator: exact } ], rollout_percentage: null, variant: a }
      ],
      multivariate: { variants: [ { key: a, rollout_percentage: 50 }, { key: b, name: "", rollout_percentage: 50 } ] },
      payloads: { a: { deep: [ 1, { b: null } ] }, b: "\\"text\\"" }
    }`
const declarations = (percent: number) => `feature_flags:
  rich: { active: true, filters: ${filters(percent)} }
  only_payload: { active: true, filters: { payloads: { "true": 3 } } }
  nobody: { active: true, filters: { groups: [] } }
`

describe.each([
  ['verbatim', 'documented'],
  ['rewritten', 'documented'],
  ['rewritten', 'posthog'],
] as const)('filters that the service shows %s, with the %s profile', (shown, profile) => {
  it('are written once, compared as what they mean, and exported as what plans nothing', async () => {
    const desk = await sitDown({ profile, quirks: { filters: shown }, declarations: declarations(10) })
    await desk.service.send('POST', `${flags}/14/create_static_cohort_for_flag/`)
    const applied = await desk.vexil('apply --auto-approve')
    expect(applied.code, applied.stdout).toBe(0)
    expect(applied.stdout).not.toContain('did not keep')
    expect((await desk.vexil('plan --detailed-exitcode')).code).toBe(0)

    await desk.write({ 'declarations.yaml': declarations(20) })
    expect((await desk.vexil('plan')).stdout).toContain('10% -> 20%')
    expect(await desk.writesOf('apply --auto-approve')).toHaveLength(1)
    expect((await desk.vexil('drift')).code).toBe(0)

    const exported = await desk.vexil('export --kind feature_flag')
    expect(exported.code).toBe(0)
    await desk.write({ 'declarations.yaml': exported.stdout })
    const planned = await desk.vexil('plan --detailed-exitcode')
    expect(planned.code, planned.stdout).toBe(0)
  })
})

describe('a condition that the service cannot work with', () => {
  it.each(['invalid', 'error'] as const)(
    'is found before anything is sent, whether it gives "%s"',
    async bad => {
      const desk = await sitDown({
        quirks: { bad_property: bad },
        declarations:
          'feature_flags:\n  bad: { filters: { groups: [ { properties: [ { key: a, type: person } ] } ] } }\n',
      })
      expect(await desk.writesOf('apply --auto-approve')).toEqual([])
      const { code, stderr } = await desk.vexil('apply --auto-approve')
      expect(code).toBe(1)
      expect(stderr).toContain('declarations.yaml:2')
    },
  )
})
