import { PostHog } from 'posthog-node-5'
import { describe, expect, it } from 'vitest'
import { type FlagServer, type FlagServerOptions, serveFlags } from '../../src/testing/index.ts'
import { folderOfTest } from '../support/folder.ts'

const files = {
  'vexil.yaml': `version: 1
environments:
  staging: { project: "2" }
  production: { project: "1" }
group_types: { company: 0 }
`,
  'flags.yaml': `feature_flags:
  checkout_v2:
    active: true
    variants: { one_page: 0, two_pages: 100 }
    payloads: { one_page: { price: 9 } }
    release: [{ rollout_percentage: 100 }]
    environments: { staging: { active: false } }
  testers_only:
    active: true
    release: [{ properties: [{ key: id, type: cohort, value: 7 }], rollout_percentage: 100 }]
  big_companies:
    active: true
    filters: { aggregation_group_type_index: 0, groups: [{ properties: [{ key: size, type: group, group_type_index: 0, operator: gt, value: "100" }] }] }
  held_out:
    active: true
    filters: { groups: [], holdout: { id: 3, exclusion_percentage: 100 }, feature_enrollment: true }
`,
}
const serve = async (options: FlagServerOptions = {}) =>
  serveFlags({ directory: await folderOfTest(files), environment: 'production', ...options })

async function valuesOf({ url, projectToken, apiKey }: FlagServer, isLocal: boolean) {
  const sdk = new PostHog(projectToken, { host: url, ...(isLocal ? { personalApiKey: apiKey } : {}) })
  if (isLocal) await sdk.reloadFeatureFlags()
  const person = { personProperties: { email: 'eve@corp' }, groups: { company: 'acme' } }
  const values = await sdk.getAllFlags('eve', { ...person, groupProperties: { company: { size: '500' } } })
  await sdk.shutdown()
  return values
}

describe('serveFlags', () => {
  it.each([true, false])('serves one environment, cohorts and groups; locally: %s', async isLocal => {
    const values = [{ key: 'email', type: 'person', operator: 'icontains', value: '@corp' }]
    const cohorts = [{ id: 7, name: 'testers', properties: { type: 'AND', values } }]
    await using flags = await serve({ cohorts })
    expect(await valuesOf(flags, isLocal)).toMatchObject({
      checkout_v2: 'two_pages',
      testers_only: true,
      big_companies: true,
    })
    await using staging = await serve({ environment: 'staging' })
    expect((await valuesOf(staging, isLocal)).checkout_v2 ?? false).toBe(false)
  })

  it('gives everybody a value, whatever else the flag has, until it is reset', async () => {
    await using flags = await serve({ set: { big_companies: false } })
    flags.set('checkout_v2', 'one_page')
    flags.set('held_out', true)
    flags.set('testers_only', true)
    for (const isLocal of [true, false])
      expect(await valuesOf(flags, isLocal)).toMatchObject({
        checkout_v2: 'one_page',
        held_out: true,
        testers_only: true,
      })
    flags.set('checkout_v2', false)
    expect((await valuesOf(flags, true)).checkout_v2).toBe(false)
    flags.reset()
    expect(await valuesOf(flags, true)).toMatchObject({ checkout_v2: 'two_pages', big_companies: false })
  })

  it('keeps servers apart', async () => {
    await using one = await serve()
    await using other = await serve()
    one.set('checkout_v2', 'one_page')
    expect((await valuesOf(one, false)).checkout_v2).toBe('one_page')
    expect((await valuesOf(other, false)).checkout_v2).toBe('two_pages')
  })

  it('returns what SDKs captured, over changes of flags, until it is reset', async () => {
    await using flags = await serve()
    const sdk = new PostHog(flags.projectToken, { host: flags.url })
    sdk.capture({ distinctId: 'eve', event: 'paid', properties: { price: 9 } })
    await sdk.flush()
    flags.set('checkout_v2', 'one_page')
    expect(flags.events()).toEqual([
      { event: 'paid', distinctId: 'eve', properties: expect.objectContaining({ price: 9 }) },
    ])
    flags.reset()
    expect(flags.events()).toEqual([])
    await sdk.shutdown()
  })

  it('refuses an unknown flag, an impossible value, and files with errors', async () => {
    await using flags = await serve()
    expect(() => flags.set('chekout_v2', true)).toThrow('there is no flag "chekout_v2" to set')
    expect(() => flags.set('checkout_v2', true)).toThrow('there are: false, one_page, two_pages')
    expect(await valuesOf(flags, false)).toMatchObject({ checkout_v2: 'two_pages' })
    await expect(serve({ environment: 'prod' })).rejects.toThrow('"prod" is not an environment')
    await expect(serve({ groups: [{ type: 'team', key: 'a' }] })).rejects.toThrow(
      'there is no group type "team" in the project',
    )
  })
})
