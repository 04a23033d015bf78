import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Flag, type FlagTest } from '../../src/constructs/own-constructs.ts'
import { type RunTest, runTests } from '../../src/core/declared-tests.ts'
import { profiles } from '../../src/model/connection.ts'
import { testRepository } from '../../src/yaml/index.ts'
import { load } from '../stack/load.ts'
import { folderOfTest } from '../support/folder.ts'
import { rounds } from '../support/rounds.ts'
import { testedFilters, testedPerson } from '../support/tested-flags.ts'

const now = Date.UTC(2026, 10, 23)

/** Who belongs to a group as well, which has properties of its own, or is a device alone. */
const person = fc.record({
  who: testedPerson,
  group: fc.option(
    fc.record({ key: fc.string({ minLength: 1 }), properties: fc.record({ 'is.Pro': fc.boolean() }) }),
    {
      nil: undefined,
    },
  ),
  device: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
})

const payload = fc.constantFrom(undefined, null, { steps: 1 }, { steps: 2, 'aB.c': [null, {}, []] })
const expectation = fc.record({
  value: fc.constantFrom<boolean | string>(true, false, 'one', 'two'),
  payload,
  because: fc.constantFrom(undefined, 1, 2, 3, 'no_condition_match', 'disabled' as const),
})

function outcomes(tests: readonly RunTest[]) {
  return tests.map(({ test: { sourceOf: _, ...test }, verdict, words }) => ({
    ...{ test, verdict, ...words() },
  }))
}

describe('tests of a flag', () => {
  it('come out alike beside a construct and beside the same flag in YAML', async () => {
    const verdicts = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        testedFilters,
        fc.array(fc.tuple(person, expectation), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.constantFrom(...profiles),
        async (filters, given, active, profile) => {
          const variants = 'multivariate' in filters ? ['one', 'two'] : []
          const tests = given
            // Of what there is not, both say that it is an error of its own.
            .filter(([, { value }]) => typeof value === 'boolean' || variants.includes(value))
            .map(([{ who, group, device }, { value, payload: wanted, because }]) => {
              const isThere = typeof because !== 'number' || because <= filters.groups.length
              const expected = wanted === undefined ? value : { value, payload: wanted }
              return { who, group, device, expected, ...(isThere && because ? { because } : {}) }
            })
          const { tested } = await testRepository({
            directory: await folderOfTest({
              'vexil.yaml': JSON.stringify({ version: 1, environments: { here: { project: '1', profile } } }),
              'flags.yaml': JSON.stringify({
                feature_flags: {
                  a: {
                    ...{ active, filters },
                    tests: tests.map(({ who, group, device, expected, because }) => ({
                      person: { ...who, device_id: device, ...(group ? { groups: { 0: group } } : {}) },
                      ...{ expect: expected, because },
                    })),
                  },
                },
              }),
            }),
            env: {},
            testedAt: now,
          })
          const { declarations, problems } = await load(stack => {
            new Flag(stack, 'A', {
              ...{ key: 'a', active, filters },
              tests: tests.map(({ who, group, device, expected, because }): FlagTest => {
                const { distinct_id: distinctId, properties } = who
                const named = group && { groups: { 0: group } }
                const asking = {
                  ...(distinctId === undefined ? {} : { distinctId }),
                  ...(device === undefined ? {} : { deviceId: device }),
                  ...(properties ? { properties } : {}),
                  ...named,
                }
                // A reason of the list above.
                return { person: asking, expect: expected, ...(because ? { because: because as 1 } : {}) }
              }),
            })
          })
          expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
          const ofConstruct = runTests(declarations.desired, { now, services: [profile] })
          const [ofYaml] = tested
          expect(outcomes(ofConstruct.flatMap(each => each.tests))).toEqual(
            outcomes(ofYaml?.flags.flatMap(each => each.tests) ?? []),
          )
          expect(ofConstruct[0]?.tests).toHaveLength(tests.length)
          for (const { verdict } of ofConstruct[0]?.tests ?? []) verdicts.add(verdict)
        },
      ),
      { numRuns: rounds(10) },
    )
    expect([...verdicts].sort()).toEqual(expect.arrayContaining(['failed', 'passed', 'undecided']))
  })
})
