import { afterEach, describe, expect, it } from 'vitest'
import { BigNum } from '../../../src/hcl/json.ts'
import type { Block, Resource } from '../../../src/terraform/provider.ts'
import { providerOf, type Served, served } from '../support/served.ts'
import { unwire } from '../support/values.ts'

const block: Block = {
  attributes: {
    id: { type: 'string', presence: 'computed' },
    size: { type: 'number', presence: 'optional' },
    title: { type: 'string', presence: 'optional' },
  },
}

let open: Served | undefined
afterEach(() => open?.close())

async function upgraded(version: number, json: string, resource: Partial<Resource> = {}) {
  open = await served(() => providerOf({ schema: { version: 2, block }, ...resource }))
  const request = { type_name: 'notes_note', version, raw_state: { json: Buffer.from(json) } }
  const { upgraded_state, diagnostics } = await open.client.call('UpgradeResourceState', request)
  return {
    state: unwire(block, upgraded_state),
    said: diagnostics.map(({ summary, detail }) => [summary, detail]),
  }
}

describe('a state of the same version', () => {
  it('keeps every number as it was written', async () => {
    expect(await upgraded(2, '{"id":"1","size":9007199254740993,"title":null}')).toEqual({
      state: { id: '1', size: new BigNum('9007199254740993'), title: null },
      said: [],
    })
  })

  it('may lack what is new and have what is gone', async () => {
    expect(await upgraded(2, '{"id":"1","old":true}')).toEqual({
      state: { id: '1', size: null, title: null },
      said: [],
    })
  })

  it('is refused with its place where it does not fit', async () => {
    expect(await upgraded(2, '{"id":1}')).toEqual({
      state: undefined,
      said: [
        ['the provider returned a value that does not fit its schema', 'id: a string is needed in the state'],
      ],
    })
  })
})

describe('a state of another version', () => {
  it.each([1, 3])('is refused: %i', async version => {
    expect(await upgraded(version, '{"id":"1"}')).toEqual({
      state: undefined,
      said: [
        [
          'another version of the provider wrote the state',
          `it has version ${version}, but this provider supports only 2; use the provider of that version, or remove the object from the state and import it again`,
        ],
      ],
    })
  })
})
