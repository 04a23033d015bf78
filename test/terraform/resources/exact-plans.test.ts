import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memberOf, type ObjectValue, type Value } from '../../../src/hcl/values/value.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { decodeFilters } from '../../../src/targeting/codec.ts'
import { typedAttributes } from '../../../src/targeting/typed-form.ts'
import { typedPlanned } from '../../../src/terraform/resources/plan-filters.ts'
import { checkPlan } from '../../../src/terraform/serve/plan-and-apply.ts'
import { respelledFilters } from '../../support/respellings.ts'
import { useService } from '../../support/service.ts'
import { type Config, type Kept, useTerraform } from './play.ts'

const service = useService()
const terraform = useTerraform(service)

const flagPath = '/api/projects/1/feature_flags/1'

describe('a plan of typed attributes', () => {
  /** The same release, written in two ways: what Terraform's users say and leave out differs as well. */
  const typedTwice = fc
    .tuple(respelledFilters(false), fc.infiniteStream(fc.boolean()))
    .map(([[one, other], stream]) => {
      const next = () => stream.next().value === true
      return [said(decodeFilters(one), next), said(decodeFilters(other), next)] as const
    })

  it('has nothing to change where both mean the same', () => {
    fc.assert(
      fc.property(typedTwice, ([config, prior]) => {
        const planned = typedPlanned(config, prior)
        const kept = typedAttributes.filter(
          name => memberOf(config, name) !== null && memberOf(prior, name) !== null,
        )
        expect(kept).not.toEqual([])
        for (const name of kept) expect(planned[name]).toBe(prior[name])
        expectLegal(config, prior, planned)
      }),
    )
  })

  it('changes the one percentage that is another one', () => {
    fc.assert(
      fc.property(typedTwice, ([config, prior]) => {
        const changed: ObjectValue = { ...config, release: withPercent(config.release ?? null, 37) }
        const planned = typedPlanned(changed, prior)
        expect(planned.release).toEqual(withPercent(prior.release ?? null, 37))
        expectLegal(changed, prior, planned)
      }),
    )
  })

  function expectLegal(config: ObjectValue, prior: ObjectValue, planned: ObjectValue): void {
    const { block } = terraform.provider.resources.vexil_feature_flag!.schema
    const attributes = Object.fromEntries(typedAttributes.map(name => [name, block.attributes[name]!]))
    expect(checkPlan({ attributes }, { config, prior, planned })).toEqual([])
  }
})

describe('a change that somebody made in the product', () => {
  const text = `{ "multivariate": null,
  "groups": [ { "rollout_percentage": 10.0, "properties": [ { "operator": "exact", "type": "person", "value": ["DE"], "key": "country" } ] },
              { "properties": [], "rollout_percentage": 5 } ],
  "payloads": { "true": "{ \\"b\\": 1,  \\"a\\": [] }" } }`
  const release: Value = [
    {
      properties: [{ key: 'country', type: 'person', operator: 'exact', values: ['DE'] }],
      rollout_percentage: 10,
    },
    { rollout_percentage: 5, properties: [] },
  ]
  const payload = '{ "b": 1,  "a": [] }'
  const live = (percent: number) => ({
    groups: [
      { properties: [{ key: 'country', value: 'DE', type: 'person' }], rollout_percentage: percent },
      { properties: [], rollout_percentage: 5 },
    ],
    payloads: { true: '{"a":[],"b":1}' },
  })

  it('is all that a plan shows of JSON', async () => {
    const config: Config = { key: 'x', filters: text }
    const kept = await terraform.apply('feature_flag', config)
    await service.send('PATCH', flagPath, { filters: live(20) })
    const { state } = (await terraform.read('feature_flag', kept)) as Kept
    const shown = JSON.parse(text) as { groups: { rollout_percentage: number }[] }
    shown.groups[0]!.rollout_percentage = 20
    expect(JSON.parse(String(state.filters))).toEqual(shown)
    expect(String(state.filters)).toContain('"rollout_percentage":20,"properties":[{"operator":"exact"')
  })

  it('is all that a plan shows of typed attributes', async () => {
    const config: Config = { key: 'x', release, payload }
    const kept = await terraform.apply('feature_flag', config)
    await service.send('PATCH', flagPath, { filters: live(20) })
    const read = (await terraform.read('feature_flag', kept)) as Kept
    expect(read.state.release).toEqual(withPercent(kept.state.release ?? null, 20))
    expect(read.state.payload).toBe(payload)
    expect(read.state.filters).toBeNull()
    const { planned } = await terraform.plan('feature_flag', config, read)
    expect(planned).toEqual(kept.state)
  })

  it('leaves nothing of JSON where typed attributes say something else instead', async () => {
    const kept = await terraform.apply('feature_flag', { key: 'x', filters: text })
    const property = { key: 'country', value: 'DE' }
    const config: Config = {
      key: 'x',
      release: [{ properties: [property], rollout_percentage: 10 }],
      payload,
    }
    expect(await terraform.replan('feature_flag', config, kept)).toEqual(['filters', 'payload', 'release'])
    const after = await terraform.apply('feature_flag', config, kept)
    expect(after.state.filters).toBeNull()
    expect(await service.get(flagPath)).toMatchObject({ filters: { groups: [{ rollout_percentage: 10 }] } })
  })
})

describe('another spelling of typed attributes', () => {
  it('plans nothing', async () => {
    const config: Config = { key: 'x', release: [{ properties: [{ key: 'country', value: 'DE' }] }] }
    const kept = await terraform.apply('feature_flag', config)
    const property = { key: 'country', values: ['DE'], type: 'person', operator: 'exact' }
    const other: Config = { key: 'x', release: [{ properties: [property], rollout_percentage: null }] }
    expect(await terraform.replan('feature_flag', other, kept)).toEqual([])
  })
})

/** A typed form in which defaults are said or left out. */
function said(typed: JsonObject, next: () => boolean): JsonObject {
  const release = listOf(typed.release).map(condition => ({
    ...condition,
    properties: isJsonArray(condition.properties ?? null)
      ? listOf(condition.properties).map(property => ({
          ...property,
          type: next() ? 'person' : null,
          operator: property.operator ?? (next() ? 'exact' : null),
        }))
      : null,
  }))
  return { ...typed, release }
}

function listOf(list: Json | undefined): readonly JsonObject[] {
  return isJsonArray(list ?? null) ? (list as readonly Json[]).filter(isJsonObject) : []
}

function withPercent(release: Value, percent: number): Value {
  const [first, ...others] = release as readonly ObjectValue[]
  return [{ ...first, rollout_percentage: percent }, ...others]
}
