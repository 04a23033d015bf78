import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ObjectValue, Value } from '../../../src/hcl/values/value.ts'
import { ArgumentError, callProviderFunction } from '../../../src/schema/terraform/call-provider-function.ts'

const condition = {
  properties: [{ key: 'country', type: 'person', values: ['DE'], operator: 'exact', negation: false }],
  rollout_percentage: 40,
  variant: 'a',
  description: 'Germany',
}
const variants = [
  { key: 'a', name: 'A', rollout_percentage: 50 },
  { key: 'b', rollout_percentage: 50, payload: '1' },
]

/** A flag as a configuration may write it by hand, and its filters as JSON has them. */
const typed = { release: [condition], variants, early_exit: true }
const groups = [
  {
    properties: [{ key: 'country', type: 'person', value: ['DE'], operator: 'exact' }],
    rollout_percentage: 40,
    variant: 'a',
  },
]
const filters = { groups, multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] } }

type Step = string | number
type Place = readonly Step[]

/** The places of all parts of a value, without the whole. */
function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at]
  const steps: [Step, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [...(at.length > 0 ? [at] : []), ...steps.flatMap(([step, each]) => placesIn(each, [...at, step]))]
}

function put<Whole>(whole: Whole, [step, ...rest]: Place, part: unknown): Whole {
  if (step === undefined) return part as Whole
  if (Array.isArray(whole))
    return whole.map((each, index) => (index === step ? put(each, rest, part) : each)) as Whole
  const members = whole as Record<string, unknown>
  return { ...members, [step]: put(members[String(step)], rest, part) } as Whole
}

function partAt(whole: unknown, place: Place): unknown {
  return place.reduce<unknown>((inside, step) => (inside as Record<Step, unknown>)[step], whole)
}

/** What no part like this one can be taken for; a text and a number may be each other. */
function othersThan(part: unknown): unknown[] {
  if (Array.isArray(part)) return ['x', 5, true, [[[]]], { x: 1 }]
  if (typeof part === 'object') return ['x', 5, true, [5]]
  return [[5], [[]], { x: 1 }, ...(typeof part === 'string' ? [] : ['many'])]
}

const damaged = (whole: object) =>
  fc
    .constantFrom(...placesIn(whole))
    .chain(place =>
      fc
        .constantFrom(...othersThan(partAt(whole, place)))
        .map(part => ({ place, part, whole: put(whole, place, part) })),
    )

const reach = (text: Value) => callProviderFunction('rollout', [text]) as ObjectValue
// Plain JSON, of which the names of members are not known here.
const filtersOf = (flag: object) => callProviderFunction('filters', [flag as ObjectValue])

describe('a function of the provider', () => {
  it('reads the typed attributes of a flag, numbers that are written as texts among them', () => {
    const written = { ...typed, release: [{ ...condition, rollout_percentage: '40' }] }
    for (const flag of [typed, written])
      expect(reach(filtersOf(flag))).toMatchObject({ max_percentage: 40, everyone: false })
  })

  it('refuses a flag of which any part is not what it has to be, and names the attribute', () => {
    fc.assert(
      fc.property(damaged(typed), ({ place: [name], whole }) => {
        expect(() => reach(filtersOf(whole))).toThrow(ArgumentError)
        expect(() => reach(filtersOf(whole))).toThrow(`\`${String(name)}\``)
      }),
    )
  })

  it('refuses filters of which any part is not what it has to be, but for what a property compares', () => {
    const compared = new Set<Step | undefined>(['type', 'operator', 'value'])
    const broken = damaged(filters).filter(({ place }) => !place.some(step => compared.has(step)))
    fc.assert(
      fc.property(broken, ({ whole }) => {
        const text = JSON.stringify(whole)
        expect(() => reach(text)).toThrow(ArgumentError)
        expect(() => callProviderFunction('evaluate', ['it', text, 'ada', '{}'])).toThrow(ArgumentError)
      }),
    )
  })

  it.each([
    [{ relese: [], variants }, 'a flag has no `relese`; did you mean `release`?'],
    [
      { release: [{ rollout_percentag: 5 }] },
      'its `release`: "rollout_percentag" is not a member of release[0]; did you mean "rollout_percentage"?',
    ],
    [{ release: [{ properties: [{ value: 'DE' }] }] }, 'its `release`: the member "key" is missing'],
    [{ key: 'x' }, 'the argument is not a flag; pass `vexil_feature_flag.NAME`'],
  ])('refuses %j', (flag, message) => {
    expect(() => filtersOf(flag)).toThrow(message)
  })

  it.each([
    ['{"groups":[{"rollout_percentag":5}]}', 'did you mean "rollout_percentage"?'],
    ['{"groups":[{"properties":[{"key":5,"value":"x","type":"person"}]}]}', 'key'],
  ])('refuses the filters %s', (text, part) => {
    expect(() => reach(text)).toThrow(ArgumentError)
    expect(() => reach(text)).toThrow(part)
  })
})
