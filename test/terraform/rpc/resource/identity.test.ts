import { afterEach, describe, expect, it } from 'vitest'
import { decodeValue, encodeValue } from '../../../../src/hcl/msgpack.ts'
import type { Type } from '../../../../src/hcl/values/type.ts'
import { memberOf, unknown, type Value } from '../../../../src/hcl/values/value.ts'
import type { Resource, ResourceIdentity } from '../../../../src/terraform/provider.ts'
import { block, clientOf, closeClient, note, refuse, told, type_name } from '../../support/one-resource.ts'
import { wire } from '../../support/values.ts'

const type: Type = ['object', { id: 'string', shelf: 'string' }]
const identity: ResourceIdentity = {
  version: 2,
  attributes: {
    id: { type: 'string', description: 'Which one.', required: true },
    shelf: { type: 'string', description: 'Where it is.' },
  },
  of: values => (memberOf(values, 'id') === null ? undefined : { id: memberOf(values, 'id'), shelf: 'top' }),
}

const client = (resource: Partial<Resource> = {}) => clientOf({ identity, ...resource })
afterEach(closeClient)

const asked = (id: string) => ({
  identity_data: { msgpack: encodeValue(type, { id, shelf: 'top' }) },
})

function read(sent: { identity_data: { msgpack: Uint8Array } | undefined } | undefined): Value | undefined {
  return sent?.identity_data && decodeValue(type, sent.identity_data.msgpack)
}

describe('the identity of a resource', () => {
  it('is described apart from its schema', async () => {
    const { identity_schemas } = await (await client()).call('GetResourceIdentitySchemas', {})
    const { version, identity_attributes } = identity_schemas[type_name] ?? {}
    expect(version).toBe(2)
    expect(
      identity_attributes?.map(({ name, type: json, required_for_import, optional_for_import }) => [
        name,
        Buffer.from(json).toString(),
        required_for_import,
        optional_for_import,
      ]),
    ).toEqual([
      ['id', '"string"', true, false],
      ['shelf', '"string"', false, true],
    ])
  })

  it('is not described where there is none', async () => {
    const { identity_schemas } = await (await clientOf({})).call('GetResourceIdentitySchemas', {})
    expect(identity_schemas).toEqual({})
  })

  it('is answered to a read, whether or not Terraform knew it', async () => {
    const terraform = await client()
    for (const current_identity of [undefined, asked('1')]) {
      const current_state = wire(block, note('1'))
      const { new_identity } = await terraform.call('ReadResource', {
        type_name,
        current_state,
        current_identity,
      })
      expect(read(new_identity)).toEqual({ id: '1', shelf: 'top' })
    }
  })

  it('stays as it was where a read fails, and goes with the object', async () => {
    const request = { type_name, current_state: wire(block, note('1')), current_identity: asked('9') }
    const failed = await (await client({ read: refuse })).call('ReadResource', request)
    expect([told(failed.diagnostics).length, read(failed.new_identity)]).toEqual([
      1,
      { id: '9', shelf: 'top' },
    ])
    await closeClient()
    const gone = await (await client({ read: () => ({ state: null }) })).call('ReadResource', request)
    expect(gone.new_identity).toBeUndefined()
  })

  it('is not told while a new object is planned, and known of one that is there', async () => {
    const plan: Resource['plan'] = ({ prior, proposed }) => ({
      planned: { ...proposed, id: prior ? memberOf(prior, 'id') : unknown },
    })
    const terraform = await client({ plan })
    const config = wire(block, { ...note('1'), id: null })
    const created = await terraform.call('PlanResourceChange', {
      type_name,
      proposed_new_state: config,
      config,
    })
    // Terraform would take one with what is unknown, and then fail to show its plan as JSON.
    expect([told(created.diagnostics), created.planned_identity]).toEqual([[], undefined])
    const changed = await terraform.call('PlanResourceChange', {
      type_name,
      prior_state: wire(block, note('1')),
      proposed_new_state: wire(block, note('1', 'b')),
      config: wire(block, { ...note('1', 'b'), id: null }),
    })
    expect([told(changed.diagnostics), read(changed.planned_identity)]).toEqual([
      [],
      { id: '1', shelf: 'top' },
    ])
  })

  it.each([
    ['made', null, () => ({ state: note('1') }), { id: '1', shelf: 'top' }],
    ['changed', note('1', 'old'), () => ({ state: note('1') }), { id: '1', shelf: 'top' }],
    ['not made', null, refuse, undefined],
  ] as const)('is answered when an object was %s', async (_, prior, apply, expected) => {
    const planned = wire(block, { ...note('1'), id: prior ? '1' : unknown })
    const open = { identity_data: { msgpack: encodeValue(type, { id: unknown, shelf: 'top' }) } }
    const { new_identity } = await (await client({ apply })).call('ApplyResourceChange', {
      type_name,
      prior_state: wire(block, prior),
      planned_state: planned,
      config: planned,
      planned_identity: prior ? asked('1') : open,
    })
    expect(read(new_identity)).toEqual(expected)
  })

  it('stays with an object that could not be destroyed, and goes with one that was', async () => {
    const request = { type_name, prior_state: wire(block, note('1')), planned_state: wire(block, null) }
    const diagnostics = [{ severity: 'error', summary: 'no' }] as const
    const kept = await (await client({ apply: () => ({ state: null, diagnostics }) })).call(
      'ApplyResourceChange',
      request,
    )
    expect(read(kept.new_identity)).toEqual({ id: '1', shelf: 'top' })
    await closeClient()
    const gone = await (await client({ apply: () => ({ state: null }) })).call('ApplyResourceChange', request)
    expect([told(gone.diagnostics), gone.new_identity]).toEqual([[], undefined])
  })

  it('imports what it names, and is answered whole', async () => {
    const importByIdentity: Resource['importByIdentity'] = given => ({
      state: { ...note(String(memberOf(given, 'id'))), title: `shelf ${memberOf(given, 'shelf')}` },
    })
    const terraform = await client({ importByIdentity })
    const identity_data = { msgpack: encodeValue(type, { id: '7', shelf: null }) }
    const { imported_resources } = await terraform.call('ImportResourceState', {
      type_name,
      identity: { identity_data },
    })
    expect(imported_resources.map(({ identity: found }) => read(found))).toEqual([{ id: '7', shelf: 'top' }])
  })

  it('is answered right after an import by an id', async () => {
    const terraform = await client({ import: id => ({ state: note(id) }) })
    const { imported_resources } = await terraform.call('ImportResourceState', { type_name, id: '3' })
    expect(imported_resources.map(({ identity: found }) => read(found))).toEqual([{ id: '3', shelf: 'top' }])
  })

  it.each([1, 3])('of another version is refused: %i', async version => {
    const terraform = await client()
    const raw_identity = { json: Buffer.from('{"id":"1","room":"b"}') }
    const { diagnostics } = await terraform.call('UpgradeResourceIdentity', {
      type_name,
      version,
      raw_identity,
    })
    expect(told(diagnostics)).toEqual([
      `error: another version of the provider wrote the identity: it has version ${version}, but this provider supports only 2; use the provider of that version, or remove the object from the state and import it again`,
    ])
  })
})
