import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plan } from '../../src/core/plan/plan.ts'
import { type Profile, profiles } from '../../src/model/connection.ts'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { behaviourOf } from '../../src/services/differences.ts'
import { checkFilters } from '../../src/targeting/check/check-filters.ts'
import {
  byService,
  knownOperators,
  laterOperators,
  matchProperty,
  operators,
} from '../../src/targeting/operators.ts'
import { aFlag, aPolicy, aSnapshot, declare, declaredFlag } from '../support/builders.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'
import { flagsPath } from '../support/workspace.ts'

const people: Readonly<Record<string, JsonObject>> = {
  ann: { plan: 'free', age: '5', joined: '2024-01-31', app: '1.2.3' },
  bo: { plan: 'pro', age: '15', joined: '2026-01-31', app: '2.0.0' },
  cy: {},
}
/** The cohort 4 has ann alone. */
const cohorts = [
  {
    id: 4,
    name: 'Free',
    properties: { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'free' }] },
  },
]

/** One property in any spelling: what may be written, and what may be live. */
const anyProperty = fc
  .record({
    kind: fc.constantFrom('person', 'cohort', 'flag', 'group'),
    operator: fc.option(fc.constantFrom(...Object.keys(knownOperators)), { nil: undefined }),
    negation: fc.constantFrom<Json | undefined>(undefined, undefined, null, false, true),
    key: fc.constantFrom('plan', 'age', 'joined', 'app'),
    value: fc.constantFrom<Json>('free', ['free', 'pro'], '10', '2025-01-01', '1.2.3', 'r', ['1', '10']),
    seen: fc.constantFrom<Json>(true, false),
  })
  .map(({ kind, key, value, seen, operator, negation }): JsonObject => {
    const said = {
      ...(operator === undefined ? {} : { operator }),
      ...(negation === undefined ? {} : { negation }),
    }
    if (kind === 'cohort') return { key: 'id', type: kind, value: 4, ...said }
    if (kind === 'flag') return { key: 'other', type: kind, value: seen, ...said }
    // The groups have the properties of the people.
    return { key, type: kind, ...(kind === 'group' ? { group_type_index: 0 } : {}), value, ...said }
  })

const inWords = Object.entries({ ...operators, ...laterOperators }).map(([operator, { words }]) => ({
  operator,
  words,
}))

/** Whether the words of a condition mean somebody, read by themselves; undefined of words that say nothing of people. */
function meant(
  words: string,
  property: JsonObject,
  person: JsonObject,
  profile: Profile,
): boolean | undefined {
  const not = /^not \((.*)\)$/s.exec(words)
  if (not) {
    const inner = meant(not[1] ?? '', property, person, profile)
    return inner === undefined ? undefined : !inner
  }
  if (words.startsWith('nobody ')) return false
  const cohort = /^(not )?in cohort 4$/.exec(words)
  if (cohort) return (person.plan === 'free') !== (cohort[1] !== undefined)
  const flag = /^flag "other" is (on|off) for the person$/.exec(words)
  // The other flag is for who is free.
  if (flag) return (person.plan === 'free') === (flag[1] === 'on')
  const [, key = '', rest = ''] = /^(?:group )?(\S+) (.*)$/s.exec(words) ?? []
  const [longest] = inWords
    .filter(
      each =>
        rest === each.words || rest.startsWith(`${each.words} `) || rest.startsWith(`${each.operator} `),
    )
    .sort((one, other) => other.words.length - one.words.length)
  const isNone = rest.startsWith('is none of ')
  if (!longest) return undefined
  const operator = isNone ? 'is_not' : longest.operator
  const plain = { key, type: 'person', operator, value: property.value ?? null }
  const match = matchProperty(plain, {
    properties: person,
    isComplete: true,
    now: 0,
    rules: behaviourOf(profile),
    zoneOffsetMinutes: 0,
  })
  return typeof match === 'boolean' ? match : undefined
}

