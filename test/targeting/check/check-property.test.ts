import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { checkProperty } from '../../../src/targeting/check/check-property.ts'
import { knownOperators } from '../../../src/targeting/operators.ts'

function outline(property: JsonObject, groupType: Json = null): string[] {
  return checkProperty(property, groupType, '').map(
    ({ severity, code, pointer }) => `${severity} ${code} ${pointer}`,
  )
}

function found(operator: string, value: Json | undefined): string[] {
  return outline({ key: 'a', type: 'person', operator, ...(value !== undefined && { value }) })
}

describe('checkProperty', () => {
  it.each<[string, Json | undefined, string[]]>([
    ['exact', 'DE', []],
    ['exact', 5, []],
    ['exact', true, []],
    ['is_not', ['a', 5], []],
    ['exact', undefined, ['error missing-value /value']],
    ['exact', null, ['error missing-value /value']],
    ['exact', { a: 1 }, ['error value-type /value']],
    ['exact', [], ['warning no-values /value']],
    ['exact', Array(1001).fill('x'), ['error too-many-values /value']],
    ['is_set', undefined, []],
    ['is_not_set', 'is_not_set', []],
    ['icontains', 'x', []],
    ['icontains', undefined, ['error missing-value /value']],
    ['icontains', 5, ['error value-not-text /value']],
    ['not_icontains', ['x'], ['error value-not-text /value']],
    ['gt', 18, ['error value-not-text /value']],
    ['lte', '18', []],
    ['regex', '^a+$', []],
    ['regex', 5, ['error value-not-text /value']],
    ['regex', '[a', ['error pattern /value']],
    ['not_regex', '(?!a)', ['warning pattern-portability /value']],
    ['is_date_before', '2024-01-31', []],
    ['is_date_after', '-7d', []],
    ['is_date_after', 'soon', ['error date /value']],
    ['is_date_after', '2024-02-30', ['error date /value']],
    ['is_date_after', '-7x', ['error date /value']],
    ['is_date_after', 5, ['error date /value']],
    ['is_date_after', 'Jan 5 2024', []],
    ['is_date_after', '2024-01-05 10:00:00 UTC', []],
    ['is_date_after', '2024', ['warning date-partial /value']],
    ['is_date_after', '2024-01-05 10:00 CET', ['error date /value']],
    ['regex', '(?<n>a)', ['error pattern /value']],
    ['regex', '{2}', ['error pattern /value']],
    ['equals', 'x', ['error unknown-operator /operator']],
    ['in', ['pro', 'team'], ['error operator-type /operator']],
    ['not_in', ['pro', 'team'], ['error operator-type /operator']],
    ['flag_evaluates_to', true, ['error operator-type /operator']],
  ])('%s %j: %j', (operator, value, problems) => {
    expect(found(operator, value)).toEqual(problems)
  })

  it.each<[JsonObject, Json, string[]]>([
    [{ type: 'person' }, null, []],
    [{ type: 'flag', operator: 'flag_evaluates_to' }, null, []],
    [{ type: 'flag', operator: 'flag_evaluates_to' }, 0, ['error property-type /type']],
    [{}, null, ['error property-type /type']],
    [{ type: 'event' }, null, ['error property-type /type']],
    [{ type: 'group', group_type_index: 0 }, null, ['error property-type /type']],
    [{ type: 'group', group_type_index: 0 }, 0, []],
    [{ type: 'group', group_type_index: 1 }, 0, ['error group-type-index /group_type_index']],
    [{ type: 'group' }, 0, ['error group-type-index /group_type_index']],
    [{ type: 'person' }, 0, ['error property-type /type']],
    [{ type: 'person', group_type_index: 9 }, null, ['error group-type-index /group_type_index']],
    [{ type: 'person', negation: 'yes' }, null, ['error wrong-shape /negation']],
    [{ type: 'person', negation: null }, null, []],
  ])('checks that %j fits a flag for groups of type %j', (members, groupType, problems) => {
    expect(outline({ key: 'a', value: 'x', ...members }, groupType)).toEqual(problems)
  })

  it.each<[Json, string[]]>([
    [5, []],
    ['5', []],
    ['beta', ['error cohort-id /value']],
    [5.5, ['error cohort-id /value']],
    [null, ['error cohort-id /value']],
  ])('takes %j for the id of a cohort: %j', (value, problems) => {
    expect(outline({ key: 'id', type: 'cohort', value })).toEqual(problems)
  })

  it.each<[JsonObject, string[]]>([
    [{ value: true }, []],
    [{ value: false }, []],
    [{ value: 'blue' }, []],
    [{ value: 'true' }, ['warning flag-value-text /value']],
    [{ value: '' }, ['error flag-value /value']],
    [{ value: null }, ['error flag-value /value']],
    [{ value: ['blue'] }, ['error flag-value /value']],
    [{ value: true, operator: null }, ['error flag-operator /operator']],
    [{ value: true, operator: 'exact' }, ['error flag-operator /operator']],
    [{ value: true, operator: 'flag_evaluate_to' }, ['error unknown-operator /operator']],
  ])('checks that %j can be asked of another flag: %j', (members, problems) => {
    expect(outline({ key: '7', type: 'flag', operator: 'flag_evaluates_to', ...members })).toEqual(problems)
  })

  it('knows a slip in the operator of a cohort, which would turn it around', () => {
    expect(outline({ key: 'id', type: 'cohort', value: 5, operator: 'nto_in' })).toEqual([
      'error unknown-operator /operator',
    ])
  })

  it.each(Object.keys(knownOperators).map(operator => [operator]))(
    'takes %s for the kinds it compares',
    operator => {
      const codes = ['person', 'group', 'cohort', 'flag'].flatMap(type => {
        const found = checkProperty(
          { key: '5', type, operator, value: 5, ...(type === 'group' ? { group_type_index: 0 } : {}) },
          type === 'group' ? 0 : null,
          '',
        )
        return found.some(({ code }) => code === 'operator-type' || code === 'flag-operator') ? [] : [type]
      })
      const expected =
        operator === 'flag_evaluates_to'
          ? ['flag']
          : /^(not_)?in$/.test(operator)
            ? ['cohort']
            : ['person', 'group']
      expect(codes).toEqual(expected)
    },
  )

  it('asks for a key', () => {
    expect(outline({ type: 'person', value: 'x' })).toEqual(['error missing-key /key'])
  })

  it('shows how to write a number as text', () => {
    expect(
      checkProperty(
        { key: 'age', type: 'person', operator: 'gt', value: 18 },
        null,
        '/groups/0/properties/0',
      ),
    ).toEqual([
      {
        pointer: '/groups/0/properties/0/value',
        code: 'value-not-text',
        severity: 'error',
        message: 'the value of the operator "gt" must be text',
        hint: 'write the value in quotes: "18"',
      },
    ])
  })
})
