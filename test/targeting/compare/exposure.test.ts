import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { profiles } from '../../../src/model/connection.ts'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { behaviourOf } from '../../../src/services/differences.ts'
import { compareExposure, evaluateFlag, exposureOf } from '../../../src/targeting/index.ts'
import { anyFilters, someCohorts, someFilters, somePerson } from '../some-filters.ts'

const country = (...value: string[]): Json => ({ key: 'country', value, type: 'person' })
const plan = (value: string, operator = 'exact'): Json => ({ key: 'plan', value, type: 'person', operator })
const on = (...groups: Json[]) => ({ filters: { groups }, active: true })
const off = (...groups: Json[]) => ({ filters: { groups }, active: false })
const to = (percent: Json, ...properties: Json[]): Json => ({ properties, rollout_percentage: percent })

const weights = (...entries: [string, number][]): Json => ({
  variants: entries.map(([key, percent]) => ({ key, rollout_percentage: percent })),
})
const withVariants = (multivariate: Json, ...groups: Json[]) => ({
  filters: { groups: groups.length > 0 ? groups : [{}], multivariate },
  active: true,
})

describe('exposureOf', () => {
  it('says who gets the flag, condition by condition', () => {
    expect(exposureOf(on(to(10, country('DE')), to(0), to(2.5)))).toEqual({
      conditions: [
        { index: 0, people: 'country is DE', percent: 10 },
        { index: 2, people: 'everyone', percent: 2.5 },
      ],
      maxPercent: 10,
      surePercent: 2.5,
      everyone: false,
    })
  })

  const nobody = { conditions: [], maxPercent: 0, surePercent: 0, everyone: false }
  it.each([
    ['a flag that is off', off(to(100))],
    ['no conditions', on()],
    ['no percentage', on(to(0))],
    ['conditions of another shape', on(null, 'x', { properties: 'x' }, { rollout_percentage: '50' })],
    ['filters of another shape', { filters: 5, active: true }],
  ])('finds nobody for %s', (_, flag) => {
    expect(exposureOf(flag)).toEqual(nobody)
  })

  it('is sure of no share where more than conditions decides', () => {
    const filters = { groups: [to(50)], early_exit: true }
    expect(exposureOf({ filters, active: true })).toMatchObject({ maxPercent: 50, surePercent: 0 })
  })

  it.each([
    ['a condition that asks for nothing', on(to(100)), true],
    ['no percentage given', on(to(null)), true],
    ['more than all', on(to(150)), true],
    ['no filters', { filters: null, active: true }, true],
    ['all of some', on(to(100, country('DE'))), false],
  ])('sees in %s whether everybody gets it', (_, flag, everyone) => {
    const exposure = exposureOf(flag)
    expect([exposure.everyone, exposure.maxPercent]).toEqual([everyone, 100])
  })
})

