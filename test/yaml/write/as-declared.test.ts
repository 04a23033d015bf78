import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { asDeclared } from '../../../src/yaml/write/declaration-of.ts'

const flag = (filters: Json, more: JsonObject = {}) =>
  asDeclared({ kind: 'feature_flag', identity: 'a', id: '1', fields: { active: true, filters, ...more } })
const nested = (levels: number): Json => (levels === 0 ? 1 : [nested(levels - 1)])

describe('the declaration of what is live', () => {
  it.each<[string, Json, Json, string[]]>([
    [
      'says broken rules as they are',
      { groups: [{ properties: [{ key: 'a', type: 'person', operator: 'gte', value: 100 }] }] },
      { groups: [{ properties: [{ key: 'a', type: 'person', operator: 'gte', value: 100 }] }] },
      [],
    ],
    [
      'leaves slips to the service',
      { groups: [{ rollout_precentage: 10, rollout_percentage: 5 }], variants: [1] },
      { groups: [{ rollout_percentage: 5 }] },
      ['/filters/groups/0/rollout_precentage'],
    ],
    [
      'leaves a slip to the service where nothing else stands',
      { groups: [], multivariate: { variant: 1 } },
      { groups: [], multivariate: {} },
      ['/filters/multivariate/variant'],
    ],
    [
      'leaves names to the service that no key can be',
      { groups: [{}], payloads: { true: '1', constructor: '{"a": 1}' } },
      { groups: [{}], payloads: { true: '1' } },
      ['/filters/payloads/constructor'],
    ],
  ])('%s', (_, live, filters, ignore) => {
    expect(flag(live)).toEqual({ fields: { active: true, filters }, ignore })
  })

  it.each<[string, Json, string]>([
    ['conditions that are no list', { groups: 'all' }, 'groups must be a list'],
    ['filters that are a list', [1], 'its filters are not an object'],
    [
      'values that are nested too deep',
      { groups: [], payloads: { true: nested(220) } },
      'its values are nested more than 196 levels deep',
    ],
  ])('is not written for %s', (_, live, reason) => {
    expect(flag(live)).toEqual({ reason })
  })

  it('does not name fields whose values no declaration takes', () => {
    const fields = { plugin_type: 'inline', description: 'Adds a country', config_schema: 'none' }
    expect(asDeclared({ kind: 'plugin', identity: 'p', id: '1', fields })).toEqual({
      fields: { description: 'Adds a country' },
      ignore: [],
    })
  })
})
