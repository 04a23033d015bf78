import { afterEach, describe, expect, it } from 'vitest'
import { Secrets } from '../../../src/api/index.ts'
import { memberOf } from '../../../src/hcl/values/value.ts'
import type { Block, ResourceIdentity, ResourceList } from '../../../src/terraform/provider.ts'
import type { Message } from '../../../src/terraform/serve/messages.ts'
import { block, clientOf, closeClient, note, told, type_name } from '../support/one-resource.ts'
import { unwire, wire } from '../support/values.ts'

const config: Block = { attributes: { shelf: { type: 'string', presence: 'optional' } } }
const identity: ResourceIdentity = {
  version: 0,
  attributes: { id: { type: 'string', description: 'Which one.' } },
  of: values => ({ id: memberOf(values, 'id') }),
}

/** A list of so many notes. */
function notes(count: number, changes: Partial<ResourceList> = {}): { readonly list: ResourceList } {
  return {
    list: {
      schema: { version: 0, block: config },
      async *objects(asked) {
        for (let at = 1; at <= count; at += 1)
          yield { name: `${memberOf(asked, 'shelf') ?? 'any'} ${at}`, state: note(String(at)) }
      },
      ...changes,
    },
  }
}

const client = (list: object, changes = {}) => clientOf({ identity, ...list }, changes)
afterEach(closeClient)

async function listed(terraform: Awaited<ReturnType<typeof client>>, request: object = {}) {
  const events: Message<'ListResourceEvent'>[] = []
  for await (const event of terraform.events('ListResource', { type_name, ...request })) events.push(event)
  return events.map(({ display_name, identity: found, resource_object, diagnostic }) =>
    diagnostic.length > 0
      ? told(diagnostic)
      : [
          display_name,
          unwire({ attributes: { id: { type: 'string', presence: 'computed' } } }, found?.identity_data),
          unwire(block, resource_object),
        ],
  )
}

describe('a list of resources', () => {
  it('is announced with what it can be asked for', async () => {
    const terraform = await client(notes(1))
    const { list_resource_schemas } = await terraform.call('GetProviderSchema', {})
    const names = list_resource_schemas[type_name]?.block?.attributes.map(({ name }) => name)
    expect(names).toEqual(['shelf'])
    const { list_resources } = await terraform.call('GetMetadata', {})
    expect(list_resources).toEqual([{ type_name }])
  })

  it('says of each object what it is called and what identifies it', async () => {
    const terraform = await client(notes(2))
    expect(await listed(terraform, { config: wire(config, { shelf: 'top' }) })).toEqual([
      ['top 1', { id: '1' }, undefined],
      ['top 2', { id: '2' }, undefined],
    ])
  })

  it('holds whole objects where they are wanted', async () => {
    const terraform = await client(notes(1))
    expect(await listed(terraform, { include_resource_object: true })).toEqual([
      ['any 1', { id: '1' }, note('1')],
    ])
  })

  it.each([
    [2, 2],
    [0, 3],
    [9, 3],
  ])('with a limit of %i has %i of three objects', async (limit, expected) => {
    expect((await listed(await client(notes(3)), { limit })).length).toBe(expected)
  })

  it('ends with what went wrong', async () => {
    const terraform = await client(
      notes(0, {
        async *objects() {
          yield { name: 'one', state: note('1') }
          throw new Error('the service is away')
        },
      }),
    )
    expect(await listed(terraform)).toEqual([['one', { id: '1' }, undefined], ['error: the service is away']])
  })

  it('of a type without one says so', async () => {
    const terraform = await client({})
    expect(await listed(terraform)).toEqual([['error: the provider has no list of "notes_note"']])
    const { diagnostics } = await terraform.call('ValidateListResourceConfig', { type_name })
    expect(told(diagnostics)).toEqual(['error: the provider has no list of "notes_note"'])
  })

  it('is an error in place of a value that holds the key', async () => {
    const secrets = new Secrets()
    secrets.add('phx_0123456789abcdef')
    const keyed = notes(0, {
      async *objects() {
        yield { name: 'phx_0123456789abcdef', state: note('1') }
      },
    })
    expect(await listed(await client(keyed, { secrets }))).toEqual([
      [expect.stringMatching(/^error: a value contains the service's key in clear text/)],
    ])
  })

  it('is checked before it is asked for', async () => {
    const validate: ResourceList['validate'] = asked => [
      { severity: 'error', summary: `no shelf ${memberOf(asked, 'shelf')}` },
    ]
    const terraform = await client(notes(1, { validate }))
    const { diagnostics } = await terraform.call('ValidateListResourceConfig', {
      type_name,
      config: wire(config, { shelf: 'z' }),
    })
    expect(told(diagnostics)).toEqual(['error: no shelf z'])
  })

  it('is made as it is taken, and no further once nobody listens', async () => {
    let made = 0
    let end = () => {}
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    const endless = notes(0, {
      async *objects() {
        try {
          for (;;) {
            made += 1
            yield { name: 'x'.repeat(64 * 1024), state: note(String(made)) }
          }
        } finally {
          end()
        }
      },
    })
    const terraform = await client(endless)
    const events = terraform.events('ListResource', { type_name })
    await events.next()
    for (let at = 0; at < 20; at += 1) await terraform.call('GetMetadata', {})
    // What either side holds for the other is a few megabytes, which is far from endless.
    expect(made).toBeLessThan(500)
    await events.return(undefined)
    await ended
  })
})
