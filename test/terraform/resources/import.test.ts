import { describe, expect, it } from 'vitest'
import { readStrictJson } from '../../../src/hcl/strict-json.ts'
import type { ObjectValue } from '../../../src/hcl/values/value.ts'
import { useService } from '../../support/service.ts'
import { type Config, refusalOf, useTerraform } from './play.ts'

const organization = '01900000-0000-0000-0000-000000000001'
const support = '01900000-0000-0000-0000-0000000000aa'
const half = { groups: [{ properties: [], rollout_percentage: 50 }] }

const service = useService({
  seed: {
    organizations: [
      {
        id: organization,
        name: 'Example',
        roles: [{ id: support, name: 'support' }],
        projects: [
          {
            id: 1,
            name: 'Production',
            feature_flags: [
              {
                id: 7,
                key: 'checkout',
                name: 'Checkout',
                filters: half,
                tags: ['web'],
                role_access: ['support'],
              },
              { id: 8, key: 'a/b', filters: half },
            ],
            event_definitions: [{ name: 'checkout/paid', tags: ['payments'] }],
          },
          { id: 2, name: 'Staging', feature_flags: [{ id: 9, key: 'checkout', filters: half }] },
        ],
        plugins: [{ id: 3, name: 'GeoIP', plugin_type: 'source' }],
      },
    ],
  },
})
const terraform = useTerraform(service)

describe('importing', () => {
  it.each([
    ['feature_flag', '7', { id: '7', project_id: '1', key: 'checkout' }],
    ['feature_flag', 'checkout', { id: '7', project_id: '1', key: 'checkout' }],
    ['feature_flag', '1/checkout', { id: '7', project_id: '1' }],
    ['feature_flag', '2/checkout', { id: '9', project_id: '2' }],
    ['feature_flag', '2/9', { id: '9', project_id: '2' }],
    ['feature_flag', 'a/b', { id: '8', key: 'a/b' }],
    ['feature_flag_role_access', `checkout/${support}`, { id: '1', feature_flag_id: '7', role_id: support }],
    ['feature_flag_role_access', `7/${support.toUpperCase()}`, { id: '1', feature_flag_id: '7' }],
    ['feature_flag_role_access', `1/checkout/${support}`, { id: '1', feature_flag_id: '7', project_id: '1' }],
    ['plugin', 'GeoIP', { id: '3', organization_id: organization }],
    ['plugin', `${organization}/3`, { id: '3', name: 'GeoIP' }],
    ['event_definition', 'checkout/paid', { name: 'checkout/paid', tags: ['payments'], project_id: '1' }],
  ])('a %s by %s', async (type, id, state) => {
    expect((await terraform.import(type, id)).state).toMatchObject(state)
  })

  it('a flag with another mark behind its key says which one there is', async () => {
    const refused = await refusalOf(() => terraform.import('feature_flag', 'checkout#relase'))
    expect(refused).toContain('Only "#release" may follow it.')
  })

  it.each([
    ['feature_flag', 'nowhere', 'there is no flag "nowhere" to import'],
    ['feature_flag', '404', 'there is no flag "404" to import'],
    ['feature_flag_role_access', 'checkout/x', 'there is no grant "checkout/x" to import'],
    ['event_definition', 'unseen', 'there is no event "unseen" to import'],
  ])('a %s that is not there says so: %s', async (type, id, said) => {
    expect(await refusalOf(() => terraform.import(type, id))).toContain(`error: ${said} | Write the id as`)
  })

  it.each(['7', 'checkout', '1/checkout'])('a flag that is soft-deleted says so: %s', async id => {
    await service.send('PATCH', '/api/projects/1/feature_flags/7/', { deleted: true })
    expect(await refusalOf(() => terraform.import('feature_flag', id))).toContain(
      'error: the flag "checkout" (id 7) is soft-deleted | ',
    )
  })

  it('what cannot be an id says that reading failed', async () => {
    expect(await refusalOf(() => terraform.import('feature_flag', '../1'))).toMatch(
      /^error: cannot import flag "..\/1" \| .* \| Reading failed, and nothing was written. /,
    )
  })

  it.each([
    ['feature_flag', 'checkout'],
    ['feature_flag_role_access', `checkout/${support}`],
    ['plugin', 'GeoIP'],
    ['event_definition', 'checkout/paid'],
  ])('a %s gives a configuration that plans nothing', async (type, id) => {
    const kept = await terraform.import(type, id)
    const block = terraform.provider.resources[`vexil_${type}`]?.schema.block.attributes ?? {}
    const generated = Object.fromEntries(
      Object.entries(kept.state).filter(
        ([name, value]) => block[name]?.presence !== 'computed' && value !== null && value !== '',
      ),
    ) as Config
    expect(await terraform.replan(type, generated, kept)).toEqual([])
  })

  it('a flag, and then writing it by hand, plans nothing but the other form', async () => {
    const kept = await terraform.import('feature_flag', 'checkout')
    const config = {
      key: 'checkout',
      name: 'Checkout ',
      release: [{ rollout_percentage: 50 }],
      tags: ['WEB'],
    }
    expect(await terraform.replan('feature_flag', config, kept)).toEqual(['filters', 'release'])
    const { release: _, ...untyped } = config
    const filters = ' {"groups": [{"rollout_percentage": 50, "properties": []}]}'
    expect(await terraform.replan('feature_flag', { ...untyped, filters }, kept)).toEqual([])
  })

  it.each(['7#release', 'checkout#release', '1/7#release', '1/checkout#release'])(
    'a flag by %s fills in the typed form, which then plans nothing',
    async id => {
      const kept = await terraform.import('feature_flag', id)
      expect(kept.state).toMatchObject({ id: '7', rollout_percentage: 50, release: null, filters: null })
      const config = { key: 'checkout', name: 'Checkout', rollout_percentage: 50, tags: ['web'] }
      expect(await terraform.replan('feature_flag', config, kept)).toEqual([])
      const more = { ...config, rollout_percentage: 60 }
      expect(await terraform.replan('feature_flag', more, kept)).toEqual(['rollout_percentage'])
    },
  )

  it('a flag in the typed form says of a condition without anything that it is everybody', async () => {
    const asked = { key: 'country', value: ['DE'], type: 'person', operator: 'exact' }
    const groups = [{ properties: [asked], rollout_percentage: 5 }, { properties: [] }]
    await service.send('PATCH', '/api/projects/1/feature_flags/7', { filters: { groups } })
    const kept = await terraform.import('feature_flag', '7#release')
    expect(kept.state.release).toMatchObject([{ rollout_percentage: 5 }, { rollout_percentage: 100 }])
    const released = (last: Config) => ({
      key: 'checkout',
      release: [{ properties: [{ key: 'country', values: ['DE'] }], rollout_percentage: 5 }, last],
    })
    expect(await terraform.replan('feature_flag', released({ rollout_percentage: 100 }), kept)).toEqual([])
    expect(await terraform.replan('feature_flag', released({}), kept)).toEqual([])
  })

  it('a flag in the typed form fills in filters where that cannot say all of them', async () => {
    const numbers = {
      groups: [{ properties: [{ key: 'age', value: 5, type: 'person', operator: 'exact' }] }],
    }
    await service.send('PATCH', '/api/projects/1/feature_flags/7', { filters: numbers })
    const kept = await terraform.import('feature_flag', '7#release')
    expect(kept.state).toMatchObject({ release: null, filters: expect.stringContaining('age') })
    const config = { key: 'checkout', filters: JSON.stringify(numbers) }
    expect(await terraform.replan('feature_flag', config, kept)).toEqual([])
  })

  it('what is no flag has no typed form', async () => {
    expect(await refusalOf(() => terraform.import('plugin', 'GeoIP#release'))).toContain(
      'there is no plugin "GeoIP#release" to import',
    )
  })

  it.each([
    ['a note', [{ rollout_percentage: 50, description: 'half of them' }]],
    ['another note', [{ rollout_percentage: 50, description: 'fifty' }]],
    ['no note', [{ rollout_percentage: 50 }]],
  ])('a flag whose condition has a note, and then writing it by hand with %s', async (_, release) => {
    await service.send('PATCH', '/api/projects/1/feature_flags/7', {
      filters: { groups: [{ properties: [], rollout_percentage: 50, description: 'half of them' }] },
    })
    const kept = await terraform.import('feature_flag', 'checkout')
    const config = { key: 'checkout', release }
    expect(await terraform.replan('feature_flag', config, kept)).toEqual(['filters', 'release'])
    const after = await terraform.apply('feature_flag', config, kept)
    expect(await terraform.replan('feature_flag', config, after)).toEqual([])
  })
})

