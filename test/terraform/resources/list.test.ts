import { afterEach, describe, expect, it } from 'vitest'
import { decodeValue, encodeValue } from '../../../src/hcl/msgpack.ts'
import { mapMembers, type ObjectValue } from '../../../src/hcl/values/value.ts'
import { declarableKinds } from '../../../src/kinds/index.ts'
import { type Profile, profiles } from '../../../src/model/connection.ts'
import type { WorldFile } from '../../../src/sandbox/index.ts'
import { identityAttributes } from '../../../src/schema/terraform/terraform-identity.ts'
import { typeName } from '../../../src/schema/terraform/terraform-names.ts'
import {
  listedKinds,
  listResourceBlock,
  providerBlock,
  resourceBlock,
} from '../../../src/schema/terraform/terraform-schema.ts'
import { blockSchema } from '../../../src/terraform/session.ts'
import { createVexilProvider } from '../../../src/terraform/vexil-provider.ts'
import { type Service, startService } from '../../support/service.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { told } from '../support/one-resource.ts'
import { type Served, served } from '../support/served.ts'
import { unwire, wire } from '../support/values.ts'

const organization = '01900000-0000-0000-0000-000000000001'
const support = '01900000-0000-0000-0000-0000000000aa'
const manyFlags = 250

const seed: WorldFile = {
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
            { id: 1001, key: 'checkout', tags: ['web'], active: true, role_access: ['support'] },
            { id: 1002, key: 'dark', active: false },
            { id: 1003, key: 'gone', deleted: true },
          ],
          event_definitions: [{ name: 'paid', tags: ['money'] }, { name: 'seen' }],
        },
        {
          id: 2,
          name: 'Many',
          feature_flags: Array.from({ length: manyFlags }, (_, at) => ({ id: at + 1, key: `flag-${at}` })),
        },
      ],
      plugins: [
        { id: 3, name: 'GeoIP', plugin_type: 'source' },
        { id: 4, name: 'Clock', plugin_type: 'source' },
      ],
    },
  ],
}

let service: Service
let open: Served
afterEach(async () => {
  await open.close()
  await service.close()
})

async function onService(profile: Profile) {
  service = await startService({ seed, profile })
  const { env } = service
  open = await served(() => createVexilProvider({ runtime: testRuntime(), env, directory: '/' }))
  const config = wire(blockSchema(providerBlock).block, {})
  expect(told((await open.client.call('ConfigureProvider', { config })).diagnostics)).toEqual([])
}

const kindOf = (name: string) => declarableKinds.find(kind => kind.name === name)!

/** What a list answers, as `terraform query` shows it. */
async function listed(name: string, asked: ObjectValue, more: { limit?: number; isWhole?: boolean } = {}) {
  const kind = kindOf(name)
  const events = open.client.events('ListResource', {
    type_name: typeName(name),
    config: wire(blockSchema(listResourceBlock(kind)).block, asked),
    limit: more.limit ?? 100,
    include_resource_object: more.isWhole ?? false,
  })
  const type = ['object', mapMembers(identityAttributes(kind), () => 'string' as const)] as const
  const found: { name: string; identity: ObjectValue; state: ObjectValue; said: string[] }[] = []
  for await (const { display_name, identity, resource_object, diagnostic } of events) {
    found.push({
      name: display_name,
      identity: (identity?.identity_data && decodeValue(type, identity.identity_data.msgpack)) as ObjectValue,
      state: unwire(blockSchema(resourceBlock(kind)).block, resource_object) as ObjectValue,
      said: told(diagnostic),
    })
  }
  return found
}

const namesOf = async (name: string, asked: ObjectValue) =>
  (await listed(name, asked)).map(each => each.name).sort()

