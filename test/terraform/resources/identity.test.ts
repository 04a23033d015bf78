import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeValue, encodeValue } from '../../../src/hcl/msgpack.ts'
import type { Type } from '../../../src/hcl/values/type.ts'
import { isWhollyKnown, mapMembers, type ObjectValue } from '../../../src/hcl/values/value.ts'
import { declarableKinds } from '../../../src/kinds/index.ts'
import { profiles } from '../../../src/model/connection.ts'
import type { WorldFile } from '../../../src/sandbox/index.ts'
import { typeName } from '../../../src/schema/terraform/terraform-names.ts'
import { providerBlock, resourceBlock } from '../../../src/schema/terraform/terraform-schema.ts'
import type { Block } from '../../../src/terraform/provider.ts'
import { blockSchema } from '../../../src/terraform/session.ts'
import { createVexilProvider } from '../../../src/terraform/vexil-provider.ts'
import { type Service, startService } from '../../support/service.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { told } from '../support/one-resource.ts'
import { type Served, served } from '../support/served.ts'
import { unwire, wire } from '../support/values.ts'

const organization = '01900000-0000-0000-0000-000000000001'
const other = '01900000-0000-0000-0000-000000000002'
const support = '01900000-0000-0000-0000-0000000000aa'
const event = '01900000-0000-0000-0000-0000000000ee'

const project = (id: number, first: number) => ({
  id,
  name: `Project ${id}`,
  feature_flags: [{ id: first, key: 'checkout', role_access: ['support'] }],
  event_definitions: [{ id: event.replace(/.$/, String(id)), name: 'paid' }],
})
const seed: WorldFile = {
  organizations: [
    {
      id: organization,
      name: 'Example',
      roles: [{ id: support, name: 'support' }],
      projects: [project(1, 7), project(2, 9)],
      plugins: [{ id: 3, name: 'GeoIP', plugin_type: 'source' }],
    },
    { id: other, name: 'Other', plugins: [{ id: 4, name: 'GeoIP', plugin_type: 'source' }] },
  ],
}

/** For each kind, an object here and one elsewhere: what tells it apart, and every way in which an import may name it. */
const objects: Readonly<Record<string, readonly { kept: ObjectValue; ways: readonly ObjectValue[] }[]>> = {
  feature_flag: [
    {
      kept: { project_id: '1', id: '7', key: null },
      ways: [{ key: 'checkout' }, { id: '7' }, { project_id: '1', id: '7', key: 'checkout' }],
    },
    { kept: { project_id: '2', id: '9', key: null }, ways: [{ project_id: '2', key: 'checkout' }] },
  ],
  feature_flag_role_access: [
    {
      kept: { project_id: '1', feature_flag_id: '7', flag_key: null, role_id: support },
      ways: [
        { feature_flag_id: '7', role_id: support },
        { flag_key: 'checkout', role_id: support.toUpperCase() },
      ],
    },
    {
      kept: { project_id: '2', feature_flag_id: '9', flag_key: null, role_id: support },
      ways: [{ project_id: '2', feature_flag_id: '9', role_id: support }],
    },
  ],
  plugin: [
    { kept: { organization_id: organization, id: '3', name: null }, ways: [{ id: '3' }, { name: 'GeoIP' }] },
    {
      kept: { organization_id: other, id: '4', name: null },
      ways: [{ organization_id: other, name: 'GeoIP' }],
    },
  ],
  event_definition: [
    {
      kept: { project_id: '1', id: event.replace(/.$/, '1'), name: null },
      ways: [{ name: 'paid' }, { id: event.replace(/.$/, '1') }],
    },
    {
      kept: { project_id: '2', id: event.replace(/.$/, '2'), name: null },
      ways: [{ project_id: '2', name: 'paid' }],
    },
  ],
}

