import { describe, expect, it } from 'vitest'
import { type Services, servicesOf } from '../../../src/model/connection.ts'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { checkFilters } from '../../../src/targeting/check/check-filters.ts'
import type { laterOperators } from '../../../src/targeting/operators.ts'

const of2024: Services = ['documented', 'posthog']
const today: Services = ['posthog-2026']

function asks(operator: string, value: Json): JsonObject {
  return { groups: [{ properties: [{ key: 'a', type: 'person', operator, value }] }] }
}

function told(filters: JsonObject, services?: Services): string[] {
  return checkFilters(filters, undefined, services)
    .filter(({ code }) => code !== 'engines-differ')
    .map(({ severity, code, pointer, message }) => `${severity} ${code} ${pointer} ${message}`)
}

const operator = '/groups/0/properties/0/operator'
const newer = (name: string) =>
  `warning newer-operator ${operator} the operator "${name}" is newer than the service, which stores it but may match nobody`
const unsettled = (name: string) =>
  `warning unsettled-operator ${operator} the service may refuse the operator "${name}": it is unknown whether the service accepts it`

/** A value that fits each operator, and whether it can be written today. [service-today 2, 10] */
const cases: Readonly<Record<keyof typeof laterOperators, readonly [value: Json, isSettled: boolean]>> = {
  between: [['1', 10], false],
  not_between: [[1, 10], false],
  is_date_exact: ['2024-01-31T00:00:00Z', true],
  icontains_multi: [['a', 'b'], true],
  not_icontains_multi: [['a'], true],
  starts_with: ['a', false],
  not_starts_with: ['a', false],
  ends_with: ['a', false],
  not_ends_with: ['a', false],
  semver_eq: ['1.2.3', true],
  semver_neq: ['1.2.3-rc.1', true],
  semver_gt: ['v1.2', true],
  semver_gte: ['1', true],
  semver_lt: ['1.02.3', true],
  semver_lte: ['1.2.3+5', true],
  semver_tilde: ['1.2.3', true],
  semver_caret: ['1.2.3', true],
  semver_wildcard: ['1.2.*', true],
}

describe('an operator of newer services', () => {
  it.each(Object.entries(cases))('%s is told as each service has it', (name, [value, isSettled]) => {
    const filters = asks(name, value)
    const open = isSettled ? [] : [unsettled(name)]
    expect(told(filters, of2024)).toEqual([newer(name)])
    expect(told(filters, ['posthog'])).toEqual([newer(name)])
    expect(told(filters, today)).toEqual(open)
    expect(told(filters)).toEqual([
      `${newer(name)} (profiles documented and posthog)`,
      ...open.map(line => `${line} (profile posthog-2026)`),
    ])
  })

  it.each<[string, Json | undefined, string]>([
    ['between', ['10', '1'], 'error range'],
    ['between', ['1'], 'error range'],
    ['between', '1', 'error range'],
    ['not_between', ['a', 'b'], 'error range'],
    ['is_date_exact', 'soon', 'error date'],
    ['icontains_multi', [], 'warning no-values'],
    ['icontains_multi', { a: 1 }, 'error value-type'],
    ['starts_with', 5, 'error value-not-text'],
    ['semver_gt', 'many', 'warning version'],
    ['semver_gt', '1.2.*', 'warning version'],
    ['semver_wildcard', '1.*.3', 'warning version'],
    ['semver_wildcard', '1.*.*.*', 'warning version'],
    ['semver_gt', null, 'error missing-value'],
  ])('%s does not fit %j: %s', (name, value, problem) => {
    const found = told(asks(name, value ?? null), today).filter(line => !line.includes('unsettled-operator'))
    expect(found.map(line => line.split(' ').slice(0, 3).join(' '))).toEqual([
      `${problem} /groups/0/properties/0/value`,
    ])
  })
})

describe('a member of newer services', () => {
  it.each<[JsonObject, string]>([
    [
      { groups: [{}], early_exit: true },
      '/early_exit "early_exit" is newer than the service, which ignores it',
    ],
    [
      { groups: [{ aggregation_group_type_index: 1 }], aggregation_group_type_index: null },
      '/groups/0/aggregation_group_type_index a condition that counts other groups than its flag is newer than the service',
    ],
  ])('%j is told where a service does not know it', (filters, words) => {
    expect(told(filters, of2024)).toEqual([`warning newer-member ${words}`])
    expect(told(filters, today)).toEqual([])
    expect(told(filters)).toEqual([`warning newer-member ${words} (profiles documented and posthog)`])
  })

  it.each<JsonObject>([
    { groups: [{}], early_exit: false },
    { groups: [{}], early_exit: null },
    { groups: [{}], holdout: { id: 1, exclusion_percentage: 5 } },
    { groups: [{ aggregation_group_type_index: 1 }], aggregation_group_type_index: 1 },
  ])('%j is nothing to tell', filters => {
    expect(told(filters, of2024)).toEqual([])
  })

  it('is misspelt, or in the wrong place, as any other is', () => {
    const [misspelt, misplaced] = [
      told({ groups: [{}], early_exits: true }, today),
      told({ groups: [{ early_exit: true }] }, today),
    ]
    expect(misspelt).toEqual([
      'error misspelt-member /early_exits "early_exits" is not a member that the service knows',
    ])
    expect(misplaced).toEqual([
      'error misplaced-member /groups/0/early_exit "early_exit" has no effect in a condition',
    ])
  })
})

describe('the services that settings leave open', () => {
  it.each<[(string | undefined)[], Services]>([
    [[], ['documented', 'posthog', 'posthog-2026']],
    [['auto'], ['documented', 'posthog', 'posthog-2026']],
    [[undefined], ['documented', 'posthog', 'posthog-2026']],
    [['posthog'], ['posthog']],
    [
      ['posthog-2026', 'documented'],
      ['documented', 'posthog-2026'],
    ],
    [
      ['posthog', 'auto'],
      ['documented', 'posthog', 'posthog-2026'],
    ],
    [['posthog', 'posthog'], ['posthog']],
  ])('%j: %j', (settings, services) => {
    expect(servicesOf(settings)).toEqual(services)
  })

  it('are named where only some of them mind', () => {
    const groups: Json = [{ rollout_percentage: 10 }, { variant: 'a' }]
    const variants = { variants: [{ key: 'a', rollout_percentage: 100 }] }
    expect(told({ groups, multivariate: variants })).toEqual([
      'warning unreachable-condition /groups/0 condition 1 can never match: condition 2 takes everyone at 100% (profiles documented and posthog)',
    ])
  })
})
