import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/model/text/json.ts'
import { worldOf } from '../../support/live-worlds.ts'
import { useService } from '../../support/service.ts'
import { refusalOf, useTerraform } from './play.ts'

const property = (operator: string, value: unknown) => ({ key: 'age', type: 'person', operator, value })
const at = (percent: number, ...properties: object[]) => ({
  groups: [{ properties, rollout_percentage: percent }],
})
const number = at(5, property('gte', 100))
const stranger = at(5, property('soundex', 'x'))
const source = { 'plugin.json': '{"name":"Country"}' }

// What fits a world fits JSON.
const flags = [
  { id: 1, key: 'number', filters: number as JsonObject },
  { id: 2, key: 'stranger', filters: stranger as JsonObject },
]
const seed = worldOf([{ id: 3, name: 'Geo', plugin_type: 'source', source }], { feature_flags: flags })
const service = useService({ seed })
const terraform = useTerraform(service)

describe('what the service holds and would not be sent', () => {
  it.each([
    ['feature_flag', 'number', { key: 'number', filters: JSON.stringify(number) }, []],
    ['feature_flag', 'stranger', { key: 'stranger', filters: JSON.stringify(stranger) }, []],
    [
      'feature_flag',
      'stranger',
      {
        key: 'stranger',
        release: [{ properties: [property('soundex', 'x')], rollout_percentage: 5 }],
      },
      // Said in the state for the first time; the plan sends nothing.
      ['filters', 'release'],
    ],
    ['plugin', 'Geo', { name: 'Geo', plugin_type: 'source', source }, []],
  ])('is imported and planned without a change: %s %s', async (type, id, config, expected) => {
    const { warnings, changes } = await terraform.plan(
      type,
      config as never,
      await terraform.import(type, id),
    )
    expect(warnings).toEqual([])
    expect(changes).toEqual(expected)
  })

  it.each([
    [
      'feature_flag',
      { key: 'new', filters: JSON.stringify(number) },
      'error [filters]: the value of the operator "gte" must be text',
    ],
    [
      'feature_flag',
      { key: 'new', release: [{ rollout_percentage: 150 }] },
      'error [release.0]: 150 is not a percentage',
    ],
    [
      'feature_flag',
      {
        key: 'new',
        release: [{}],
        variants: [{ key: 'a', rollout_percentage: 100, payload: '{' }],
      },
      'error [variants.0]: the payload of "a" is not JSON',
    ],
    [
      'plugin',
      { name: 'New', plugin_type: 'source', source },
      'error [name]: its name differs from the "name" of plugin.json',
    ],
  ])('is a problem of anything new: %s', async (type, config, said) => {
    expect(await refusalOf(() => terraform.plan(type, config as never, null))).toContain(said)
  })

  it('is a problem in filters that are changed elsewhere, where the service refuses to be sent it', async () => {
    const kept = await terraform.import('feature_flag', 'number')
    const config = { key: 'number', filters: JSON.stringify(at(6, property('gte', 100))) }
    expect(await refusalOf(() => terraform.plan('feature_flag', config, kept))).toContain(
      'error [filters]: the value of the operator "gte" must be text | At /groups/0/properties/0/value.',
    )
  })

  it('may stay while the rest is changed, where the service takes it', async () => {
    const kept = await terraform.import('feature_flag', 'stranger')
    const config = { key: 'stranger', filters: JSON.stringify(at(6, property('soundex', 'x'))) }
    expect((await terraform.plan('feature_flag', config, kept)).changes).toEqual(['filters'])
  })

  it('is a problem in a plugin whose own file is to be written', async () => {
    const kept = await terraform.import('plugin', 'Geo')
    const config = { name: 'Geo', plugin_type: 'source', source: { 'plugin.json': '{"name":"Lands"}' } }
    expect(await refusalOf(() => terraform.plan('plugin', config, kept))).toContain(
      'error [name]: its name differs from the "name" of plugin.json',
    )
  })
})
