import { describe, expect, it } from 'vitest'
import { emptyWorld, type WorldFile } from '../../src/sandbox/index.ts'
import { useTerraform } from '../acceptance/support/attached.ts'
import { terraform } from '../acceptance/support/binary.ts'
import { synthesized } from './a-stack.ts'
import { shopStack } from './shop-stack.ts'

const open = useTerraform()
const flags = '/api/projects/1/feature_flags'
const plugins = '/api/organizations/01900000-0000-0000-0000-000000000001/plugins'

/** A service that has seen the event, and has the flag of others. */
const seed: WorldFile = {
  ...emptyWorld,
  organizations: emptyWorld.organizations.map(organization => ({
    ...organization,
    projects: [
      {
        id: 1,
        name: 'Production',
        event_definitions: [{ name: 'purchase completed' }],
        feature_flags: [{ key: 'legacy_nav', filters: { groups: [] } }],
      },
    ],
  })),
}

describe.skipIf(!terraform)('a stack of our constructs with the real Terraform', () => {
  it('is applied as it was meant, and then there is nothing to do', async () => {
    // The service's own block for the provider is in another file.
    const { resource, data, variable } = synthesized(shopStack())
    const stack = await open('', { seed })
    const { results: before } = (await stack.service.get(flags)) as { results: { id: number }[] }
    await stack.service.send('POST', `${flags}/${before[0]?.id}/create_static_cohort_for_flag`)
    await stack.write({ 'cdk.tf.json': JSON.stringify({ resource, data, variable }) })
    await stack.apply()
    expect(await stack.plan()).toEqual({})

    const { results } = (await stack.service.get(flags)) as {
      results: { key: string; filters: unknown; id: number }[]
    }
    const filtersOf = (key: string) => results.find(flag => flag.key === key)?.filters
    const checkout = results.find(({ key }) => key === 'checkout_v2')
    expect(checkout?.filters).toEqual({
      groups: [
        {
          properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }],
          variant: 'bold',
        },
        {
          properties: [
            { key: 'country', type: 'person', value: ['DE', 'AT'] },
            { key: 'id', type: 'cohort', value: 1 },
          ],
          rollout_percentage: 12.5,
        },
        { rollout_percentage: 5 },
      ],
      multivariate: {
        variants: [
          { key: 'control', rollout_percentage: 90 },
          { key: 'bold', name: 'Bold headline', rollout_percentage: 10 },
        ],
      },
      payloads: { bold: '{"text":"${name}, hi","steps":5}' },
      aggregation_group_type_index: null,
    })
    expect(filtersOf('search')).toEqual({
      groups: [
        {
          properties: [{ key: 'look', type: 'person', value: [String(checkout?.id)] }],
          description: 'they know the new look',
        },
      ],
      payloads: { true: '[1,2]' },
      multivariate: null,
      aggregation_group_type_index: null,
    })
    // No condition is written as one for nobody, which every service takes for the same.
    expect(filtersOf('nav-v3')).toEqual({
      aggregation_group_type_index: 0,
      groups: [{ properties: [], rollout_percentage: 0 }],
      multivariate: null,
      payloads: {},
    })
    const { results: installed } = (await stack.service.get(plugins)) as { results: { id: number }[] }
    expect(await stack.service.get(`${plugins}/${installed[0]?.id}/source`)).toEqual({
      'index.ts': 'export const say = (name: string) => `%{x} ${name}`\n',
    })
  })
})
