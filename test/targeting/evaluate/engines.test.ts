import fc from 'fast-check'
import { PostHog as Node5 } from 'posthog-node-5'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { enginesOf } from '../../../src/services/engines.ts'
import { sdkVersions } from '../../../src/services/sdk-versions.ts'
import { type EngineValue, evaluateByEngines, evaluateFlag } from '../../../src/targeting/index.ts'
import { rounds } from '../../support/rounds.ts'

const now = Date.UTC(2026, 0, 1)
beforeAll(() => {
  for (const level of ['debug', 'log', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined)
})
afterAll(() => vi.restoreAllMocks())

/** Operators with values that engines may read differently, and what a person may have. */
const operands = {
  exact: ['true', 'false', true, ['true', 'false'], 'null', 'pro', ['PRO', 'free'], '1.5'],
  is_not: ['true', 'false', ['false'], 'null', 'pro'],
  icontains: ['R', 'ü', 'É', 'ul', '1'],
  not_icontains: ['R', 'ü', 'ul'],
  starts_with: ['P', 'É'],
  not_ends_with: ['o', 'L'],
  regex: ['^p', 'o$', '(?=p)', '[', 'r{1,2}', '\\d+'],
  not_regex: ['^p', '(a)\\1'],
  gt: ['5', '10', 'm', ' 5 ', '1e1'],
  lte: ['5', '10', 'm', 'inf'],
  is_date_before: ['2024-06-01', '2024-06-01T10:00:00Z', '-2d', 'Jun 1 2024'],
  is_date_after: ['2024-06-01', '2024-06-01T12:00:00+02:00', '7d'],
  is_set: ['is_set'],
  semver_eq: ['1.2.3', '1.02', '1.2'],
  semver_neq: ['1.2.3', 'x'],
  semver_gt: ['1.2.3', '1.9', '1.2.3-beta'],
  semver_lte: ['1.2.3', 'v2'],
  semver_tilde: ['1.2.3', '0.1'],
  semver_caret: ['1.2.3', '0.2.3', '0.0.3'],
  semver_wildcard: ['1.*', '1.2.*', '1.2.3', '1.*.*', '*', '01.*'],
  between: [[1, 5]],
  icontains_multi: [['p', 'x']],
} as const satisfies Readonly<Record<string, readonly Json[]>>
const knowns: readonly Json[] = [
  ...[
    true,
    false,
    null,
    0,
    5.5,
    9.5,
    '5',
    '10',
    '5 years',
    'pro',
    'PRO',
    'É',
    'é',
    'banana',
    'true',
    'False',
  ],
  ...[
    'null',
    '1.2.3',
    '1.2.3-beta',
    '1.02',
    'v1.10.0',
    '1.2',
    '2024-05-31',
    '2024-06-01T10:30:00Z',
    '-1d',
    '',
  ],
]

const property = fc.constantFrom(...Object.entries(operands)).chain(([operator, values]) =>
  fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    type: fc.constant('person'),
    operator: fc.constant(operator),
    value: fc.constantFrom<Json>(...values),
    negation: fc.constantFrom(false, false, false, true),
  }),
)
const condition = fc.record(
  {
    properties: fc.array(property, { maxLength: 2 }),
    rollout_percentage: fc.constantFrom(0, 30, 100, null),
    variant: fc.constantFrom(null, null, 'blue', 'gone'),
    aggregation_group_type_index: fc.constantFrom(null, null, null, null, 0, 1),
  },
  { requiredKeys: ['properties'] },
)
const someFlag = fc.record(
  {
    groups: fc.array(condition, { minLength: 1, maxLength: 3 }),
    early_exit: fc.constantFrom(true, false),
    holdout: fc.constantFrom<Json>(
      { id: 7, exclusion_percentage: 40 },
      { id: 8, exclusion_percentage: 0 },
      null,
    ),
    multivariate: fc.constant({
      variants: [
        { key: 'blue', rollout_percentage: 40 },
        { key: 'red', rollout_percentage: 60 },
      ],
    }),
  },
  { requiredKeys: ['groups'] },
)
const flags = fc.sample(someFlag, rounds()).map((filters, index) => ({
  id: index + 1,
  key: `flag_${index}`,
  active: true,
  filters: filters as JsonObject,
}))
const people = fc.sample(
  fc.record({ a: fc.constantFrom(...knowns), b: fc.constantFrom(...knowns) }, { requiredKeys: ['a'] }),
  12,
)
const groups = { company: 'acme' }
const groupProperties = { company: { a: 'pro', b: 5 } }

/** An SDK that has loaded those flags and can ask nobody. */
function answerWith(version: 1 | 2): () => Promise<Response> {
  const body = {
    flags,
    group_type_mapping: { 0: 'company' },
    cohorts: {},
    property_matching_version: version,
  }
  return async () => new Response(JSON.stringify(body))
}

interface Sdk {
  getAllFlags(id: string, options: object): Promise<Readonly<Record<string, boolean | string>>>
  reloadFeatureFlags(): Promise<void>
}

const rulesOf = (version: 1 | 2) =>
  enginesOf('posthog-2026', { version, sdks: sdkVersions({ 'posthog-node': '5.70.0' }) })[1]!.rules
const options = { personalApiKey: 'x', host: 'http://127.0.0.1:1', featureFlagsPollingInterval: 1_000_000 }

