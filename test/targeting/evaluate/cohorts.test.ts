import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { behaviourOf } from '../../../src/services/differences.ts'
import { matchProperties } from '../../../src/targeting/evaluate/cohorts-and-flags.ts'
import type { Match } from '../../../src/targeting/evaluate/compared-values.ts'

const german = { key: 'country', value: 'DE', type: 'person' }
const pro = { key: 'plan', value: 'pro', type: 'person' }
const inCohort = (id: Json) => ({ key: 'id', type: 'cohort', value: id })
const unknown = (key: string) => ({ undecided: `the property "${key}" is unknown` })

function match(properties: Json[], known: JsonObject, cohorts: JsonObject): Match {
  return matchProperties(properties, { properties: known, cohorts, isComplete: false, now: 0 })
}

describe('matchProperties with cohorts', () => {
  it.each<[string, JsonObject, JsonObject, Match]>([
    ['AND, both', { type: 'AND', values: [german, pro] }, { country: 'DE', plan: 'pro' }, true],
    ['AND, one', { type: 'AND', values: [german, pro] }, { country: 'DE', plan: 'free' }, false],
    ['AND, one unknown', { type: 'AND', values: [german, pro] }, { country: 'DE' }, unknown('plan')],
    ['AND, one fails, one unknown', { type: 'AND', values: [german, pro] }, { country: 'FR' }, false],
    ['OR, one', { type: 'OR', values: [german, pro] }, { country: 'FR', plan: 'pro' }, true],
    ['OR, none', { type: 'OR', values: [german, pro] }, { country: 'FR', plan: 'free' }, false],
    ['OR, one matches, one unknown', { type: 'OR', values: [german, pro] }, { plan: 'pro' }, true],
    [
      'OR, one fails, one unknown',
      { type: 'OR', values: [german, pro] },
      { plan: 'free' },
      unknown('country'),
    ],
    ['negation', { type: 'AND', values: [{ ...german, negation: true }] }, { country: 'FR' }, true],
    [
      'negation of what is unknown',
      { type: 'AND', values: [{ ...german, negation: true }] },
      {},
      unknown('country'),
    ],
    [
      'nested',
      {
        type: 'OR',
        values: [
          { type: 'AND', values: [german, pro] },
          { type: 'AND', values: [{ ...pro, negation: true }] },
        ],
      },
      { country: 'FR', plan: 'free' },
      true,
    ],
    ['nothing inside', { type: 'OR', values: [] }, {}, true],
    [
      'behaviour',
      { type: 'AND', values: [{ key: 'paid', type: 'behavioral', value: 'performed_event' }] },
      {},
      { undecided: 'only the service knows what people did' },
    ],
    ['no list', { type: 'AND', values: 'x' }, {}, { undecided: 'a cohort has no list of values' }],
  ])('%s', (_, cohort, known, expected) => {
    expect(match([inCohort(5)], known, { 5: cohort })).toEqual(expected)
  })

  it('follows a cohort into another', () => {
    const cohorts = {
      1: { type: 'AND', values: [german] },
      2: { type: 'AND', values: [{ ...inCohort('1'), negation: true }] },
    }
    expect(match([inCohort(2)], { country: 'FR' }, cohorts)).toBe(true)
    expect(match([inCohort(2)], { country: 'DE' }, cohorts)).toBe(false)
  })

  it.each([
    ['in', false, 'documented', true],
    ['exact', false, 'posthog', true],
    ['not_in', false, 'posthog', true],
    ['not_in', true, 'posthog', false],
    ['in', true, 'posthog', false],
    ['exact', false, 'posthog-2026', false],
    ['not_in', false, 'posthog-2026', false],
    ['not_in', true, 'posthog-2026', false],
    ['in', true, 'posthog-2026', true],
    ['icontains', false, 'posthog-2026', false],
  ] as const)(
    'reads "%s" with negation %s at the flag as %s does',
    (operator, negation, profile, expected) => {
      const cohorts = { 1: { type: 'AND', values: [german] } }
      const facts = { properties: { country: 'DE' }, isComplete: true, now: 0, rules: behaviourOf(profile) }
      expect(matchProperties([{ ...inCohort(1), operator, negation }], { ...facts, cohorts })).toBe(expected)
    },
  )

  it('does not go round in circles, nor pay twice for the same cohort', () => {
    const circle = { 1: { type: 'AND', values: [inCohort(2)] }, 2: { type: 'AND', values: [inCohort(1)] } }
    expect(match([inCohort(1)], {}, circle)).toEqual({ undecided: 'the cohort 1 refers back to itself' })
    const ladder = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        at,
        { type: 'AND', values: at === 0 ? [german] : [inCohort(at - 1), inCohort(at - 1)] },
      ]),
    )
    expect(match([inCohort(59)], { country: 'DE' }, ladder)).toBe(true)
  })

  it('leaves a cohort that was not given undecided', () => {
    expect(match([inCohort(9)], {}, {})).toEqual({ undecided: 'the cohort "9" is unknown' })
    expect(match([inCohort('constructor')], {}, {})).toEqual({
      undecided: 'the cohort "constructor" is unknown',
    })
    expect(match([inCohort(9), german], { country: 'FR' }, {})).toBe(false)
  })

  it('leaves what depends on another flag undecided where nothing is known of flags', () => {
    expect(
      match(
        [{ key: 'other', type: 'flag', value: true, operator: 'flag_evaluates_to' }],
        { other: 'true' },
        {},
      ),
    ).toEqual({ undecided: 'other flags are unknown' })
  })
})