const releasedTo = (property: JsonObject, percent: number) => ({
  groups: [{ properties: [property], rollout_percentage: percent }],
  ...(property.type === 'group' ? { aggregation_group_type_index: 0 } : {}),
})

describe.each(profiles)('what a plan says of people, on the service %s', profile => {
  let service: Service
  let id: number
  let other: number
  beforeAll(async () => {
    const persons = Object.entries(people).map(([name, properties]) => ({ distinct_ids: [name], properties }))
    const groups = Object.entries(people).map(([key, properties]) => ({ type: 'company', key, properties }))
    const shop = { id: 1, name: 'Shop', group_types: ['company'], groups, cohorts, persons }
    service = await startService({ profile, seed: { organizations: [{ name: 'Shop', projects: [shop] }] } })
    const free = releasedTo({ key: 'plan', type: 'person', value: 'free' }, 100)
    const made = async (key: string) =>
      ((await service.send('POST', `${flagsPath}/`, { key, filters: free })) as { id: number }).id
    other = await made('other')
    id = await made('checkout')
  })
  afterAll(() => service.close())

  /** Writes filters past the client; false where the service refuses them. */
  const isTaken = async (filters: Json) => {
    try {
      await service.send('PATCH', `${flagsPath}/${id}/`, { filters })
      return true
    } catch {
      return false
    }
  }
  const byId = (property: JsonObject) =>
    property.type === 'flag' ? { ...property, key: String(other) } : property

  async function holds(words: string, property: JsonObject): Promise<void> {
    for (const [person, properties] of Object.entries(people)) {
      const groups = JSON.stringify({ company: person })
      const query = new URLSearchParams({ distinct_id: person, groups })
      const reasons = (await service.get(`${flagsPath}/evaluation_reasons?${query}`)) as Record<
        string,
        { value: boolean; evaluation: { undecided?: string } }
      >
      const { value, evaluation } = reasons.checkout!
      const expected = meant(words, property, properties, profile)
      if (evaluation.undecided !== undefined || expected === undefined) continue
      expect({ words, person, value }).toEqual({ words, person, value: expected })
    }
  }

  it('is what the service does with what is declared', async () => {
    await fc.assert(
      fc.asyncProperty(anyProperty, async property => {
        const declared = releasedTo(property, 100)
        if (checkFilters(declared, undefined, [profile]).some(({ severity }) => severity === 'error')) return
        const sent = byService.toWire(releasedTo(byId(property), 100), [profile])
        if (!(await isTaken(sent))) return
        const { changes } = plan({
          declared: declare([declaredFlag('checkout', { active: true, filters: declared })]),
          live: { ...aSnapshot([aFlag({ id: other, key: 'other' })]), profile },
          policy: aPolicy(),
        })
        const [, words = ''] =
          /^condition 1 {2}(.*) at 100%$/m.exec(changes[0]?.summary.join('\n') ?? '') ?? []
        expect(words).not.toBe('')
        await holds(words, property)
      }),
      { numRuns: rounds() },
    )
  })

  it('is what the service does with what is live', async () => {
    await fc.assert(
      fc.asyncProperty(anyProperty, async property => {
        if (!(await isTaken(releasedTo(byId(property), 100)))) return
        const read = (percent: number) => byService.fromWire(releasedTo(property, percent), [profile])
        const { changes } = plan({
          declared: declare([declaredFlag('checkout', { filters: read(50) })]),
          live: {
            ...aSnapshot([aFlag({ filters: read(100) }), aFlag({ id: other, key: 'other' })]),
            profile,
          },
          policy: aPolicy(),
        })
        const [, words = ''] =
          /^condition 1 {2}(.*) {2}100% -> 50%$/m.exec(changes[0]?.summary.join('\n') ?? '') ?? []
        expect(words).not.toBe('')
        await holds(words, property)
      }),
      { numRuns: rounds() },
    )
  })
})
