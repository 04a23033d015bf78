import { afterEach, describe, expect, it } from 'vitest'
import { BigNum } from '../../../src/hcl/json.ts'
import { decodeValue, encodeValue } from '../../../src/hcl/msgpack.ts'
import { Unknown, unknown } from '../../../src/hcl/values/value.ts'
import type { CurrentState, Diagnostics } from '../../../src/terraform/provider.ts'
import { block, clientOf, closeClient, note, told } from '../support/one-resource.ts'
import { type Served, served } from '../support/served.ts'
import { defineNotes, noteBlock } from '../support/test-provider.ts'
import { unwire, wire } from '../support/values.ts'

const type_name = 'notes_note'
const open: Served[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function notes(): Promise<Served> {
  const each = await served(defineNotes)
  open.push(each)
  return each
}

const kept = (entries: Record<string, string>) => Buffer.from(JSON.stringify(entries))

describe('a provider, called as Terraform calls it', () => {
  it('tells its schema and what it can do', async () => {
    const { client } = await notes()
    const schema = await client.call('GetProviderSchema', {})
    expect(schema.diagnostics).toEqual([])
    expect(schema.server_capabilities).toEqual({
      plan_destroy: false,
      get_provider_schema_optional: true,
      move_resource_state: true,
      generate_resource_config: false,
    })
    expect(Object.keys(schema.resource_schemas)).toEqual(['notes_note'])
    expect(Object.keys(schema.data_source_schemas)).toEqual(['notes_count'])
    expect(Object.keys(schema.functions)).toEqual(['shout'])
    expect(schema.provider?.block?.attributes.map(({ name }) => name)).toEqual(['url', 'key'])
    const metadata = await client.call('GetMetadata', {})
    expect(metadata).toEqual({
      server_capabilities: schema.server_capabilities,
      diagnostics: [],
      data_sources: [{ type_name: 'notes_count' }],
      list_resources: [],
      resources: [{ type_name: 'notes_note' }],
      functions: [{ name: 'shout' }],
      ephemeral_resources: [],
    })
  })

  it('creates, reads, changes and removes a note', async () => {
    const { client } = await notes()
    const config = wire(noteBlock, { title: 'a', labels: ['x'], lines: [{ text: 'one' }] })
    const planned = await client.call('PlanResourceChange', {
      type_name,
      prior_state: wire(noteBlock, null),
      proposed_new_state: config,
      config,
    })
    expect(planned.diagnostics).toEqual([])
    expect(unwire(noteBlock, planned.planned_state)).toEqual({
      id: unknown,
      title: 'a',
      size: null,
      labels: ['x'],
      extra: null,
      secret: null,
      password: null,
      revision: unknown,
      lines: [{ text: 'one', length: unknown }],
    })
    const created = await client.call('ApplyResourceChange', {
      type_name,
      prior_state: wire(noteBlock, null),
      planned_state: planned.planned_state,
      planned_private: planned.planned_private,
      config,
    })
    const state = {
      id: 'note-1',
      title: 'a',
      labels: ['x'],
      revision: 1,
      lines: [{ text: 'one', length: 3 }],
    }
    const whole = { ...state, size: null, extra: null, secret: null, password: null }
    expect(created.diagnostics).toEqual([])
    expect(unwire(noteBlock, created.new_state)).toEqual(whole)
    expect(Buffer.from(created.private)).toEqual(kept({ planned: 'yes', applied: 'yes' }))

    const read = await client.call('ReadResource', {
      type_name,
      current_state: created.new_state,
      private: created.private,
    })
    expect(unwire(noteBlock, read.new_state)).toEqual(whole)
    expect(Buffer.from(read.private)).toEqual(kept({ planned: 'yes', applied: 'yes', read: 'yes' }))

    const again = await client.call('PlanResourceChange', {
      type_name,
      prior_state: read.new_state,
      proposed_new_state: read.new_state,
      config,
      prior_private: read.private,
    })
    expect(unwire(noteBlock, again.planned_state)).toEqual(whole)

    const removed = await client.call('ApplyResourceChange', {
      type_name,
      prior_state: read.new_state,
      planned_state: wire(noteBlock, null),
      config: wire(noteBlock, null),
      planned_private: read.private,
    })
    expect(removed.diagnostics).toEqual([])
    expect(unwire(noteBlock, removed.new_state)).toBe(null)
    expect(removed.private).toEqual(new Uint8Array())
    const gone = await client.call('ReadResource', { type_name, current_state: created.new_state })
    expect(unwire(noteBlock, gone.new_state)).toBe(null)
  })

  it('says which attribute needs a new object', async () => {
    const { client } = await notes()
    const prior = wire(noteBlock, { id: '1', title: 'a', size: 1, revision: 1 })
    const config = wire(noteBlock, { title: 'a', size: 2 })
    const proposed = wire(noteBlock, { id: '1', title: 'a', size: 2, revision: 1 })
    const plan = { type_name, prior_state: prior, proposed_new_state: proposed, config }
    const { requires_replace } = await client.call('PlanResourceChange', plan)
    expect(requires_replace.map(({ steps }) => steps.map(step => step.attribute_name))).toEqual([['size']])
  })

  it('hands on what was kept of an object that is replaced: its destruction is told nothing else', async () => {
    const { client } = await notes()
    const config = wire(noteBlock, { title: 'a' })
    const plan = { type_name, prior_state: wire(noteBlock, null), proposed_new_state: config, config }
    const { planned_private } = await client.call('PlanResourceChange', {
      ...plan,
      prior_private: kept({ applied: 'yes' }),
    })
    expect(Buffer.from(planned_private)).toEqual(kept({ applied: 'yes', planned: 'yes' }))
  })

  it('plans nothing for a removal, and asks nobody who has nothing to say of it', async () => {
    const { client } = await notes()
    const none = wire(noteBlock, null)
    const prior_state = wire(noteBlock, { id: '1', title: 'a' })
    const plan = {
      type_name,
      prior_state,
      proposed_new_state: none,
      config: none,
      prior_private: kept({ a: '1' }),
    }
    const answer = await client.call('PlanResourceChange', plan)
    expect(unwire(noteBlock, answer.planned_state)).toBe(null)
    expect(Buffer.from(answer.planned_private)).toEqual(kept({ a: '1' }))
  })

  it('says of a removal what the resource has to say, and plans it all the same', async () => {
    const asked: CurrentState[] = []
    const planRemoval = (current: CurrentState): Diagnostics => {
      asked.push(current)
      return [{ severity: 'warning', summary: 'it was changed', attribute: ['title'] }]
    }
    const client = await clientOf({ planRemoval })
    const { server_capabilities } = await client.call('GetProviderSchema', {})
    expect(server_capabilities).toMatchObject({ plan_destroy: true })
    const none = wire(block, null)
    const answer = await client.call('PlanResourceChange', {
      type_name,
      prior_state: wire(block, note('1')),
      proposed_new_state: none,
      config: none,
      prior_private: kept({ a: '1' }),
    })
    await closeClient()
    expect(asked).toEqual([{ state: note('1'), private: kept({ a: '1' }) }])
    expect(told(answer.diagnostics)).toEqual(['warning: it was changed'])
    expect(unwire(block, answer.planned_state)).toBe(null)
    expect(Buffer.from(answer.planned_private)).toEqual(kept({ a: '1' }))
  })

  it('keeps numbers and refinements on their way through a plan', async () => {
    const { client } = await notes()
    const extra = {
      n: new BigNum('9007199254740993'),
      p: new Unknown('', undefined, Buffer.from('8101c2', 'hex')),
    }
    const config = wire(noteBlock, { title: 'a', size: new BigNum('1e400'), extra })
    const plan = { type_name, prior_state: wire(noteBlock, null), proposed_new_state: config, config }
    const { planned_state, diagnostics } = await client.call('PlanResourceChange', plan)
    expect(diagnostics).toEqual([])
    expect(unwire(noteBlock, planned_state)).toMatchObject({ size: new BigNum('1e400'), extra })
  })

  it('imports by id', async () => {
    const { client } = await notes()
    const { imported_resources, diagnostics } = await client.call('ImportResourceState', {
      type_name,
      id: '7',
    })
    expect(diagnostics).toEqual([])
    expect(imported_resources.map(each => [each.type_name, unwire(noteBlock, each.state)])).toEqual([
      ['notes_note', expect.objectContaining({ id: '7', title: null })],
    ])
  })

  it('takes over the state of another type', async () => {
    const { client } = await notes()
    const move = {
      source_provider_address: 'terraform.io/builtin/terraform',
      source_type_name: 'terraform_data',
      source_state: { json: Buffer.from('{"id":"9","input":{"value":"moved","type":"string"}}') },
      target_type_name: type_name,
    }
    const moved = await client.call('MoveResourceState', move)
    expect(moved.diagnostics).toEqual([])
    expect(unwire(noteBlock, moved.target_state)).toMatchObject({ id: '9', title: 'moved' })
    const refused = await client.call('MoveResourceState', { ...move, source_type_name: 'other' })
    expect(refused.diagnostics.map(({ summary }) => summary)).toEqual([
      'a "other" of terraform.io/builtin/terraform cannot be moved to "notes_note"',
    ])
  })

  it('reads a data source and calls a function', async () => {
    const { client } = await notes()
    const block = { attributes: { count_of: { type: 'number', presence: 'computed' } } } as const
    const count = await client.call('ReadDataSource', { type_name: 'notes_count', config: wire(block, {}) })
    expect(unwire(block, count.state)).toEqual({ count_of: 0 })
    const texts = (...given: string[]) => ({
      name: 'shout',
      arguments: given.map(text => ({ msgpack: encodeValue('string', text) })),
    })
    const { result } = await client.call('CallFunction', texts('a', 'b', 'c'))
    expect(decodeValue('string', result!.msgpack)).toBe('A B C')
    const { error } = await client.call('CallFunction', texts(''))
    expect(error).toEqual({ text: 'there is nothing to shout', function_argument: 0 })
  })
})