describe.each(profiles)('lists of resources, on %s', profile => {
  it.each<[string, ObjectValue, readonly string[]]>([
    ['feature_flag', {}, ['checkout', 'dark']],
    ['feature_flag', { tags: ['Web'] }, ['checkout']],
    ['feature_flag', { active: false }, ['dark']],
    ['feature_flag', { search: 'DAR' }, ['dark']],
    [
      'feature_flag',
      { project_id: '2', search: 'flag-24' },
      ['flag-24', ...Array.from({ length: 10 }, (_, at) => `flag-24${at}`)],
    ],
    ['feature_flag_role_access', { feature_flag_id: '1001' }, ['support']],
    ['feature_flag_role_access', { flag_key: 'checkout' }, ['support']],
    ['feature_flag_role_access', { flag_key: 'dark' }, []],
    ['plugin', {}, ['Clock', 'GeoIP']],
    ['plugin', { search: 'geo' }, ['GeoIP']],
    ['event_definition', {}, ['paid', 'seen']],
    ['event_definition', { tags: ['money'] }, ['paid']],
  ])('hold of %s that are asked for as %o', async (name, asked, expected) => {
    await onService(profile)
    // Rows of grants with levels name roles by id alone.
    const said = (each: string) => (profile === 'posthog-2026' && each === 'support' ? support : each)
    expect(await namesOf(name, asked)).toEqual(expected.map(said))
  })

  it('are there for every kind, and each object in them is imported by its identity as it is shown', async () => {
    await onService(profile)
    expect(listedKinds.map(({ name }) => name)).toEqual(declarableKinds.map(({ name }) => name))
    for (const kind of listedKinds) {
      const asked: ObjectValue = kind.lifecycle.parent ? { flag_key: 'checkout' } : {}
      const found = await listed(kind.name, asked, { isWhole: true })
      expect(found.length, kind.name).toBeGreaterThan(0)
      for (const { identity, state } of found) {
        const type_name = typeName(kind.name)
        const type = ['object', mapMembers(identity, () => 'string' as const)] as const
        const identity_data = { msgpack: encodeValue(type, identity) }
        const { imported_resources } = await open.client.call('ImportResourceState', {
          type_name,
          identity: { identity_data },
        })
        const [first] = imported_resources
        const read = await open.client.call('ReadResource', {
          type_name,
          current_state: first?.state,
          private: first?.private,
        })
        const { block } = blockSchema(resourceBlock(kind))
        expect(unwire(block, read.new_state)).toEqual(state)
      }
    }
  })
})

describe('a list of many', () => {
  it('reads no more pages than are taken', async () => {
    await onService('documented')
    const pages = async (limit: number) => {
      const { result, requests } = await service.watch(() =>
        listed('feature_flag', { project_id: '2' }, { limit }),
      )
      return [result.length, requests.length]
    }
    expect(await pages(10)).toEqual([10, 1])
    expect((await pages(1000))[0]).toBe(manyFlags)
  })

  it('says what it lacks, and why it breaks off', async () => {
    await onService('documented')
    const [missing] = await listed('feature_flag_role_access', {})
    expect(missing?.said).toEqual([
      'error: neither `feature_flag_id` nor `flag_key` is set: Set one of them.',
    ])
    const [away] = await listed('feature_flag', { project_id: '404' })
    expect(away?.said.join()).toMatch(/^error: cannot list flags: .*404/)
  })

  it('is refused before it is asked for where nothing says whose grants are meant', async () => {
    await onService('documented')
    const kind = kindOf('feature_flag_role_access')
    const { block } = blockSchema(listResourceBlock(kind))
    const validate = async (asked: ObjectValue) =>
      told(
        (
          await open.client.call('ValidateListResourceConfig', {
            type_name: typeName(kind.name),
            config: wire(block, asked),
          })
        ).diagnostics,
      )
    expect(await validate({ flag_key: 'checkout' })).toEqual([])
    expect(await validate({})).toEqual([
      'error: neither `feature_flag_id` nor `flag_key` is set: Set one of them.',
    ])
  })
})
