import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import {
  type EvaluatedFlag,
  type Evaluation,
  type EvaluationContext,
  evaluateFlag,
  KnownFlags,
  matchCondition,
} from '../../src/targeting/index.ts'
import { someFilters, somePerson } from './some-filters.ts'

const on: EvaluatedFlag = { id: 1, key: 'on' }
const off: EvaluatedFlag = { id: 2, key: 'off', filters: { groups: [] } }
const blue: EvaluatedFlag = {
  id: 3,
  key: 'colour',
  filters: {
    groups: [{ variant: 'blue' }],
    multivariate: {
      variants: [
        { key: 'blue', rollout_percentage: 0 },
        { key: 'true', rollout_percentage: 100 },
      ],
    },
  },
}
const inactive: EvaluatedFlag = { id: 4, key: 'inactive', active: false }
const deleted: EvaluatedFlag = { id: 5, key: 'deleted', deleted: true }
const german: EvaluatedFlag = {
  id: 6,
  key: 'german',
  filters: { groups: [{ properties: [{ key: 'country', type: 'person', value: 'DE' }] }] },
}
const numbered: EvaluatedFlag = { id: 7, key: '2' }
const basic = [on, off, blue, inactive, deleted, german, numbered]

function when(key: string, value: Json, more: JsonObject = {}): JsonObject {
  return { key, type: 'flag', operator: 'flag_evaluates_to', value, ...more }
}

function waitingFor(key: string, ...names: string[]): EvaluatedFlag {
  return { key, filters: { groups: [{ properties: names.map(name => when(name, true)) }] } }
}

const german1 = { distinctId: 'person-1', properties: { country: 'DE' } }

function evaluate(
  flag: EvaluatedFlag,
  flags: readonly EvaluatedFlag[] = basic,
  context: Partial<EvaluationContext> = {},
): Evaluation {
  return evaluateFlag(flag, german1, { now: 0, isComplete: true, flags: new KnownFlags(flags), ...context })
}

const isMet: Evaluation = { value: true, reason: 'condition_match', conditionIndex: 0 }
const isNotMet: Evaluation = { value: false, reason: 'no_condition_match', conditionIndex: 0 }

describe('a condition on another flag', () => {
  it.each<[string, JsonObject, boolean]>([
    ['a flag that is on, by its key', when('on', true), true],
    ['a flag that is on, by its id', when('1', true), true],
    ['a flag that is on, asked to be off', when('on', false), false],
    ['a flag that is on, asked for a variant', when('on', 'blue'), false],
    ['a flag that is off', when('off', true), false],
    ['a flag that is off, asked to be off', when('off', false), true],
    ['a flag that is off, asked for a variant', when('off', 'blue'), false],
    ['a variant, asked to be on', when('colour', true), true],
    ['a variant, asked to be off', when('colour', false), false],
    ['that variant', when('colour', 'blue'), true],
    ['another variant', when('colour', 'red'), false],
    ['a variant in other letters', when('colour', 'Blue'), false],
    ['a flag that is on, asked for a variant of the name "true"', when('on', 'true'), false],
    ['a flag that is inactive', when('inactive', true), false],
    ['a flag that is inactive, asked to be off', when('inactive', false), true],
    ['a flag that the person meets by a property', when('german', true), true],
    ['an id before a key that reads the same', when('2', true), false],
    ['what no flag can give', when('on', null), false],
    ['a list', when('on', [true]), false],
    ['the opposite', when('on', true, { negation: true }), false],
    ['the opposite of what it does not give', when('off', true, { negation: true }), true],
    ['a flag that is not there', when('nowhere', true), false],
    ['a flag that is not there, asked to be off', when('nowhere', false), false],
    ['a flag that is not there, turned around', when('nowhere', true, { negation: true }), false],
    ['a flag that is deleted', when('deleted', false), false],
    ['a name that every object answers to', when('constructor', false), false],
  ])('sees %s: %j -> %s', (_, property, expected) => {
    const flag = { key: 'asking', filters: { groups: [{ properties: [property] }] } }
    expect(evaluate(flag)).toEqual(expected ? isMet : isNotMet)
  })

  it('is one of those that must all be met', () => {
    const properties = [when('on', true), { key: 'country', type: 'person', value: 'FR' }]
    expect(evaluate({ key: 'asking', filters: { groups: [{ properties }] } })).toEqual(isNotMet)
  })

  it('leaves the other conditions alone', () => {
    const groups: Json[] = [{ properties: [when('nowhere', true)] }, {}]
    expect(evaluate({ key: 'asking', filters: { groups } })).toEqual({ ...isMet, conditionIndex: 1 })
  })

  it('counts in an estimate of the people behind it', () => {
    const context = { now: 0, isComplete: true, flags: new KnownFlags(basic) }
    const matches = ['german', 'off'].map(name =>
      matchCondition({ properties: [when(name, true)] }, null, german1, context),
    )
    expect(matches).toEqual([true, false])
  })
})

describe('a chain of flags', () => {
  const chain = [german, waitingFor('second', '6'), waitingFor('third', 'second', 'on'), on]

  it('is followed to its end', () => {
    expect(evaluate(waitingFor('last', 'third'), chain)).toEqual(isMet)
    const french = evaluateFlag(
      waitingFor('last', 'third'),
      { distinctId: 'person-1', properties: { country: 'FR' } },
      { now: 0, isComplete: true, flags: new KnownFlags(chain) },
    )
    expect(french).toEqual(isNotMet)
  })

  it('works out once what is named many times', () => {
    const ladder = Array.from({ length: 60 }, (_, at) =>
      at === 0 ? german : { ...waitingFor(`step-${at}`, String(at + 5), String(at + 5)), id: at + 6 },
    )
    expect(evaluate(waitingFor('last', 'step-59'), ladder)).toEqual(isMet)
  })

  it('may be longer than a stack is large', () => {
    const long = Array.from({ length: 20_000 }, (_, at) =>
      at === 0 ? { key: 'flag-0' } : waitingFor(`flag-${at}`, `flag-${at - 1}`),
    )
    expect(evaluate(waitingFor('last', 'flag-19999'), long.reverse())).toEqual(isMet)
  })
})

