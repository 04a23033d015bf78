import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { checkFilters as checkForServices, evaluateFlag } from '../../../src/targeting/index.ts'
import { anyFilters, someCohorts, someFilters, somePerson } from '../some-filters.ts'

const german: Json = { key: 'country', value: ['DE'], type: 'person' }
const everyone = (percent: Json = null, variant: Json = null): Json => ({
  rollout_percentage: percent,
  variant,
})
const germans = (percent: Json = null, variant: Json = null): Json => ({
  properties: [german],
  rollout_percentage: percent,
  variant,
})
const variants = (...entries: [Json, Json][]): Json => ({
  variants: entries.map(([key, percent]) => ({ key, rollout_percentage: percent })),
})
const ab = variants(['a', 50], ['b', 50])

/** `severity code pointer` of every problem: what a table can hold on a line. */
function outline(filters: Json): string[] {
  return checkFilters(filters).map(({ severity, code, pointer }) => `${severity} ${code} ${pointer}`)
}

/** As documented; what services differ in is told elsewhere. */
const checkFilters = (filters: Json) => checkForServices(filters, undefined, ['documented'])

describe('checkFilters', () => {
  it.each<[string, Json]>([
    ['nothing', null],
    ['no members', {}],
    ['nobody', { groups: [] }],
    ['what the service shows', { groups: [{ properties: [], rollout_percentage: null }] }],
    [
      'what its screen saves',
      {
        groups: [{ properties: [german], rollout_percentage: 0, variant: null }],
        payloads: {},
        multivariate: null,
      },
    ],
    [
      'variants and payloads',
      { groups: [germans(50, 'a'), everyone(10)], multivariate: ab, payloads: { a: '{"x": 1}', b: [1] } },
    ],
    ['thirds', { groups: [{}], multivariate: variants(['a', 33.33], ['b', 33.33], ['c', 33.34]) }],
    [
      'weights whose sum is not exact in binary',
      { groups: [{}], multivariate: variants(['a', 16.1], ['b', 48.2], ['c', 35.7]) },
    ],
    ['a payload of a boolean flag', { groups: [{}], payloads: { true: 'null' } }],
    [
      'an e-mail address',
      { groups: [{ properties: [{ key: 'email', value: ['ana@corp.example'], type: 'person' }] }] },
    ],
    [
      'a cohort',
      {
        groups: [
          { properties: [{ key: 'id', value: 5, type: 'cohort', operator: 'in', cohort_name: 'Beta' }] },
        ],
      },
    ],
    [
      'a group',
      {
        groups: [{ properties: [{ key: 'plan', value: 'pro', type: 'group', group_type_index: 0 }] }],
        aggregation_group_type_index: 0,
      },
    ],
    ['what other parts of the product write', { groups: [{}], super_groups: [{}], holdout: { id: 1 } }],
    [
      'a thousand values',
      { groups: [{ properties: [{ key: 'id', value: Array(1000).fill('x'), type: 'person' }] }] },
    ],
  ])('finds nothing wrong with %s', (_, filters) => {
    expect(checkFilters(filters)).toEqual([])
  })

  it.each<[string, Json, string[]]>([
    ['filters', 5, ['error wrong-shape ']],
    ['groups', { groups: 'x' }, ['error wrong-shape /groups']],
    ['a condition', { groups: [null, 5] }, ['error wrong-shape /groups/0', 'error wrong-shape /groups/1']],
    ['properties', { groups: [{ properties: 'x' }] }, ['error wrong-shape /groups/0/properties']],
    ['a property', { groups: [{ properties: [5] }] }, ['error wrong-shape /groups/0/properties/0']],
    [
      'an operator',
      { groups: [{ properties: [{ key: 'a', value: 1, type: 'person', operator: 5 }] }] },
      ['error wrong-shape /groups/0/properties/0/operator'],
    ],
    ['a forced variant', { groups: [{ variant: 5 }] }, ['error wrong-shape /groups/0/variant']],
    ['multivariate', { multivariate: 'x' }, ['error wrong-shape /multivariate']],
    ['variants', { multivariate: { variants: 'x' } }, ['error wrong-shape /multivariate/variants']],
    ['a variant', { multivariate: { variants: [5] } }, ['error wrong-shape /multivariate/variants/0']],
    ['payloads', { payloads: [1] }, ['error wrong-shape /payloads']],
    [
      'the group type',
      { aggregation_group_type_index: 5, groups: [{ aggregation_group_type_index: '1' }] },
      [
        'error group-type-index /aggregation_group_type_index',
        'error group-type-index /groups/0/aggregation_group_type_index',
      ],
    ],
    [
      'variants that are none',
      { multivariate: { control: 50 } },
      ['warning unknown-member /multivariate/control', 'error missing-variants /multivariate/variants'],
    ],
  ])('finds the wrong shape of %s', (_, filters, found) => {
    expect(outline(filters)).toEqual(found)
  })

  it.each<[string, Json, string]>([
    ['missing', { multivariate: { variants: [{ key: 'a' }] } }, 'the percentage is missing'],
    ['null', { multivariate: variants(['a', null]) }, 'the percentage is missing'],
    ['a text', { groups: [everyone('50')] }, 'the percentage is not a number'],
  ])('says what a percentage is that is %s', (_, filters, message) => {
    const problems = checkFilters(filters).filter(({ code }) => code === 'percentage-type')
    expect(problems.map(problem => problem.message)).toEqual([message])
  })

  it.each<[string, Json, string[]]>([
    ['more than 100%', { groups: [everyone(150)] }, ['error percentage-range /groups/0/rollout_percentage']],
    [
      'less than nothing',
      { groups: [everyone(-1)] },
      ['error percentage-range /groups/0/rollout_percentage'],
    ],
    ['text', { groups: [everyone('50')] }, ['error percentage-type /groups/0/rollout_percentage']],
    ['truth', { groups: [everyone(true)] }, ['error percentage-type /groups/0/rollout_percentage']],
    [
      'no weight',
      { multivariate: { variants: [{ key: 'a' }] } },
      ['error percentage-type /multivariate/variants/0/rollout_percentage'],
    ],
    [
      'a weight of null',
      { multivariate: variants(['a', null]) },
      ['error percentage-type /multivariate/variants/0/rollout_percentage'],
    ],
    [
      'too much weight',
      { multivariate: variants(['a', 110], ['b', -10]) },
      [
        'error percentage-range /multivariate/variants/0/rollout_percentage',
        'error percentage-range /multivariate/variants/1/rollout_percentage',
      ],
    ],
    [
      'weights below 100%',
      { multivariate: variants(['a', 50], ['b', 49]) },
      ['error variant-sum /multivariate/variants'],
    ],
    [
      'weights above 100%',
      { multivariate: variants(['a', 33.34], ['b', 33.34], ['c', 33.34]) },
      ['error variant-sum /multivariate/variants'],
    ],
    [
      'two variants of one key',
      { multivariate: variants(['a', 50], ['a', 50]) },
      ['error duplicate-variant /multivariate/variants/1/key'],
    ],
    [
      'a variant without a key',
      { multivariate: variants(['', 100]) },
      ['error missing-key /multivariate/variants/0/key'],
    ],
    [
      'a variant that does not exist',
      { groups: [everyone(10, 'c')], multivariate: ab },
      ['error unknown-variant /groups/0/variant'],
    ],
    [
      'a variant where there are none',
      { groups: [everyone(10, 'c')] },
      ['error unknown-variant /groups/0/variant'],
    ],
    [
      'a payload of no variant',
      { multivariate: ab, payloads: { a: 1, c: 1, true: 1 } },
      ['error payload-without-variant /payloads/c', 'error payload-without-variant /payloads/true'],
    ],
    [
      'a payload of a variant where there are none',
      { payloads: { true: 1, 'a/b~c': 1 } },
      ['error payload-without-variant /payloads/a~1b~0c'],
    ],
    ['a broken payload', { payloads: { true: '{"a": 1' } }, ['error payload-json /payloads/true']],
    ['a payload in plain words', { payloads: { true: 'hello' } }, ['warning payload-text /payloads/true']],
  ])('finds %s', (_, filters, found) => {
    expect(outline(filters)).toEqual(found)
  })

  it('never repeats what a payload holds', () => {
    expect(JSON.stringify(checkFilters({ payloads: { true: '{"secret', other: 'secret' } }))).not.toContain(
      'secret',
    )
  })

  it('tells what is wrong in one line and what to do in another', () => {
    const filters = {
      groups: [
        {
          properties: [{ key: 'email', value: 'x', type: 'person', operator: 'icontain' }],
          rollout_percent: 10,
        },
      ],
    }
    expect(checkFilters(filters)).toEqual([
      {
        pointer: '/groups/0/rollout_percent',
        code: 'misspelt-member',
        severity: 'error',
        message: '"rollout_percent" is not a member that the service knows',
        hint: 'did you mean "rollout_percentage"?',
      },
      {
        pointer: '/groups/0/properties/0/operator',
        code: 'unknown-operator',
        severity: 'error',
        message: '"icontain" is not an operator',
        hint: 'did you mean "icontains"?',
      },
    ])
  })

  describe('conditions that can never match', () => {
    it.each<[string, Json[], number[]]>([
      ['behind everybody', [everyone(100), germans(50)], [1]],
      ['behind everybody, unsaid', [everyone(), germans(50), everyone(10)], [1, 2]],
      ['behind enough of everybody', [everyone(50), germans(50)], [1]],
      ['behind the same people', [germans(20), germans(10)], [1]],
      ['behind too few', [everyone(50), germans(60)], []],
      ['behind other people', [germans(100), everyone(100)], []],
      ['that force a variant, behind everybody', [everyone(), germans(100, 'a')], []],
      ['in front of everybody who is forced', [germans(100), everyone(100, 'a')], [0]],
      ['behind everybody who is forced', [everyone(100, 'a'), germans(50, 'b')], [1]],
      ['that give nothing anyway', [everyone(), everyone(0)], []],
    ])('%s', (_, groups, unreachable) => {
      expect(outline({ groups, multivariate: ab })).toEqual(
        unreachable.map(index => `warning unreachable-condition /groups/${index}`),
      )
    })

    it('are told with the one that takes their people', () => {
      expect(checkFilters({ groups: [everyone(), germans(50)] })).toEqual([
        {
          pointer: '/groups/1',
          code: 'unreachable-condition',
          severity: 'warning',
          message: 'condition 2 can never match: condition 1 takes everyone at 100%',
          hint: 'remove it, or move it to the first place',
        },
      ])
    })

    it('never decide for anybody', () => {
      const context = {
        now: 0,
        isComplete: true,
        groupTypes: { 0: 'company' },
        cohorts: someCohorts as JsonObject,
      }
      fc.assert(
        fc.property(someFilters, fc.array(somePerson, { minLength: 10 }), (filters, people) => {
          const unreachable = checkFilters(filters).filter(({ code }) => code === 'unreachable-condition')
          const pointers = new Set(unreachable.map(({ pointer }) => pointer))
          for (const person of people) {
            const { value, conditionIndex } = evaluateFlag({ key: 'flag', filters }, person, context)
            if (value !== false) expect(pointers).not.toContain(`/groups/${conditionIndex}`)
          }
        }),
      )
    })
  })

  it('survives anything', () => {
    fc.assert(
      fc.property(anyFilters, filters => {
        for (const { pointer, message } of checkFilters(filters)) {
          expect(pointer).toMatch(/^(\/|$)/)
          expect(message).not.toMatch(/\n/)
        }
      }),
    )
  })
})