describe("another provider's state", () => {
  const resource = () => terraform.provider.resources.vexil_feature_flag!
  const source = {
    provider: 'registry.terraform.io/posthog/posthog',
    type: 'posthog_feature_flag',
    version: 0,
    state: readStrictJson(
      `{"id":7,"key":"checkout","active":true,"filters":${JSON.stringify(JSON.stringify(half))},"rollout_percentage":50}`,
    ),
  }

  it('of a flag is taken over with its id, and plans nothing', async () => {
    const moved = await resource().move?.(source, terraform.context)
    expect(moved?.state).toMatchObject({ id: '7', key: 'checkout', active: true })
    const kept = await terraform.read('feature_flag', {
      state: moved?.state as ObjectValue,
      private: moved?.private ?? new Uint8Array(),
    })
    const config = { key: 'checkout', filters: JSON.stringify(half) }
    expect(kept && (await terraform.replan('feature_flag', config, kept))).toEqual([])
    // What the other provider calls so is beside the filters that it amounts to, and no attribute of ours.
    const share = { key: 'checkout', rollout_percentage: 50 }
    expect(kept && (await terraform.replan('feature_flag', share, kept))).toEqual([
      'filters',
      'rollout_percentage',
    ])
  })

  it('of something else is refused', async () => {
    expect(await resource().move?.({ ...source, type: 'posthog_insight' }, terraform.context)).toBeUndefined()
  })
})
