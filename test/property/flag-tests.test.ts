import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateAt } from '../../src/core/tests/evaluate-declared.ts'
import type { JsonObject } from '../../src/model/json/json.ts'
import { profiles } from '../../src/model/profile.ts'
import { evaluationVerdict, KnownFlags } from '../../src/targeting/index.ts'
import { checkRepository } from '../../src/yaml/index.ts'
import { folderOfTest } from '../support/folder.ts'
import { rounds } from '../support/rounds.ts'

const countries = fc.constantFrom('DE', 'FR', 'US')
const share = fc.constantFrom(0, 10, 50, 100)
const condition = fc.record(
  {
    properties: fc.oneof(
      fc.constant([]),
      fc
        .array(countries, { minLength: 1, maxLength: 2 })
        .map(value => [{ key: 'country', type: 'person', value }]),
      fc.constant([{ key: 'age', type: 'person', operator: 'gt', value: '18' }]),
    ),
    rollout_percentage: share,
    variant: fc.constantFrom('one', 'two'),
  },
  { requiredKeys: ['properties', 'rollout_percentage'] },
)
const variants = fc.constantFrom<JsonObject>(
  {},
  {
    multivariate: {
      variants: [
        { key: 'one', rollout_percentage: 30 },
        { key: 'two', rollout_percentage: 70 },
      ],
    },
  },
)
const filters = fc
  .tuple(fc.array(condition, { maxLength: 3 }), variants, fc.boolean())
  .map(([groups, multivariate, paid]) => ({
    // A variant that there is not is an error of its own.
    groups: groups.map(({ variant, ...rest }) =>
      'multivariate' in multivariate && variant ? { ...rest, variant } : rest,
    ),
    ...multivariate,
    ...(paid ? { payloads: { ['multivariate' in multivariate ? 'one' : 'true']: { steps: 1 } } } : {}),
  }))
const person = fc.record(
  {
    distinct_id: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }),
    properties: fc.record(
      { country: countries, age: fc.constantFrom(17, 18, 19, '20') },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['properties'] },
)
const now = Date.UTC(2026, 10, 23)

describe('a test of a flag', () => {
  it('passes where it says what the evaluation answers, and fails where it says anything else', async () => {
    let decided = 0
    await fc.assert(
      fc.asyncProperty(
        filters,
        person,
        fc.boolean(),
        fc.constantFrom(...profiles),
        async (wanted, who, active, profile) => {
          const flag = { key: 'a', active, filters: wanted }
          const subject = {
            ...(who.distinct_id === undefined ? {} : { distinctId: who.distinct_id }),
            properties: who.properties ?? {},
          }
          const answer = evaluateAt({ now, services: [profile] }, flag, subject, new KnownFlags([flag]))
          const { value, payload = null, reason, conditionIndex } = answer
          const said = { person: who, expect: { value, payload }, because: reason }
          const isMatch = reason === 'condition_match' && conditionIndex !== undefined
          const tests = [said, ...(isMatch ? [{ ...said, because: conditionIndex + 1 }] : [])]
          const keys = 'multivariate' in wanted ? ['one', 'two'] : []
          const others = [false, true, ...keys]
            .filter(other => other !== value)
            .map(other => ({ ...said, expect: other }))
          const wrong = [...others, { ...said, expect: { value, payload: 'no such payload' } }]
          const directory = await folderOfTest({
            'vexil.yaml': JSON.stringify({
              version: 1,
              environments: { staging: { project: '1', profile } },
            }),
            'flags.yaml': JSON.stringify({
              feature_flags: { a: { active, filters: wanted, tests: [...tests, ...wrong] } },
            }),
          })
          const { problems } = await checkRepository({ directory, env: {}, testedAt: now })
          const codes = problems.flatMap(({ code }) => (code.startsWith('test-') ? [code] : []))
          if (evaluationVerdict(answer) === 'undecided') {
            expect(codes).toEqual([...tests, ...wrong].map(() => 'test-undecided'))
            return
          }
          decided += 1
          expect(codes).toEqual(wrong.map(() => 'test-failed'))
        },
      ),
      { numRuns: rounds(60) },
    )
    expect(decided).toBeGreaterThan(0)
  })
})
