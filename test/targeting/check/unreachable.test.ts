import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Profile, profiles } from '../../../src/model/connection.ts'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { behaviourOf } from '../../../src/services/differences.ts'
import { checkFilters } from '../../../src/targeting/check/check-filters.ts'
import { unreachableConditions } from '../../../src/targeting/check/unreachable.ts'
import { evaluateFlag, newlyUnreachable } from '../../../src/targeting/index.ts'
import { someCohorts, someFilters, somePerson } from '../some-filters.ts'

const variants: Json = {
  variants: [
    { key: 'a', rollout_percentage: 50 },
    { key: 'b', rollout_percentage: 50 },
  ],
}

describe('a condition behind others', () => {
  const groups: Json = [{ variant: 'a' }, {}, { variant: 'b' }]
  it.each([
    ['documented', ['/groups/1', '/groups/2']],
    ['posthog-2026', ['/groups/1', '/groups/2']],
  ] as const)('never matches by the order of %s', (profile, pointers) => {
    const found = checkFilters({ groups, multivariate: variants }, undefined, [profile])
    expect(
      found.filter(({ code }) => code === 'unreachable-condition').map(({ pointer }) => pointer),
    ).toEqual(pointers)
  })

  it('is one that no later one covers, where conditions are tried as they are written', () => {
    const groups: Json = [{ rollout_percentage: 10 }, { variant: 'a' }]
    const filters = { groups, multivariate: variants }
    const codes = (profile: Profile) =>
      checkFilters(filters, undefined, [profile]).flatMap(({ code, pointer }) =>
        code === 'unreachable-condition' ? [pointer] : [],
      )
    expect(codes('posthog')).toEqual(['/groups/0'])
    expect(codes('posthog-2026')).toEqual([])
  })
})

describe('a condition that nobody can meet', () => {
  const country = (...value: string[]): Json => ({ key: 'country', type: 'person', value })
  it('is told with the two properties, and how to mean one or the other', () => {
    const filters = { groups: [{ properties: [country('DE'), country('FR')], rollout_percentage: 10 }] }
    expect(checkFilters(filters)).toEqual([
      {
        pointer: '/groups/0',
        severity: 'warning',
        code: 'unreachable-condition',
        message: 'condition 1 can never match: country is DE and country is FR exclude each other',
        hint: 'a condition matches if all of its properties match; to accept any of several values, write one list of values',
        hidden:
          'condition 1 can never match: country is (sensitive) and country is (sensitive) exclude each other',
      },
    ])
  })

  it.each(profiles)('is met by nobody in the evaluator of %s', profile => {
    const rules = behaviourOf(profile)
    const context = { now: 0, cohorts: someCohorts as JsonObject, rules, isComplete: true }
    fc.assert(
      fc.property(someFilters, fc.array(somePerson, { minLength: 20, maxLength: 20 }), (filters, people) => {
        const found = new Set(unreachableConditions(filters, rules).map(({ index }) => index))
        if (found.size === 0) return
        for (const person of people) {
          const { reason, conditionIndex = -1 } = evaluateFlag({ key: 'flag', filters }, person, context)
          if (reason === 'condition_match') expect(found).not.toContain(conditionIndex)
        }
      }),
    )
  })
})

describe('a change', () => {
  const all: Json = {}
  const german: Json = { properties: [{ key: 'country', type: 'person', value: ['DE'] }] }
  const french: Json = { properties: [{ key: 'country', type: 'person', value: ['FR'] }] }
  const rules = behaviourOf('documented')
  it.each<[string, Json[], Json[], string[]]>([
    [
      'puts a condition before another',
      [german],
      [all, german],
      ['condition 2 can never match: condition 1 takes everyone at 100%'],
    ],
    [
      'adds one behind',
      [all],
      [all, german],
      ['condition 2 can never match: condition 1 takes everyone at 100%'],
    ],
    ['leaves one out of reach', [all, german], [french, all, german], []],
    [
      'moves what is out of reach',
      [german, all, german],
      [all, german, german],
      ['condition 2 can never match: condition 1 takes everyone at 100%'],
    ],
    ['makes one reachable', [all, german], [german, all], []],
  ])('that %s tells what it puts out of reach', (_, before, after, lines) => {
    expect(newlyUnreachable({ groups: before }, { groups: after }, rules)).toEqual(lines)
  })
})
