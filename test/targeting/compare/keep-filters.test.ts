import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { readJson, readJsonAsWritten, writeJson } from '../../../src/model/text/json-text.ts'
import { keepFilters } from '../../../src/targeting/compare/align.ts'
import { canonicalFilters } from '../../../src/targeting/index.ts'
import { liveFilters } from '../../support/live-worlds.ts'
import { respelledFilters } from '../../support/respellings.ts'

/** Filters after one change of what they mean, and the path of the only leaf that has another value. */
type Change = (filters: JsonObject) => readonly [changed: JsonObject, at: string]

const changes: Readonly<Record<string, Change>> = {
  'a percentage': filters => [
    inCondition(filters, { rollout_percentage: 37 }),
    '/groups/0/rollout_percentage',
  ],
  'a variant of a condition': filters => [inCondition(filters, { variant: 'red' }), '/groups/0/variant'],
  'another member': filters => [{ ...filters, early_exit: true }, '/early_exit'],
  'the type of groups': filters => [
    { ...filters, aggregation_group_type_index: 2 },
    '/aggregation_group_type_index',
  ],
  'a payload': filters => [
    { ...filters, payloads: { ...(isJsonObject(filters.payloads) ? filters.payloads : {}), new: '[1]' } },
    '/payloads/new',
  ],
  'a condition at the end': filters => [
    { ...filters, groups: [...groupsOf(filters), { rollout_percentage: 1 }] },
    `/groups/${groupsOf(filters).length}/rollout_percentage`,
  ],
}

describe('filters in the spelling of others', () => {
  it('are those where both mean the same', () => {
    fc.assert(
      fc.property(respelledFilters(false), ([one, other]) => {
        expect(keepFilters(one, other)).toBe(other)
      }),
    )
  })

  it('mean what they meant, whatever the others are', () => {
    fc.assert(
      fc.property(liveFilters, liveFilters, (filters, model) => {
        const kept = keepFilters(filters, readJsonAsWritten(writeJson(model)))
        const again = (value: Json) => canonicalFilters(readJson(writeJson(value)))
        expect(again(kept)).toEqual(again(filters))
      }),
    )
  })

  it.each(Object.entries(changes))('differ from them in nothing but %s', (_, change) => {
    fc.assert(
      fc.property(respelledFilters(false), ([written, live]) => {
        // Of two conditions that mean the same, either may be the one that a changed one was.
        fc.pre(new Set(meanings(live)).size === groupsOf(live).length)
        const [changed, at] = change(live)
        const kept = keepFilters(changed, readJsonAsWritten(writeJson(written)))
        expect(differing(readJsonAsWritten(writeJson(written)), kept, '')).toEqual([at])
      }),
    )
  })

  it.each<readonly [string, Json, Json, string]>([
    [
      'the operator that is said and need not be',
      { groups: [{ properties: [country('DE')], rollout_percentage: 20 }] },
      { groups: [{ properties: [{ ...country(['DE']), operator: 'exact' }], rollout_percentage: 10 }] },
      '{"groups":[{"properties":[{"key":"country","type":"person","value":["DE"],"operator":"exact"}],"rollout_percentage":20}]}',
    ],
    [
      'the order of values, with one more behind them',
      { groups: [{ properties: [country(['AT', 'CH', 'DE'])] }] },
      { groups: [{ properties: [country(['DE', 'AT'])] }] },
      '{"groups":[{"properties":[{"key":"country","type":"person","value":["DE","AT","CH"]}]}]}',
    ],
    [
      'what a payload says inside, as text where it is text',
      { payloads: { true: '{"a":1,"b":3}' }, groups: [{}] },
      { payloads: { true: '{ "b": 2, "a": 1.0 }' }, multivariate: null },
      '{"payloads":{"true":"{\\"b\\":3,\\"a\\":1.0}"},"multivariate":null,"groups":[{}]}',
    ],
    [
      'conditions that say of groups what is said above them',
      {
        groups: [{ rollout_percentage: 20, aggregation_group_type_index: 0 }],
        aggregation_group_type_index: 0,
      },
      { aggregation_group_type_index: 0, groups: [{ rollout_percentage: 10 }] },
      '{"aggregation_group_type_index":0,"groups":[{"rollout_percentage":20}]}',
    ],
    [
      'groups that only each condition names',
      { groups: [{ rollout_percentage: 20 }, {}], aggregation_group_type_index: 0 },
      {
        groups: [
          { rollout_percentage: 10, aggregation_group_type_index: 0 },
          { aggregation_group_type_index: 0, properties: [] },
        ],
      },
      '{"groups":[{"rollout_percentage":20,"aggregation_group_type_index":0},{"aggregation_group_type_index":0,"properties":[]}]}',
    ],
  ])('keep %s', (_, filters, model, expected) => {
    expect(writeJson(keepFilters(filters, readJsonAsWritten(writtenText(model))))).toBe(expected)
  })

  it('keep the digits of numbers as they were written', () => {
    const model = '{"groups":[{"rollout_percentage":50.0},{"rollout_percentage":1e1}]}'
    const live = { groups: [{ rollout_percentage: 50 }, { rollout_percentage: 20 }] }
    expect(writeJson(keepFilters(live, readJsonAsWritten(model)))).toBe(
      '{"groups":[{"rollout_percentage":50.0},{"rollout_percentage":20}]}',
    )
  })
})

function country(value: Json): JsonObject {
  return { key: 'country', type: 'person', value }
}

function writtenText(value: Json): string {
  return writeJson(value)
}

function groupsOf({ groups = [] }: JsonObject): readonly Json[] {
  return isJsonArray(groups) ? groups : []
}

function meanings(filters: JsonObject): readonly string[] {
  return groupsOf(filters).map(group =>
    JSON.stringify(canonicalFilters({ groups: [JSON.parse(writeJson(group)) as Json] })),
  )
}

function inCondition(filters: JsonObject, members: JsonObject): JsonObject {
  const [first, ...others] = groupsOf(filters)
  return { ...filters, groups: [{ ...(isJsonObject(first) ? first : {}), ...members }, ...others] }
}

/** The paths of the leaves in which two values differ; one that only one of them has is named whole. */
function differing(left: Json, right: Json | undefined, path: string): string[] {
  if (isJsonArray(left) && right !== undefined && isJsonArray(right))
    return keysOf(left, right).flatMap(at =>
      differing(left[Number(at)] as Json, right[Number(at)], `${path}/${at}`),
    )
  if (isJsonObject(left) && isJsonObject(right))
    return keysOf(left, right).flatMap(name => differing(left[name] as Json, right[name], `${path}/${name}`))
  if (left === undefined && isJsonObject(right))
    return Object.keys(right).flatMap(name => differing(left, right[name], `${path}/${name}`))
  return writeJson(left) === writeJson(right) ? [] : [path]
}

function keysOf(left: object, right: object): string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
}
