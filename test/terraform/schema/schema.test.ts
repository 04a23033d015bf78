import { describe, expect, it } from 'vitest'
import { type Block, typeOfBlock } from '../../../src/terraform/provider.ts'
import { decodeMessage, encodeMessage } from '../../../src/terraform/serve/codec.ts'
import { schemaToWire } from '../../../src/terraform/serve/to-wire.ts'

const block: Block = {
  description: 'a note',
  attributes: {
    id: { type: 'string', presence: 'computed' },
    title: { type: 'string', presence: 'required', description: 'what it is about' },
    colour: { type: 'string', presence: 'optional+computed' },
    password: { type: 'string', presence: 'optional', sensitive: true },
    lines: {
      nesting: 'list',
      presence: 'optional',
      attributes: {
        size: { type: 'number', presence: 'optional' },
        secret: { type: 'string', presence: 'optional' },
      },
    },
  },
}

describe('a schema', () => {
  it('implies the type of its values', () => {
    expect(typeOfBlock(block)).toEqual([
      'object',
      {
        id: 'string',
        title: 'string',
        colour: 'string',
        password: 'string',
        lines: ['list', ['object', { size: 'number', secret: 'string' }]],
      },
    ])
  })

  it('is told to Terraform', () => {
    const read = decodeMessage('Schema', encodeMessage('Schema', schemaToWire({ version: 2, block })))
    const flags = { required: false, optional: false, computed: false, sensitive: false, deprecated: false }
    const plain = {
      ...flags,
      description: '',
      description_kind: 'markdown',
      nested_type: undefined,
      write_only: false,
    }
    const text = Buffer.from('"string"')
    expect(read.version).toBe(2)
    expect(read.block).toMatchObject({ version: 2, description: 'a note', description_kind: 'markdown' })
    expect(read.block?.attributes.slice(0, 4)).toEqual([
      { ...plain, name: 'id', type: text, computed: true },
      { ...plain, name: 'title', type: text, required: true, description: 'what it is about' },
      { ...plain, name: 'colour', type: text, optional: true, computed: true },
      { ...plain, name: 'password', type: text, optional: true, sensitive: true },
    ])
    const [lines] = read.block?.attributes.slice(4) ?? []
    expect(lines).toMatchObject({ name: 'lines', type: new Uint8Array(), optional: true })
    expect(lines?.nested_type?.nesting).toBe('list')
    expect(lines?.nested_type?.attributes.map(({ name }) => name)).toEqual(['size', 'secret'])
  })
})