describe.each(profiles)('the identity of every kind, on %s', profile => {
  let service: Service
  let open: Served
  beforeAll(async () => {
    service = await startService({ seed, profile })
    const { env } = service
    open = await served(() => createVexilProvider({ runtime: testRuntime(), env, directory: '/' }))
    const configured = await open.client.call('ConfigureProvider', { config: wire(providerSchema.block, {}) })
    expect(told(configured.diagnostics)).toEqual([])
  })
  afterAll(async () => {
    await open.close()
    await service.close()
  })

  async function typeOf(type_name: string): Promise<Type> {
    const { identity_schemas } = await open.client.call('GetResourceIdentitySchemas', {})
    const attributes = identity_schemas[type_name]?.identity_attributes ?? []
    return ['object', Object.fromEntries(attributes.map(({ name }) => [name, 'string' as const]))]
  }

  async function imported(type_name: string, asked: { id: string } | { identity: ObjectValue }) {
    const type = await typeOf(type_name)
    const complete = (given: ObjectValue) => ({
      ...mapMembers((type as ['object', Record<string, Type>])[1], () => null),
      ...given,
    })
    const request =
      'id' in asked
        ? asked
        : { identity: { identity_data: { msgpack: encodeValue(type, complete(asked.identity)) } } }
    const { imported_resources, diagnostics } = await open.client.call('ImportResourceState', {
      type_name,
      ...request,
    })
    const [found] = imported_resources
    const block = blockOf(type_name)
    const read = await open.client.call('ReadResource', {
      type_name,
      current_state: found?.state,
      private: found?.private,
    })
    return {
      said: told(diagnostics),
      right: identityOf(type, found?.identity),
      after: identityOf(type, read.new_identity),
      state: unwire(block, read.new_state) as ObjectValue,
      kept: read,
      type,
    }
  }

  it('stays when somebody renames a flag', async () => {
    const type_name = typeName('feature_flag')
    const found = await imported(type_name, { id: '7' })
    await service.send('PATCH', '/api/projects/1/feature_flags/7', { key: 'renamed' })
    await open.client.call('ConfigureProvider', { config: wire(providerSchema.block, {}) })
    const { new_state: current_state, private: kept } = found.kept
    const read = await open.client.call('ReadResource', { type_name, current_state, private: kept })
    expect(unwire(blockOf(type_name), read.new_state)).toMatchObject({ key: 'renamed' })
    expect(identityOf(found.type, read.new_identity)).toEqual(found.right)
    await service.send('PATCH', '/api/projects/1/feature_flags/7', { key: 'checkout' })
    await open.client.call('ConfigureProvider', { config: wire(providerSchema.block, {}) })
  })

  it('has an object of every kind to look at', () => {
    expect(Object.keys(objects).sort()).toEqual(declarableKinds.map(({ name }) => name).sort())
  })

  describe.each(declarableKinds)('$name', ({ name }) => {
    const type_name = typeName(name)
    it.each(objects[name]!.flatMap(({ kept, ways }) => ways.map(way => [way, kept] as const)))(
      'is imported as %o, and has the same identity before and after it is read',
      async (way, kept) => {
        const found = await imported(type_name, { identity: way })
        expect([found.said, found.right, found.after]).toEqual([[], kept, kept])
        expect(isWhollyKnown(found.after!)).toBe(true)
      },
    )

    it('is told right after an import by id, for a state without one, and in a plan that changes nothing', async () => {
      const [here] = objects[name]!
      const [way = {}] = here!.ways
      const first = await imported(type_name, { identity: way })
      const id = name === 'feature_flag_role_access' ? `7/${support}` : String(here!.kept.id)
      expect((await imported(type_name, { id })).right).toEqual(here!.kept)
      // What Terraform kept before it knew of identities.
      const read = await open.client.call('ReadResource', {
        type_name,
        current_state: first.kept.new_state,
        private: first.kept.private,
      })
      expect(identityOf(first.type, read.new_identity)).toEqual(here!.kept)
      const block = blockOf(type_name)
      const config = mapMembers(block.attributes, ({ presence }, attribute) =>
        presence === 'computed' ? null : (first.state[attribute] ?? null),
      )
      const planned = await open.client.call('PlanResourceChange', {
        type_name,
        prior_state: read.new_state,
        proposed_new_state: read.new_state,
        config: wire(block, config),
        prior_private: read.private,
      })
      expect([told(planned.diagnostics), identityOf(first.type, planned.planned_identity)]).toEqual([
        [],
        here!.kept,
      ])
    })

    it('that names nothing is an error', async () => {
      const type = await typeOf(type_name)
      const nobody = mapMembers((type as ['object', Record<string, Type>])[1], (_, attribute) =>
        attribute === 'role_id' ? support : null,
      )
      const request = { identity: { identity_data: { msgpack: encodeValue(type, nobody) } } }
      const { imported_resources, diagnostics } = await open.client.call('ImportResourceState', {
        type_name,
        ...request,
      })
      expect(imported_resources).toEqual([])
      expect(told(diagnostics).join()).toMatch(/^error: neither `\w+` nor `\w+` is set: Set one of them\.$/)
    })
  })
})

const providerSchema = blockSchema(providerBlock)

function blockOf(type_name: string): Block {
  const kind = declarableKinds.find(({ name }) => typeName(name) === type_name)
  return blockSchema(resourceBlock(kind!)).block
}

function identityOf(type: Type, sent: { identity_data: { msgpack: Uint8Array } | undefined } | undefined) {
  return sent?.identity_data && (decodeValue(type, sent.identity_data.msgpack) as ObjectValue)
}
