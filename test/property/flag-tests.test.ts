import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateAt } from '../../src/core/declared-tests.ts'
import { profiles } from '../../src/model/connection.ts'
import { evaluationVerdict, KnownFlags } from '../../src/targeting/index.ts'
import { readDeclared } from '../../src/yaml/index.ts'
import { folderOfTest } from '../support/folder.ts'
import { rounds } from '../support/rounds.ts'
import { testedFilters, testedPerson } from '../support/tested-flags.ts'

const now = Date.UTC(2026, 10, 23)

describe('a test of a flag', () => {
  it('passes where it says what the evaluation answers, and fails where it says anything else', async () => {
    let decided = 0
    await fc.assert(
      fc.asyncProperty(
        testedFilters,
        testedPerson,
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
          const { problems } = await readDeclared({ directory, env: {}, testedAt: now })
          const codes = problems.flatMap(({ code }) => (code.startsWith('test-') ? [code] : []))
          if (evaluationVerdict(answer) === 'undecided') {
            expect(codes).toEqual([...tests, ...wrong].map(() => 'test-undecided'))
            return
          }
          decided += 1
          expect(codes).toEqual(wrong.map(() => 'test-failed'))
        },
      ),
      { numRuns: rounds(5) },
    )
    expect(decided).toBeGreaterThan(0)
  })
})