describe('compareExposure', () => {
  it.each<[string, ReturnType<typeof on>, ReturnType<typeof on>, string, number]>([
    ['the same', on(to(10)), on(to(10)), 'none', 0],
    ['all, said in another way', on(to(100)), on(to(null)), 'none', 0],
    ['a higher percentage', on(to(10, country('DE'))), on(to(100, country('DE'))), 'wider', 90],
    ['a lower percentage', on(to(50)), on(to(20)), 'narrower', 0],
    [
      'a new condition',
      on(to(10, country('DE'))),
      on(to(10, country('DE')), to(40, plan('pro'))),
      'wider',
      40,
    ],
    ['a new condition for people who had some', on(to(10)), on(to(10), to(40, plan('pro'))), 'wider', 30],
    ['a new condition for people who had more', on(to(50)), on(to(50), to(40, plan('pro'))), 'none', 0],
    ['a condition less', on(to(10), to(40, plan('pro'))), on(to(10)), 'narrower', 0],
    [
      'one up, one down',
      on(to(10, country('DE')), to(50, plan('pro'))),
      on(to(20, country('DE')), to(40, plan('pro'))),
      'mixed',
      10,
    ],
    ['other people', on(to(30, country('DE'))), on(to(30, country('FR'))), 'mixed', 30],
    ['a property less', on(to(30, country('DE'), plan('pro'))), on(to(30, plan('pro'))), 'wider', 30],
    ['a property more', on(to(30)), on(to(30, plan('pro'))), 'narrower', 0],
    ['a value more', on(to(30, country('DE'))), on(to(30, country('de', 'FR'))), 'wider', 30],
    ['a value less', on(to(30, country('DE', 'FR'))), on(to(30, country('FR'))), 'narrower', 0],
    [
      'one more excluded',
      on(to(30, plan('a', 'is_not'))),
      on(to(30, { key: 'plan', value: ['a', 'b'], type: 'person', operator: 'is_not' })),
      'narrower',
      0,
    ],
    ['another order', on(to(10, country('DE')), to(20)), on(to(20), to(10, country('DE'))), 'none', 0],
    ['switched on', off(to(25, country('DE')), to(5)), on(to(25, country('DE')), to(5)), 'wider', 25],
    ['switched off', on(to(25)), off(to(25)), 'narrower', 0],
    ['switched on for nobody', off(to(0)), on(to(0)), 'none', 0],
    ['off either way', off(to(10)), off(to(100)), 'none', 0],
    ['decimals', on(to(10.1)), on(to(33.3)), 'wider', 23.2],
  ])('judges %s', (_, before, after, direction, step) => {
    const compared = compareExposure(before, after)
    expect([compared.direction, compared.step]).toEqual([direction, step])
  })

  it.each<[string, string, string, string]>([
    ['a pattern with one text more', 'regex', '@(x|y)\\.com$', '@(x|y|z)\\.com$'],
    ['a pattern that leaves out less', 'not_regex', 'ab', 'abc'],
    ['a longer part', 'icontains', '@x.com', 'ann@x.com'],
    ['a shorter part that is not wanted', 'not_icontains', 'abc', 'ab'],
    ['a shorter start', 'starts_with', 'ann', 'an'],
    ['a longer end', 'not_ends_with', '.com', 'x.com'],
    ['a later date', 'is_date_after', '2024-01-01', '2024-02-01'],
    ['a date that counts from now', 'is_date_before', '-30d', '-60d'],
    ['a later version', 'semver_gte', '1.2.0', '2.0.0'],
    ['a smaller range of versions', 'semver_caret', '1.2.0', '1.3.0'],
  ])('counts %s as a change that reaches all that the condition can', (_, operator, one, other) => {
    const rules = behaviourOf('posthog-2026')
    const [before, after] = [on(to(30, plan(one, operator))), on(to(30, plan(other, operator)))]
    for (const compared of [compareExposure(before, after, rules), compareExposure(after, before, rules)])
      expect(compared).toMatchObject({ direction: 'mixed', step: 30, widest: { before: 0, after: 30 } })
    expect(compareExposure(before, on(to(20, plan(other, operator))), rules)).toMatchObject({
      direction: 'mixed',
      step: 20,
    })
    expect(compareExposure(before, before, rules)).toMatchObject({ direction: 'none', step: 0 })
  })

  it('does not judge what other parts of the product decide', () => {
    const enrolled = { filters: { groups: [{}], super_groups: [{ rollout_percentage: 100 }] }, active: true }
    expect(compareExposure(on({}), enrolled)).toEqual({
      before: exposureOf(on({})),
      after: exposureOf(enrolled),
      direction: 'mixed',
      step: 0,
      assignmentChanges: [],
    })
    expect(compareExposure(enrolled, enrolled).direction).toBe('none')
  })

  it('takes groups for other people than persons', () => {
    const groups = { filters: { groups: [to(20)], aggregation_group_type_index: 0 }, active: true }
    expect(compareExposure(on(to(20)), groups)).toEqual({
      before: exposureOf(on(to(20))),
      after: exposureOf(groups),
      direction: 'mixed',
      step: 20,
      widest: { index: 0, people: 'everyone', before: 0, after: 20 },
      assignmentChanges: [
        'bucketing changed from persons to groups of type 0: people who have the flag may get another value',
      ],
    })
  })

  const ab = weights(['a', 50], ['b', 50])
  it.each<[string, ReturnType<typeof withVariants>, ReturnType<typeof withVariants>, string[]]>([
    ['nothing changed', withVariants(ab), withVariants(ab), []],
    ['only its percentage', withVariants(ab, to(10)), withVariants(ab, to(20)), []],
    [
      'weights',
      withVariants(ab),
      withVariants(weights(['a', 20], ['b', 80])),
      ['weights of variants changed: 30% of people who have the flag get another value (from "a" to "b")'],
    ],
    [
      'order',
      withVariants(ab),
      withVariants(weights(['b', 50], ['a', 50])),
      [
        'order of variants changed: 100% of people who have the flag get another value (50% from "a" to "b", 50% from "b" to "a")',
      ],
    ],
    [
      'keys',
      withVariants(ab),
      withVariants(weights(['a', 50], ['c', 50])),
      [
        'variants changed ("c" added, "b" removed): 50% of people who have the flag get another value (from "b" to "c")',
      ],
    ],
    ['a variant without weight', withVariants(ab), withVariants(weights(['a', 50], ['b', 50], ['c', 0])), []],
    [
      'variants at last',
      withVariants(null),
      withVariants(ab),
      ['variants added: people who got true get one of "a", "b"'],
    ],
    [
      'no variants any more',
      withVariants(ab),
      withVariants(null),
      ['variants removed: people who got "a", "b" get true'],
    ],
    [
      'one variant for some',
      withVariants(ab, {}),
      withVariants(ab, { properties: [country('DE')], variant: 'a' }, {}),
      ['conditions that force a variant changed: people who have the flag may get another value'],
    ],
    [
      'weights, where some are given one',
      withVariants(ab, { properties: [country('DE')], variant: 'a' }, {}),
      withVariants(weights(['a', 40], ['b', 60]), { properties: [country('DE')], variant: 'a' }, {}),
      [
        'weights of variants changed: 10% of the people whose variant depends on weights get another value (from "a" to "b")',
      ],
    ],
    [
      'weights, where other people are counted',
      withVariants(ab, { aggregation_group_type_index: 0 }),
      withVariants(weights(['a', 40], ['b', 60])),
      [
        'bucketing changed from groups of type 0 to persons: people who have the flag may get another value',
        'weights of variants changed: people who have the flag may get another value',
      ],
    ],
    [
      'one variant for all, to more',
      withVariants(ab, { rollout_percentage: 5, variant: 'a' }),
      withVariants(ab, { rollout_percentage: 50, variant: 'a' }),
      [],
    ],
    [
      'weights of a flag that nobody had',
      withVariants(ab, to(0)),
      withVariants(weights(['a', 20], ['b', 80])),
      [],
    ],
  ])('warns of other variants for people who have the flag: %s', (_, before, after, sentences) => {
    expect(compareExposure(before, after).assignmentChanges).toEqual(sentences)
  })

  it('does not warn people who have not had the flag, or have it no longer', () => {
    const [one, other] = [withVariants(ab), withVariants(weights(['a', 20], ['b', 80]))]
    expect(compareExposure({ ...one, active: false }, other).assignmentChanges).toEqual([])
    expect(compareExposure(one, { ...other, active: false }).assignmentChanges).toEqual([])
  })

  const flags = fc.record({ filters: someFilters, active: fc.constantFrom(true, true, true, false) })
  /** Mostly small changes of the same flag: two random ones have little in common. */
  const changes = fc.oneof(
    fc.tuple(flags, flags),
    fc
      .tuple(flags, someFilters)
      .map(
        ([flag, other]) =>
          [flag, { ...flag, filters: { ...(flag.filters as JsonObject), ...pickOne(other) } }] as const,
      ),
    flags.map(flag => [flag, { ...flag, filters: reversed(flag.filters) }] as const),
  )
  const context = { now: 0, groupTypes: { 0: 'company', 1: 'team' }, cohorts: someCohorts as JsonObject }

  it('knows in which order conditions are tried', () => {
    const forced = (...groups: Json[]) => withVariants(weights(['a', 50], ['b', 50]), ...groups)
    const [german, all] = [{ properties: [country('DE')], variant: 'a' }, {}]
    const [before, after] = [forced(german, all), forced(all, german)]
    expect(compareExposure(before, after).assignmentChanges).toEqual([])
    expect(compareExposure(before, after, behaviourOf('posthog-2026')).assignmentChanges).toEqual([
      'conditions that force a variant changed: people who have the flag may get another value',
    ])
  })

  it('takes true and false, and letters, as the service does', () => {
    const rules = behaviourOf('posthog-2026')
    const [some, both] = [
      on(to(100, plan('true'))),
      on(to(100, { ...(plan('') as JsonObject), value: ['true', 'false'] })),
    ]
    expect(compareExposure(both, some).direction).toBe('narrower')
    expect(compareExposure(both, some, rules).direction).toBe('mixed')
    const [upper, lower] = [on(to(100, plan('Ü', 'icontains'))), on(to(100, plan('ü', 'icontains')))]
    expect(compareExposure(upper, lower).direction).toBe('none')
    expect(compareExposure(upper, lower, rules).direction).toBe('mixed')
  })

  it('promises nothing of conditions that an early exit keeps apart', () => {
    const early = (...groups: Json[]) => ({ filters: { groups, early_exit: true }, active: true })
    expect(
      compareExposure(early(to(10), to(100, country('DE'))), early(to(100, country('DE')))).direction,
    ).toBe('mixed')
  })

  describe.each(profiles)('by the rules of %s', profile => {
    const rules = behaviourOf(profile)
    it('never calls a change harmless that gives the flag to somebody new, or keeps it from nobody that takes it', () => {
      fc.assert(
        fc.property(
          changes,
          fc.array(somePerson, { minLength: 20, maxLength: 20 }),
          fc.boolean(),
          ([before, after], people, isComplete) => {
            const { direction, step } = compareExposure(before, after, rules)
            for (const person of people) {
              const was = evaluateFlag({ key: 'flag', ...before }, person, {
                ...context,
                rules,
                isComplete,
              }).value
              const becomes = evaluateFlag({ key: 'flag', ...after }, person, {
                ...context,
                rules,
                isComplete,
              }).value
              if (was === false && becomes !== false) expect(['wider', 'mixed']).toContain(direction)
              if (was === false && becomes !== false) expect(step).toBeGreaterThan(0)
              if (was !== false && becomes === false) expect(['narrower', 'mixed']).toContain(direction)
            }
          },
        ),
      )
    })

    it('warns whenever somebody who has the flag gets another value', () => {
      fc.assert(
        fc.property(
          changes,
          fc.array(somePerson, { minLength: 20, maxLength: 20 }),
          ([before, after], people) => {
            if (compareExposure(before, after, rules).assignmentChanges.length > 0) return
            for (const person of people) {
              const was = evaluateFlag({ key: 'flag', ...before }, person, {
                ...context,
                rules,
                isComplete: true,
              }).value
              const becomes = evaluateFlag({ key: 'flag', ...after }, person, {
                ...context,
                rules,
                isComplete: true,
              }).value
              if (was !== false && becomes !== false) expect(becomes).toBe(was)
            }
          },
        ),
      )
    })
  })

  it('finds no difference between a flag and itself, whatever its filters hold', () => {
    fc.assert(
      fc.property(anyFilters, fc.boolean(), (filters, active) => {
        const exposure = exposureOf({ filters, active })
        expect(compareExposure({ filters, active }, { filters, active })).toEqual({
          before: exposure,
          after: exposure,
          direction: 'none',
          step: 0,
          assignmentChanges: [],
        })
      }),
    )
  })

  it('judges any two flags, in opposite ways seen from either side', () => {
    const mirror = { none: 'none', wider: 'narrower', narrower: 'wider', mixed: 'mixed' }
    fc.assert(
      fc.property(anyFilters, anyFilters, (one, other) => {
        const [left, right] = [
          { filters: one, active: true },
          { filters: other, active: true },
        ]
        expect(compareExposure(right, left).direction).toBe(mirror[compareExposure(left, right).direction])
      }),
    )
  })
})

function pickOne(filters: Json): JsonObject {
  const [first] = Object.entries((filters ?? {}) as JsonObject)
  return first ? { [first[0]]: first[1] } : {}
}

function reversed(filters: Json): Json {
  const { groups, ...rest } = (filters ?? {}) as JsonObject
  return Array.isArray(groups) ? { ...rest, groups: groups.toReversed() } : filters
}