describe('the rules of an SDK', () => {
  it.each([1, 2] as const)('say what posthog-node gives, with properties of version %d', async version => {
    const rules = rulesOf(version)
    vi.useFakeTimers({ now, toFake: ['Date'] })
    const fetch = answerWith(version)
    const sdk = new Node5('t', { ...options, fetch }) as unknown as Sdk
    await sdk.reloadFeatureFlags()
    const wrong: JsonObject[] = []
    let [decided, told] = [0, 0]
    for (const [index, properties] of people.entries()) {
      const subject = { distinctId: `person-${index}`, properties, groups, groupProperties }
      const values = await sdk.getAllFlags(subject.distinctId, {
        groups,
        personProperties: properties,
        groupProperties,
        onlyEvaluateLocally: true,
      })
      for (const flag of flags) {
        const { value, undecided } = evaluateFlag(flag, subject, { now, groupTypes: { 0: 'company' }, rules })
        // Where it asks the service, it gives what that does.
        if (!(flag.key in values)) continue
        told++
        if (undecided !== undefined) continue
        decided++
        if (values[flag.key] !== value)
          wrong.push({ filters: flag.filters, properties, ours: value, theirs: values[flag.key] ?? null })
      }
    }
    vi.useRealTimers()
    expect(wrong.slice(0, 1)).toEqual([])
    // Were everything open, the law would say little.
    expect(decided).toBeGreaterThan(told * 0.6)
  })
})

describe('what engines of today give differently', () => {
  const [, ...engines] = enginesOf('posthog-2026')
  /** What some SDKs give, by their names without `posthog-`. */
  const by = (values: Readonly<Record<string, boolean | string>>): EngineValue[] =>
    engines.flatMap(({ name }) => {
      const value = values[name.replace(/^posthog-| .*/g, '')]
      return value === undefined ? [] : [{ engine: name, value }]
    })
  const asks = (operator: string, value: Json): JsonObject => ({
    groups: [{ properties: [{ key: 'a', type: 'person', operator, value }] }],
  })
  const colours = {
    variants: [
      { key: 'blue', rollout_percentage: 0 },
      { key: 'red', rollout_percentage: 100 },
    ],
  }

  it.each<[string, JsonObject, JsonObject, boolean | string, readonly EngineValue[]]>([
    ['a number against a number', asks('gt', '18'), { a: 20 }, true, []],
    ['a number in a text', asks('gt', '5'), { a: '10' }, true, by({ server: false })],
    ['a text against a text', asks('lt', 'm'), { a: 'a' }, false, by({ node: true, rs: true, server: true })],
    [
      'a number and more',
      asks('gte', '18'),
      { a: '18 years' },
      false,
      by({ node: true, rs: true, server: true }),
    ],
    ['what is not true', asks('exact', 'false'), { a: 'no' }, true, by({ go: false, server: false })],
    ['what is true', asks('exact', 'true'), { a: true }, true, by({ go: false })],
    ['an umlaut in another case', asks('icontains', 'ü'), { a: 'Ü' }, false, by({ go: true, server: true })],
    [
      'a version before a release',
      asks('semver_lt', '1.2.3'),
      { a: '1.2.3-beta' },
      true,
      by({ node: false, python: false, rs: false, server: false }),
    ],
    ['a version with a leading zero', asks('semver_eq', '1.2'), { a: '1.02' }, true, []],
    [
      'a wildcard without a star',
      asks('semver_wildcard', '1.2.3'),
      { a: '1.2.9' },
      true,
      by({ python: false, server: false }),
    ],
    ['what only the service knows', asks('icontains_multi', ['b']), { a: 'abc' }, true, []],
    ['a property that nobody gave', asks('is_not', 'x'), {}, true, []],
    [
      'seconds since 1970',
      asks('is_date_after', '2024-01-01'),
      { a: 1_750_000_000 },
      true,
      by({ node: false }),
    ],
    [
      'a variant of its own behind everybody',
      { groups: [{}, { variant: 'blue' }], multivariate: colours },
      {},
      'red',
      by({ go: 'blue', rs: 'blue', server: 'blue' }),
    ],
    [
      'an early exit',
      { groups: [{ rollout_percentage: 0 }, {}], early_exit: true },
      {},
      false,
      by({ go: true, server: true }),
    ],
    [
      'a holdout',
      { groups: [{}], holdout: { id: 3, exclusion_percentage: 100 } },
      {},
      'holdout-3',
      by({ go: true, rs: true, server: true }),
    ],
    [
      'an enrolment',
      { groups: [{ rollout_percentage: 0 }], feature_enrollment: true },
      { '$feature_enrollment/flag': true },
      true,
      by({ node: false, go: false, rs: false, server: false }),
    ],
    [
      'a percentage beside a property',
      {
        groups: [
          {
            properties: [{ key: 'a', type: 'person', value: 'x', operator: 'exact' }],
            rollout_percentage: 0,
          },
        ],
      },
      { a: 'x' },
      false,
      by({ go: true }),
    ],
    ['another letter case', asks('exact', 'pro'), { a: 'Pro' }, true, by({ go: false })],
    ['letters with marks', asks('exact', 'Munchen'), { a: 'München' }, false, by({ server: true })],
  ])('is told of %s', (_, filters, properties, value, differs) => {
    const flag = { key: 'flag', filters }
    const subject = { distinctId: 'person-1', properties }
    const context = { now, isComplete: true, zoneOffsetMinutes: 0 }
    const found = evaluateByEngines(flag, subject, context, enginesOf('posthog-2026'))
    expect({ value: found.value, differs: found.differs ?? [], undecided: found.undecided }).toEqual({
      value,
      differs,
      undecided: undefined,
    })
    for (const profile of ['documented', 'posthog'] as const)
      expect(evaluateByEngines(flag, subject, context, enginesOf(profile))).not.toHaveProperty('differs')
  })
})
