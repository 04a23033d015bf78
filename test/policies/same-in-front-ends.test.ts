import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { accessLevels } from '../../src/policies/check-policy.ts'
import { levelSpellings } from '../../src/policies/policy.ts'
import { type DeclaredPolicyName, declaredPolicyNames, policyRow } from '../../src/policies/policy-table.ts'
import { rounds } from '../support/rounds.ts'
import { holdInApp } from './app-front-end.ts'
import { holdInStack, holdInYaml, type Said } from './front-ends.ts'
import { audit, type PolicyCase, support } from './policy-cases.ts'

/** Policies that no app can ask, by the table. */
const forSettings = declaredPolicyNames.filter(name => policyRow(name).isForSettings)
/** Those that all three front ends can. */
const everywhere = declaredPolicyNames.filter(name => !forSettings.includes(name))

/** The options with which a synthesis leaves a policy to the plan, by the table. */
const leftToThePlan = everywhere.flatMap(name =>
  Object.entries(policyRow(name).options).flatMap(([option, { needsToday }]) =>
    needsToday ? [{ name, option }] : [],
  ),
)

const percent = fc.constantFrom(0, 25, 50, 99, 100)
const some = (members: Readonly<Record<string, fc.Arbitrary<Json>>>) =>
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>

/** What a policy may be told beside its level. */
const settings: Readonly<Partial<Record<DeclaredPolicyName, fc.Arbitrary<JsonObject>>>> = {
  expiry: some({ within: fc.constantFrom('1 day', '30 days', '10 weeks') }),
  grants_only_to: fc.record(
    { roles: fc.subarray(['support', audit]), at_most: fc.constantFrom(...accessLevels) },
    { requiredKeys: ['roles'] },
  ),
  max_rollout: fc.record({ at_most: percent, everyone_only: fc.boolean() }),
  name_pattern: fc.record({ feature_flags: fc.constantFrom('^open$', '^[a-z]+$', 'd$') }),
  no_personal_email: fc.constant({}),
  no_release_to_everyone: fc.constant({}),
  owner: some({ tag: fc.constantFrom('^owner:', 'pay') }),
  two_person: fc.record(
    { above: percent, tag: fc.constantFrom('reviewed', 'reviewed-by:*'), everyone_only: fc.boolean() },
    { requiredKeys: ['above'] },
  ),
}

const common = fc.record({
  level: fc.constantFrom(...Object.keys(levelSpellings)),
  except: fc.constantFrom([], ['ope*'], ['other']),
})

const property = fc.record({
  key: fc.constantFrom('email', 'country'),
  type: fc.constant('person'),
  operator: fc.constantFrom('exact', 'is_not', 'icontains'),
  value: fc.constantFrom<Json>('ada@example.com', '@example.com', 'DE'),
})
const group = fc.record(
  { properties: fc.array(property, { maxLength: 2 }), rollout_percentage: percent },
  { requiredKeys: [] },
)
const flag = fc.record({
  key: fc.constantFrom('open', 'opened', 'x1'),
  active: fc.boolean(),
  filters: fc.record({ groups: fc.array(group, { minLength: 1, maxLength: 3 }) }),
  tags: fc.subarray(['pay', 'owner:payments', 'reviewed', 'reviewed-by:ada', 'expires:2026-12-21']),
})
const grant = fc.record({ role_id: fc.constantFrom(support, audit) })

/** What is declared, with the section that it stands in: mostly what a policy is about. */
function declaredFor(name: DeclaredPolicyName): fc.Arbitrary<readonly [PolicyCase['section'], JsonObject]> {
  const flags = fc.tuple(fc.constant('feature_flags' as const), flag as fc.Arbitrary<JsonObject>)
  const grants = fc.tuple(fc.constant('feature_flag_role_access' as const), grant)
  const isOfGrants = name === 'grants_only_to'
  return fc.oneof(
    { weight: isOfGrants ? 1 : 6, arbitrary: flags },
    { weight: isOfGrants ? 6 : 1, arbitrary: grants },
  )
}

/** What is said, each once and in any order, without where it is in a file and without the name of the policy, which `code` has. */
function compared(said: readonly Said[], section: PolicyCase['section']): readonly string[] {
  // Of a grant, stacks declare the flag too.
  const ours = said.filter(({ code, about }) => code.startsWith('policy-') && about === section)
  const lines = ours.map(({ at: _, message, ...others }) =>
    JSON.stringify({ ...others, message: message.replace(/ \([^()]*\)$/, '') }),
  )
  return [...new Set(lines)].sort()
}

// The stack is written all the same, so that Vexil can be asked what it says of it.
beforeAll(() => void vi.stubEnv('CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS', 'true'))
afterAll(() => void vi.unstubAllEnvs())

describe('the same declaration under the same policy', () => {
  it('is tried with each policy that an app can ask; the others are for the settings alone', () => {
    expect(Object.keys(settings).sort()).toEqual([...everywhere].sort())
    expect(forSettings).toEqual(['first_in', 'schemas'])
    expect(leftToThePlan).toEqual([{ name: 'expiry', option: 'within' }])
  })

  it.each(everywhere)('is refused alike in YAML, in a stack and by a construct: %s', async name => {
    const options = settings[name] ?? fc.constant({})
    const wasRefused = new Set<boolean>()
    await fc.assert(
      fc.asyncProperty(declaredFor(name), options, common, async ([section, fields], own, shared) => {
        const policies = { [name]: { ...own, ...shared } }
        const yaml = compared(await holdInYaml(policies, section, fields), section)
        expect(compared(await holdInStack(policies, section, fields), section)).toEqual(yaml)
        const { synthesis, plan } = await holdInApp(policies, section, fields)
        expect(compared(plan, section)).toEqual(yaml)
        const isLeft = leftToThePlan.some(left => left.name === name && left.option in own)
        wasRefused.add(yaml.length > 0)
        if (!isLeft) expect(compared(synthesis, section)).toEqual(yaml)
      }),
      { numRuns: rounds(10) },
    )
    expect([...wasRefused].sort()).toEqual([false, true])
  })
})
