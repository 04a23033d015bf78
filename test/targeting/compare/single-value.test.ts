import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json } from '../../../src/model/text/json.ts'
import { behaviourOf } from '../../../src/services/differences.ts'
import { evaluateFlag, filtersForEverybody, type Subject, singleValue } from '../../../src/targeting/index.ts'
import { someCohorts, someFilters, somePerson } from '../some-filters.ts'

const profiles = ['documented', 'posthog', 'posthog-2026'] as const

const everybody = { rollout_percentage: 100 }
const some = { rollout_percentage: 50 }
const germans = { properties: [{ key: 'country', value: ['DE'], type: 'person', operator: 'exact' }] }
const variants = (blue: number, red: number) => ({
  multivariate: {
    variants: [
      { key: 'blue', rollout_percentage: blue },
      { key: 'red', rollout_percentage: red },
    ],
  },
})

describe('the one value of a flag', () => {
  it.each<[string, Json, boolean | string | undefined]>([
    ['one condition for everybody', { groups: [everybody] }, true],
    ['no filters at all', {}, true],
    ['no condition', { groups: [] }, false],
    ['a condition for nobody', { groups: [{ rollout_percentage: 0 }] }, false],
    ['some of everybody', { groups: [some] }, undefined],
    ['only those of a country', { groups: [germans] }, undefined],
    ['those of a country, and everybody', { groups: [{ ...germans, ...some }, everybody] }, true],
    ['the old form, of some', { rollout_percentage: 20 }, undefined],
    ['the old form, of all', { rollout_percentage: 100 }, true],
    ['variants', { groups: [everybody], ...variants(50, 50) }, undefined],
    ['one variant of them for all', { groups: [everybody], ...variants(0, 100) }, 'red'],
    ['a forced variant', { groups: [{ ...everybody, variant: 'red' }], ...variants(50, 50) }, 'red'],
    ['a forced one that is none', { groups: [{ ...everybody, variant: 'x' }], ...variants(0, 100) }, 'red'],
    [
      'another one for some',
      { groups: [{ ...germans, variant: 'blue' }, everybody], ...variants(0, 100) },
      undefined,
    ],
    ['an early exit', { early_exit: true, groups: [{ ...germans, ...some }, everybody] }, undefined],
    ['an early exit that leaves nobody out', { early_exit: true, groups: [germans, everybody] }, true],
    ['a holdout', { groups: [everybody], holdout: { id: 1, exclusion_percentage: 10 } }, undefined],
    ['super conditions', { groups: [everybody], super_groups: [everybody] }, undefined],
    ['all groups of a type', { groups: [everybody], aggregation_group_type_index: 0 }, true],
    [
      'persons and groups',
      { groups: [everybody, { ...everybody, aggregation_group_type_index: 1 }] },
      undefined,
    ],
  ])('of %s is told where it is certain', (_, filters, value) => {
    expect(singleValue({ filters, active: true })).toBe(value)
    expect(singleValue({ filters, active: false })).toBe(false)
  })

  it('is what everybody gets, on all services', () => {
    const told = new Map<unknown, number>()
    fc.assert(
      fc.property(someFilters, fc.array(somePerson, { minLength: 6, maxLength: 6 }), (filters, people) => {
        const value = singleValue({ filters, active: true })
        told.set(value, (told.get(value) ?? 0) + 1)
        if (value === undefined) return
        for (const person of people) for (const each of valuesFor(filters, person)) expect(each).toBe(value)
      }),
    )
    for (const value of [true, false, 'blue', undefined]) expect(told.get(value)).toBeGreaterThan(0)
  })
})

describe('filters for everybody', () => {
  it('give everybody the same, the variant where one is named', () => {
    fc.assert(
      fc.property(someFilters, somePerson, fc.constantFrom(undefined, 'blue'), (filters, person, variant) => {
        const has = hasVariant(filters, 'blue')
        if ((variant !== undefined) !== has) return
        const all = filtersForEverybody(filters, variant)
        expect(singleValue({ filters: all, active: true })).toBe(variant ?? true)
        for (const value of valuesFor(all, person)) expect(value).toBe(variant ?? true)
      }),
    )
  })

  it('keep what else they say', () => {
    const filters = {
      groups: [germans, some],
      payloads: { blue: '1' },
      early_exit: true,
      ...variants(50, 50),
    }
    expect(filtersForEverybody(filters, 'blue')).toEqual({
      ...variants(50, 50),
      payloads: { blue: '1' },
      groups: [{ properties: [], rollout_percentage: 100, variant: 'blue' }],
    })
  })

  it('count the groups that all conditions have counted', () => {
    const filters = { groups: [{ ...germans, aggregation_group_type_index: 1 }] }
    const all = filtersForEverybody(filters)
    expect(all).toEqual({
      groups: [{ properties: [], rollout_percentage: 100, aggregation_group_type_index: 1 }],
    })
    expect(singleValue({ filters: all, active: true })).toBe(true)
  })
})

function hasVariant(filters: Json, key: string): boolean {
  return JSON.stringify(isJsonObject(filters) ? (filters.multivariate ?? null) : null).includes(`"${key}"`)
}

function valuesFor(filters: Json, person: Subject): unknown[] {
  const groups = { company: 'acme', team: 'one' }
  return profiles.map(profile => {
    const context = {
      now: Date.UTC(2024, 2, 31, 12),
      isComplete: true,
      groupTypes: { 0: 'company', 1: 'team' },
      cohorts: isJsonObject(someCohorts) ? someCohorts : {},
      rules: behaviourOf(profile),
      zoneOffsetMinutes: 0,
    }
    return evaluateFlag({ key: 'checkout', filters }, { ...person, groups }, context).value
  })
}
