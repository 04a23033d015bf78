import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, isSameJson, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { canonicalFilters } from '../../../src/targeting/canonical-filters.ts'
import { expandShort } from '../../../src/targeting/short/expand-short.ts'
import { asksTheSame, mergeShort, overrideFor } from '../../../src/targeting/short/merge-short.ts'
import type { ShortForm } from '../../../src/targeting/short/short-form.ts'
import { shortFilters } from './some-short.ts'

const shared: ShortForm = {
  release: {
    staff: { properties: { email: { icontains: '@example.com' } }, variant: 'one_page' },
    dach: { properties: { country: ['DE', 'AT'], plan: 'plus' }, rollout_percentage: 25 },
    rest: { rollout_percentage: 5 },
  },
  variants: { control: 34, one_page: { rollout_percentage: 66, name: 'One page' } },
  payloads: { one_page: { steps: 2, colour: 'red' } },
}
const { release } = shared as { release: JsonObject }
const { staff, dach, rest } = release as { staff: JsonObject; dach: JsonObject; rest: JsonObject }

describe('overrideFor', () => {
  it.each<[name: string, wanted: ShortForm, override: JsonObject | undefined]>([
    ['the same', shared, {}],
    ['the same in other names', { ...shared, release: { a: staff, b: dach, c: rest } }, {}],
    ['the same in a list', { ...shared, release: [staff, dach, rest] }, {}],
    [
      'the same in another order of members',
      { payloads: shared.payloads ?? null, variants: shared.variants ?? null, release },
      {},
    ],
    [
      'another percentage',
      { ...shared, release: { ...release, rest: { rollout_percentage: 50 } } },
      { release: { rest: { rollout_percentage: 50 } } },
    ],
    ['one condition less', { ...shared, release: { staff, rest } }, { release: { dach: null } }],
    [
      'one more at the end',
      { ...shared, release: { ...release, late: { rollout_percentage: 1, variant: 'control' } } },
      { release: { late: { rollout_percentage: 1, variant: 'control' } } },
    ],
    [
      'one more before others',
      { ...shared, release: { early: { variant: 'control' }, ...release } },
      undefined,
    ],
    ['another order', { ...shared, release: { dach, staff, rest } }, undefined],
    ['another order of variants', { ...shared, variants: { one_page: 66, control: 34 } }, undefined],
    [
      'a list of others',
      { ...shared, release: [{ variant: 'control' }] },
      { release: [{ variant: 'control' }] },
    ],
    ['nobody', { ...shared, release: [] }, { release: [] }],
    [
      'a name that is gone',
      { ...shared, variants: { control: 34, one_page: 66 } },
      { variants: { one_page: { name: null } } },
    ],
    [
      'a share of a variant with a name',
      { ...shared, variants: { control: 0, one_page: { rollout_percentage: 100, name: 'One page' } } },
      { variants: { control: 0, one_page: 100 } },
    ],
    ['no variants', { release }, { variants: null, payloads: null }],
    [
      'a property less',
      {
        ...shared,
        release: { ...release, dach: { properties: { country: ['DE'] }, rollout_percentage: 25 } },
      },
      { release: { dach: { properties: { plan: null, country: ['DE'] } } } },
    ],
    [
      'a member of a payload that is null',
      { ...shared, payloads: { one_page: { steps: null, colour: 'red' } } },
      { payloads: { one_page: '{"steps":null,"colour":"red"}' } },
    ],
    [
      'a member of a payload more, with a null',
      { ...shared, payloads: { one_page: { steps: 2, colour: 'red', size: null } } },
      { payloads: { one_page: { size: null } } },
    ],
    [
      'other percentages in other names',
      { ...shared, release: { a: staff, b: dach, c: { rollout_percentage: 9 } } },
      { release: { rest: { rollout_percentage: 9 } } },
    ],
    [
      'other values in other names',
      {
        ...shared,
        release: {
          a: staff,
          b: { properties: { country: 'CH', plan: 'plus' }, rollout_percentage: 25 },
          c: rest,
        } as JsonObject,
      },
      { release: { dach: { properties: { country: 'CH' } } } },
    ],
    [
      'something else in one of the places',
      { ...shared, release: { a: staff, b: { properties: { age: { gte: '18' } } }, c: rest } },
      {
        release: {
          dach: { rollout_percentage: null, properties: { country: null, plan: null, age: { gte: '18' } } },
        },
      },
    ],
  ])('makes of the shared release %s', (_, wanted, override) => {
    expect(overrideFor(shared, wanted)).toEqual(override)
  })

  it('is empty where the groups that conditions count are said in another place, or twice', () => {
    const inside: ShortForm = { release: [{ group_type_index: 0 }], early_exit: true }
    const above: ShortForm = { release: [{}], group_type_index: 0, early_exit: true }
    const twice: ShortForm = { ...above, ...inside }
    for (const [left, right] of [inside, above, twice].flatMap((one, _, all) =>
      all.map(other => [one, other]),
    ))
      expect(overrideFor(left ?? {}, right ?? {})).toEqual({})
  })

  it.each<[string, JsonObject]>([
    ['an audience', { audience: 'staff' }],
    ['a cohort', { properties: { cohort: { in: 'beta_testers' } } }],
    ['a cohort in a list', { properties: [{ key: 'id', type: 'cohort', value: 'beta_testers' }] }],
    ['groups', { group_type: 'company', properties: { plan: 'pro' } }],
    ['an audience of groups', { group_type: 'company', audience: 'big', properties: { plan: 'pro' } }],
  ])('says what differs beside %s that has a name', (_, named) => {
    const of = (percent: number, more: JsonObject = {}): ShortForm => ({
      release: { some: { ...named, ...more, rollout_percentage: percent } },
    })
    expect(overrideFor(of(10), of(10))).toEqual({})
    expect(overrideFor(of(10), of(50))).toEqual({ release: { some: { rollout_percentage: 50 } } })
    const turned = { release: { some: { rollout_percentage: 50, ...named } } }
    expect(overrideFor(of(10), turned)).toEqual({ release: { some: { rollout_percentage: 50 } } })
  })

  it.each<[string, ShortForm, JsonObject]>([
    ['flag', { group_type: 'company' }, {}],
    ['condition', {}, { group_type: 'company' }],
  ])(
    'writes properties of groups in full under the name that the %s gives them',
    (_, ofFlag, ofCondition) => {
      const of = (properties: Json): ShortForm => ({
        ...ofFlag,
        release: { some: { ...ofCondition, properties } },
      })
      const full = (key: string, value: Json) => ({
        ...{ key, type: 'group', group_type: 'company', operator: 'exact', value },
      })
      expect(overrideFor(of({ plan: 'pro', seats: 5 }), of({ seats: 5, plan: 'pro' }))).toEqual({
        release: { some: { properties: [full('seats', 5), full('plan', 'pro')] } },
      })
    },
  )

  it('does not take two words that nobody knows for the same', () => {
    const inCohort = (name: string): ShortForm => ({
      release: { some: { properties: { cohort: { in: name } } } },
    })
    expect(overrideFor(inCohort('beta'), inCohort('payers'))).toEqual({
      release: { some: { properties: { cohort: { in: 'payers' } } } },
    })
    const counting = (name: string): ShortForm => ({ group_type: name, rollout_percentage: 5 })
    expect(overrideFor(counting('company'), counting('project'))).toEqual({ group_type: 'project' })
    const of = (audience: string): ShortForm => ({ release: { staff: { audience } } })
    expect(overrideFor(of('staff'), of('everybody'))).toEqual({
      release: { staff: { audience: 'everybody' } },
    })
  })

  it('means what is wanted, or is none', () => {
    let found = 0
    let none = 0
    fc.assert(
      fc.property(pairs, ([left, right]) => {
        const override = overrideFor(left, right)
        if (override === undefined) {
          none += 1
          return
        }
        found += 1
        const { value, problems } = mergeShort([left, override])
        expect(problems).toEqual([])
        expect(meaning(value)).toEqual(meaning(right))
        if (Object.keys(override).length === 0) expect(meaning(left)).toEqual(meaning(right))
      }),
    )
    expect(found).toBeGreaterThan(none)
  })

  it('is one wherever names and their order allow it', () => {
    fc.assert(
      fc.property(pairs, ([left, right]) => {
        fc.pre(isMergeable(left.release, right.release) && isMergeable(left.variants, right.variants))
        fc.pre(!movesSome(left.release, right.release) && !swapsSome(left.release, right.release))
        expect(overrideFor(left, right)).toBeDefined()
      }),
    )
  })

  it('is empty where the same is said, and only there', () => {
    fc.assert(
      fc.property(pairs, ([left, right]) => {
        expect(overrideFor(left, left)).toEqual({})
        const isEmpty = JSON.stringify(overrideFor(left, right)) === '{}'
        expect(isEmpty).toBe(isSameJson(meaning(left), meaning(right)))
      }),
    )
  })
})