describe('a circle of flags', () => {
  const left: EvaluatedFlag = { ...waitingFor('left', 'right'), id: 21 }
  const right: EvaluatedFlag = { ...waitingFor('right', '21'), id: 22 }
  const self = waitingFor('self', 'self')

  it.each<[string, EvaluatedFlag, readonly EvaluatedFlag[]]>([
    ['of one', self, [self]],
    ['of one that is not among those that are known', self, []],
    ['of two', left, [left, right]],
    ['of two, from its other end', right, [left, right]],
    ['seen from outside', waitingFor('asking', 'left'), [left, right]],
    [
      'of two, turned around',
      { key: 'left', filters: { groups: [{ properties: [when('right', true, { negation: true })] }] } },
      [left, right],
    ],
  ])('%s is met by nobody', (_, flag, flags) => {
    expect(evaluate(flag, flags)).toEqual(isNotMet)
  })

  it('does not take away what another condition gives, whichever flag is asked first', () => {
    const open = { ...left, filters: { groups: [...groupsOf(left), {}] } }
    const flags = [open, right]
    const values = [open, right, waitingFor('asking', 'left'), waitingFor('asking', 'right')].map(
      flag => evaluate(flag, flags).value,
    )
    expect(values).toEqual([true, false, true, false])
  })

  it('is none where one of the flags is inactive', () => {
    const broken = { ...right, active: false }
    const asksOff = { key: 'left', filters: { groups: [{ properties: [when('right', false)] }] } }
    expect(evaluate(asksOff, [asksOff, broken])).toEqual(isMet)
  })
})

describe('outside the service', () => {
  const open = (undecided: string): Evaluation => ({ ...isNotMet, undecided })

  it.each<[string, EvaluatedFlag, Evaluation]>([
    [
      'a flag that is not known is undecided',
      waitingFor('asking', 'nowhere'),
      open('the flag "nowhere" is unknown'),
    ],
    [
      'one that cannot be decided is undecided',
      waitingFor('asking', 'plan'),
      open('the flag "plan" is undecided: the property "plan" is unknown'),
    ],
    ['one that can is decided', waitingFor('asking', 'german'), isMet],
    ['a flag that waits for itself is met by nobody', waitingFor('self', 'self'), isNotMet],
  ])('%s', (_, flag, expected) => {
    const plan = { key: 'plan', filters: { groups: [{ properties: [{ key: 'plan', value: 'pro' }] }] } }
    expect(evaluate(flag, [german, plan, waitingFor('self', 'self')], { isComplete: false })).toEqual(
      expected,
    )
  })

  it('everything about other flags is undecided when none were given', () => {
    expect(evaluate(waitingFor('asking', 'on'), [], { flags: undefined })).toEqual(
      open('other flags are unknown'),
    )
  })

  it('a flag that only a cohort names is undecided', () => {
    const cohorts = { 1: { type: 'AND', values: [when('on', true)] } }
    const flag = {
      key: 'asking',
      filters: { groups: [{ properties: [{ key: 'id', type: 'cohort', value: 1 }] }] },
    }
    expect(evaluate(flag, basic, { cohorts })).toEqual(open('only a cohort names the flag "on"'))
  })

  it('never contradicts the service where it is sure', () => {
    const names = ['a', 'b', 'c', 'd']
    const dependency = fc
      .record({
        key: fc.constantFrom(...names),
        value: fc.constantFrom<Json>(true, false, 'blue'),
        negation: fc.boolean(),
      })
      .map(({ key, value, negation }) => when(key, value, { negation }))
    const withDependencies = fc
      .tuple(someFilters, fc.array(dependency, { maxLength: 2 }), fc.boolean())
      .map(([filters, properties, active]) => ({ filters: withCondition(filters, properties), active }))
    fc.assert(
      fc.property(
        fc.array(withDependencies, { minLength: 4, maxLength: 4 }),
        somePerson,
        fc.subarray(names),
        fc.nat({ max: 2 }),
        (made, person, known, hidden) => {
          const flags = made.map(({ filters, active }, at) => ({
            key: names[at]!,
            id: at + 1,
            filters,
            active,
          }))
          const properties = Object.fromEntries(Object.entries(person.properties ?? {}).slice(hidden))
          for (const flag of flags) {
            const service = evaluateFlag(flag, person, {
              now: 0,
              isComplete: true,
              flags: new KnownFlags(flags),
            })
            const caller = evaluateFlag(
              flag,
              { ...person, properties },
              { now: 0, flags: new KnownFlags(flags.filter(({ key }) => known.includes(key))) },
            )
            if (!caller.undecided && !service.undecided) expect(caller.value).toBe(service.value)
          }
        },
      ),
    )
  })
})

function groupsOf({ filters }: EvaluatedFlag): Json[] {
  return (filters as { groups: Json[] }).groups
}

/** Filters with a further condition before the others. */
function withCondition(filters: Json, properties: Json[]): Json {
  if (properties.length === 0 || typeof filters !== 'object' || filters === null || Array.isArray(filters))
    return filters
  const { groups } = filters as { groups?: Json }
  return { ...filters, groups: [{ properties }, ...(Array.isArray(groups) ? groups : [])] }
}
