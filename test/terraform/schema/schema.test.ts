import { describe, expect, it } from 'vitest'
import { completeValue } from '../../../src/terraform/schema/complete.ts'
import { typeOfBlock } from '../../../src/terraform/schema/implied-type.ts'
import type { Block } from '../../../src/terraform/schema/schema.ts'
import { schemaToWire } from '../../../src/terraform/schema/to-wire.ts'
import { unknown } from '../../../src/terraform/values/unknown.ts'
import { decodeMessage } from '../../../src/terraform/wire/decode.ts'
import { encodeMessage } from '../../../src/terraform/wire/encode.ts'

const inner: Block = { attributes: { size: { type: 'number', presence: 'optional' } } }

const block: Block = {
  description: 'a note',
  attributes: {
    id: { type: 'string', presence: 'computed' },
    title: { type: 'string', presence: 'required', description: 'what it is about' },
    colour: { type: 'string', presence: 'optional+computed', deprecated: true },
    password: { type: 'string', presence: 'optional', sensitive: true, writeOnly: true },
    lines: {
      nesting: 'list',
      presence: 'optional',
      attributes: { ...inner.attributes, secret: { type: 'string', presence: 'optional', writeOnly: true } },
    },
    named: { nesting: 'map', presence: 'optional', attributes: inner.attributes },
    one: { nesting: 'single', presence: 'optional', attributes: inner.attributes },
  },
  blocks: {
    many: { nesting: 'list', block: inner, maxItems: 3 },
    some: { nesting: 'set', block: inner, minItems: 1 },
    keyed: { nesting: 'map', block: inner },
    maybe: { nesting: 'single', block: inner },
    always: { nesting: 'group', block: inner },
  },
}

describe('a schema', () => {
  it('implies the type of its values', () => {
    const object = ['object', { size: 'number' }]
    expect(typeOfBlock(block)).toEqual([
      'object',
      {
        id: 'string',
        title: 'string',
        colour: 'string',
        password: 'string',
        lines: ['list', ['object', { size: 'number', secret: 'string' }]],
        named: ['map', object],
        one: object,
        many: ['list', object],
        some: ['set', object],
        keyed: ['map', object],
        maybe: object,
        always: object,
      },
    ])
  })

  it('completes an empty value', () => {
    expect(completeValue(block, {})).toEqual({
      id: null,
      title: null,
      colour: null,
      password: null,
      lines: null,
      named: null,
      one: null,
      many: [],
      some: [],
      keyed: {},
      maybe: null,
      always: { size: null },
    })
  })

  it('completes what is inside, takes out what is only written, and leaves the rest', () => {
    const value = {
      id: unknown,
      title: 'a',
      password: 'secret',
      lines: [{ secret: 'x' }, unknown],
      named: { a: {} },
      one: unknown,
      many: [{}],
      some: unknown,
      keyed: { k: {} },
      maybe: {},
      stray: 1,
    }
    expect(completeValue(block, value)).toEqual({
      id: unknown,
      title: 'a',
      colour: null,
      password: null,
      lines: [{ size: null, secret: null }, unknown],
      named: { a: { size: null } },
      one: unknown,
      many: [{ size: null }],
      some: unknown,
      keyed: { k: { size: null } },
      maybe: { size: null },
      always: { size: null },
      stray: 1,
    })
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
      { ...plain, name: 'colour', type: text, optional: true, computed: true, deprecated: true },
      { ...plain, name: 'password', type: text, optional: true, sensitive: true, write_only: true },
    ])
    const [lines] = read.block?.attributes.slice(4) ?? []
    expect(lines).toMatchObject({ name: 'lines', type: new Uint8Array(), optional: true })
    expect(lines?.nested_type?.nesting).toBe('list')
    expect(lines?.nested_type?.attributes.map(({ name }) => name)).toEqual(['size', 'secret'])
    expect(
      read.block?.block_types.map(each => [each.type_name, each.nesting, each.min_items, each.max_items]),
    ).toEqual([
      ['many', 'list', 0, 3],
      ['some', 'set', 1, 0],
      ['keyed', 'map', 0, 0],
      ['maybe', 'single', 0, 0],
      ['always', 'group', 0, 0],
    ])
  })
})