/** Short forms with nothing wrong in their own shape; the second one often shares parts with the first. */
const right = shortFilters.filter(short => expandShort(short).problems.length === 0)
const pairs = fc
  .tuple(right, right, fc.subarray(['release', 'variants', 'payloads']))
  .map(([left, other, kept]) => {
    const names = kept.filter(name => left[name] !== undefined)
    const shares = Object.fromEntries(names.map(name => [name, left[name] ?? null]))
    const { rollout_percentage: _, ...withoutShare } = other
    return [left, { ...('release' in shares ? withoutShare : other), ...shares }] as const
  })

function meaning(short: ShortForm): Json {
  const { filters, problems } = expandShort(short)
  expect(problems).toEqual([])
  return canonicalFilters(filters)
}

/** Whether a name has what another one has on the other side. */
function swapsSome(left: Json = null, right: Json = null): boolean {
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  return Object.entries(right).some(
    ([name, condition]) =>
      Object.hasOwn(left, name) &&
      !asksTheSame(left[name] ?? null, condition) &&
      Object.values(left).some(other => asksTheSame(other, condition)),
  )
}

/** What a condition asks for. */
function asked(condition: Json = null): string {
  if (!isJsonObject(condition)) return ''
  const { rollout_percentage: _, variant: __, description: ___, ...rest } = condition
  return JSON.stringify(rest)
}

function movesSome(below: Json = null, wanted: Json = null): boolean {
  if (!isJsonObject(below) || !isJsonObject(wanted)) return false
  const gone = Object.keys(below).filter(name => !(name in wanted))
  const added = Object.keys(wanted).filter(name => !(name in below))
  return gone.some(one => added.some(other => asked(below[one]) === asked(wanted[other])))
}

/** What stays keeps its order, and what is new comes after it. */
function isMergeable(below: Json = null, wanted: Json = null): boolean {
  if (!isJsonObject(below) || !isJsonObject(wanted)) return true
  const kept = Object.keys(below).filter(name => name in wanted)
  return Object.keys(wanted).slice(0, kept.length).join() === kept.join()
}
