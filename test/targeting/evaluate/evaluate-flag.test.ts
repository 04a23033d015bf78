import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { canonicalFilters } from '../../../src/targeting/canonical-filters.ts'
import {
  type Evaluation,
  evaluateFlag,
  explainConditions,
  hashFraction,
  matchCondition,
  type Subject,
} from '../../../src/targeting/index.ts'
import { anyFilters, someCohorts, someFilters, somePerson } from '../some-filters.ts'

const now = Date.UTC(2024, 0, 1)
const key = 'rollout_flag'

// person-4 stands at 0.16, person-2 at 0.25, person-1 at 0.43 and person-0 at 0.97 of this flag.
function evaluate(filters: Json, subject: Partial<Subject> = {}, context: object = {}): Evaluation {
  return evaluateFlag(
    { key, filters },
    { distinctId: 'person-1', ...subject },
    { now, isComplete: true, ...context },
  )
}

const german = { key: 'country', value: ['DE'], type: 'person' }
const weighted = {
  variants: [
    { key: 'control', rollout_percentage: 50 },
    { key: 'test', rollout_percentage: 30 },
    { key: 'other', rollout_percentage: 20 },
  ],
}

describe('evaluateFlag', () => {
  it('is off when the flag is off or gone', () => {
    const off = { value: false, reason: 'disabled' }
    const person = { distinctId: 'person-1' }
    expect(evaluateFlag({ key, filters: null, active: false }, person, { now })).toEqual(off)
    expect(evaluateFlag({ key, filters: null, deleted: true }, person, { now })).toEqual(off)
  })

  it('gives a flag without conditions to everybody, and one with none to nobody', () => {
    expect(evaluate(null)).toEqual({ value: true, reason: 'condition_match', conditionIndex: 0 })
    expect(evaluate({ groups: [] })).toEqual({ value: false, reason: 'no_condition_match' })
  })

  it.each([
    [43.06, false],
    [43.07, true],
    [100, true],
    [0, false],
  ])('puts a person at 0.43069 in a rollout of %d%%: %s', (percent, value) => {
    expect(evaluate({ groups: [{ rollout_percentage: percent }] })).toEqual({
      value,
      reason: value ? 'condition_match' : 'out_of_rollout_bound',
      conditionIndex: 0,
    })
  })

  it('names the condition that came nearest', () => {
    const groups: Json[] = [{ rollout_percentage: 1 }, { properties: [german], rollout_percentage: 100 }]
    expect(evaluate({ groups }, { properties: { country: 'FR' } })).toEqual({
      value: false,
      reason: 'out_of_rollout_bound',
      conditionIndex: 0,
    })
    expect(evaluate({ groups: [{ properties: [german] }, { properties: [german] }] })).toEqual({
      value: false,
      reason: 'no_condition_match',
      conditionIndex: 1,
    })
  })

  // Computed with the arithmetic of the Python SDK.
  it.each([
    ['person-0', 'other'],
    ['person-1', 'test'],
    ['person-2', 'control'],
    ['person-9', 'other'],
  ])('gives %s the variant "%s"', (distinctId, variant) => {
    expect(evaluate({ groups: [{}], multivariate: weighted }, { distinctId }).value).toBe(variant)
  })

  it('gives plain true where the variants leave a gap', () => {
    const multivariate = { variants: [{ key: 'rare', rollout_percentage: 1 }] }
    expect(evaluate({ groups: [{}], multivariate }).value).toBe(true)
  })

  it('tries conditions that force a variant first, in their order', () => {
    const groups: Json[] = [{}, { properties: [german], variant: 'other' }, { variant: 'control' }]
    const filters = { groups, multivariate: weighted }
    const german1 = evaluate(filters, { properties: { country: 'DE' } })
    expect(german1).toEqual({ value: 'other', reason: 'condition_match', conditionIndex: 1 })
    expect(evaluate(filters)).toEqual({ value: 'control', reason: 'condition_match', conditionIndex: 2 })
  })

  it('goes by weight where the forced variant does not exist', () => {
    const filters = { groups: [{ variant: 'gone' }], multivariate: weighted }
    expect(evaluate(filters)).toEqual({ value: 'test', reason: 'condition_match', conditionIndex: 0 })
  })

  it.each<[string, JsonObject, Json | undefined]>([
    ['of plain true', { payloads: { true: '{"a": 1}' } }, { a: 1 }],
    ['of the variant', { multivariate: weighted, payloads: { test: 'text', control: '1' } }, 'text'],
    ['only of its own variant', { multivariate: weighted, payloads: { control: '1' } }, undefined],
    [
      'not of what every object answers to',
      {
        groups: [{ variant: 'constructor' }],
        multivariate: { variants: [{ key: 'constructor', rollout_percentage: 100 }] },
      },
      undefined,
    ],
  ])('brings the payload %s', (_, filters, payload) => {
    expect(evaluate(filters).payload).toEqual(payload)
  })

  it('brings no payload to people who do not get the flag', () => {
    expect(evaluate({ groups: [], payloads: { true: '1' } })).toEqual({
      value: false,
      reason: 'no_condition_match',
    })
  })

  it.each<[string, JsonObject, Partial<Evaluation>]>([
    ['a holdout', { groups: [{}], holdout: { id: 1 } }, { value: true, undecided: judged('holdout') }],
    ['an enrolment', { groups: [], super_groups: [{}] }, { value: false, undecided: judged('super_groups') }],
    ['no holdout', { groups: [{}], holdout: null, holdout_groups: [], early_exit: false }, { value: true }],
    [
      'a condition that counts groups',
      { groups: [{ aggregation_group_type_index: 0 }, {}] },
      { value: true, undecided: 'a condition counts other groups than the flag' },
    ],
    ['one behind', { groups: [{}, { aggregation_group_type_index: 0 }] }, { value: true }],
    [
      'one for nobody',
      { groups: [{ aggregation_group_type_index: 0, rollout_percentage: 0 }] },
      { value: false },
    ],
  ])('knows what it does not work out: %s', (_, filters, expected) => {
    const { value, undecided } = evaluate(filters)
    expect({ value, ...(undecided === undefined ? {} : { undecided }) }).toEqual(expected)
  })

  describe('for groups', () => {
    const filters = {
      groups: [{ properties: [{ key: 'plan', value: 'pro', type: 'group', group_type_index: 0 }] }],
      aggregation_group_type_index: 0,
    }
    const groupTypes = { 0: 'company' }

    it('looks at the properties of the group', () => {
      const subject = { groups: { company: 'acme' }, groupProperties: { company: { plan: 'pro' } } }
      expect(evaluate(filters, subject, { groupTypes })).toEqual({
        value: true,
        reason: 'condition_match',
        conditionIndex: 0,
      })
    })

    it('counts the group and not the person', () => {
      const half = { groups: [{ rollout_percentage: 50 }], aggregation_group_type_index: 0 }
      const values = ['person-0', 'person-1'].map(
        distinctId => evaluate(half, { distinctId, groups: { company: 'acme' } }, { groupTypes }).value,
      )
      const isIn = hashFraction(key, 'acme', '') <= 0.5
      expect(values).toEqual([isIn, isIn])
    })

    it.each([
      ['no such type of group', { groups: { company: 'acme' } }, {}],
      ['a person without such a group', { groups: { team: 'a' } }, groupTypes],
      ['a type that every object answers to', {}, { 0: 'constructor' }],
    ])('is off with %s', (_, subject, types) => {
      expect(evaluate(filters, subject, { groupTypes: types })).toEqual({
        value: false,
        reason: 'no_group_type',
      })
    })
  })

  describe('with less than the service knows', () => {
    const partial = { isComplete: false }

    it('says so when a property decides that is unknown', () => {
      expect(evaluate({ groups: [{ properties: [german] }] }, {}, partial)).toEqual({
        value: false,
        reason: 'no_condition_match',
        conditionIndex: 0,
        undecided: 'the property "country" is unknown',
      })
    })

    it('says so when nobody named the type of group', () => {
      const filters = { groups: [{}], aggregation_group_type_index: 0 }
      const subject = { groups: { company: 'acme' } }
      expect(evaluate(filters, subject, partial)).toEqual({
        value: false,
        reason: 'no_group_type',
        undecided: 'the name of the group type 0 is unknown',
      })
      const named = { ...partial, groupTypes: { 0: 'team' } }
      expect(evaluate(filters, subject, named)).toEqual({ value: false, reason: 'no_group_type' })
    })

    it('is sure when the percentage leaves the person out anyway', () => {
      const groups: Json[] = [{ properties: [german], rollout_percentage: 1 }]
      expect(evaluate({ groups }, {}, partial).undecided).toBeUndefined()
    })

    it('is sure when another property fails', () => {
      const groups: Json[] = [{ properties: [german, { key: 'plan', value: 'pro' }] }]
      expect(evaluate({ groups }, { properties: { plan: 'free' } }, partial).undecided).toBeUndefined()
    })

    it('is sure when another condition gives the same', () => {
      const groups: Json[] = [{ properties: [german] }, {}]
      expect(evaluate({ groups }, {}, partial)).toEqual({
        value: true,
        reason: 'condition_match',
        conditionIndex: 1,
      })
    })

    it('is sure when the other variant would come too late', () => {
      const groups: Json[] = [{ variant: 'control' }, { properties: [german], variant: 'other' }]
      expect(evaluate({ groups, multivariate: weighted }, {}, partial)).toEqual({
        value: 'control',
        reason: 'condition_match',
        conditionIndex: 0,
      })
    })

    it('is not sure when it would give another variant', () => {
      const groups: Json[] = [{ properties: [german], variant: 'control' }, {}]
      expect(evaluate({ groups, multivariate: weighted }, {}, partial)).toEqual({
        value: 'test',
        reason: 'condition_match',
        conditionIndex: 1,
        undecided: 'the property "country" is unknown',
      })
    })

    it('never contradicts the service where it is sure', () => {
      fc.assert(
        fc.property(someFilters, somePerson, fc.nat({ max: 2 }), (filters, person, hidden) => {
          const context = { now, groupTypes: { 0: 'company' }, cohorts: someCohorts as JsonObject }
          const known = Object.fromEntries(Object.entries(person.properties ?? {}).slice(hidden))
          const service = evaluateFlag({ key, filters }, person, { ...context, isComplete: true })
          const caller = evaluateFlag({ key, filters }, { ...person, properties: known }, context)
          if (caller.undecided === undefined && service.undecided === undefined)
            expect(caller.value).toBe(service.value)
        }),
      )
    })
  })

  it('gives false, true or a variant, and a reason wherever another value is possible', () => {
    fc.assert(
      fc.property(
        fc.oneof(someFilters, anyFilters),
        somePerson,
        fc.boolean(),
        fc.boolean(),
        (filters, person, isComplete, hasTypes) => {
          const context = { now, isComplete, cohorts: someCohorts as JsonObject }
          const groupTypes = hasTypes ? { groupTypes: { 0: 'company' } } : {}
          const found = evaluateFlag({ key, filters }, person, { ...context, ...groupTypes })
          const variants = keysOfVariants(filters)
          expect([false, true, ...variants]).toContain(found.value)
          expect(found.undecided ?? 'none').toMatch(/^[a-z]/)
        },
      ),
    )
  })

  it('explains each value: the first condition that reaches the person decides', () => {
    fc.assert(
      fc.property(someFilters, somePerson, fc.boolean(), (filters, person, isComplete) => {
        const context = { now, isComplete, groupTypes: { 0: 'company' }, cohorts: someCohorts as JsonObject }
        const { reason, conditionIndex, undecided } = evaluateFlag({ key, filters }, person, context)
        const conditions = explainConditions({ key, filters }, person, context)
        const found = conditions.find(({ is }) => is === 'matched')
        if (reason === 'condition_match') expect(found?.index).toBe(conditionIndex)
        else expect(found).toBeUndefined()
        const nearest = conditions.find(({ index }) => index === conditionIndex)
        if (reason === 'out_of_rollout_bound') expect(nearest?.is).toBe('not_in_share')
        if (conditions.every(({ is }) => is !== 'undecided') && isComplete) expect(undecided).toBeUndefined()
      }),
    )
  })

  it('gives the same for every way of writing the same filters', () => {
    fc.assert(
      fc.property(fc.oneof(someFilters, anyFilters), somePerson, (filters, person) => {
        const context = {
          now,
          groupTypes: { 0: 'company' },
          cohorts: someCohorts as JsonObject,
          isComplete: true,
        }
        // No condition at all and one for 0% are one form, and two reasons for the same value.
        const found = (given: Json) => {
          const { value, undecided } = evaluateFlag({ key, filters: given }, person, context)
          return { value, undecided }
        }
        expect(found(filters)).toEqual(found(canonicalFilters(filters)))
      }),
    )
  })
})

describe('matchCondition', () => {
  const context = { now, groupTypes: { 0: 'company' }, isComplete: true }

  it('leaves the percentage aside', () => {
    const condition = { properties: [german], rollout_percentage: 0 }
    expect(matchCondition(condition, null, { distinctId: 'x', properties: { country: 'DE' } }, context)).toBe(
      true,
    )
    expect(matchCondition(condition, null, { distinctId: 'x' }, context)).toBe(false)
  })

  it('counts groups where it is asked to', () => {
    const subject = {
      distinctId: 'x',
      groups: { company: 'acme' },
      groupProperties: { company: { country: 'DE' } },
    }
    expect(matchCondition({ properties: [german] }, 0, subject, context)).toBe(true)
    expect(matchCondition({ properties: [german] }, 1, subject, context)).toBe(false)
  })
})

function keysOfVariants(filters: Json): readonly Json[] {
  const multivariate = isJsonObject(filters) ? filters.multivariate : undefined
  const variants =
    isJsonObject(multivariate) && isJsonArray(multivariate.variants) ? multivariate.variants : []
  return variants.flatMap(variant => (isJsonObject(variant) ? [variant.key ?? null] : []))
}

function judged(member: string): string {
  return `only the service evaluates the member "${member}" of the filters`
}
