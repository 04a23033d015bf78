import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePrivate, encodePrivate } from '../../../src/terraform/rpc/private.ts'

const text = fc.string({ unit: 'grapheme' })
const entry = fc.oneof(text, fc.integer(), fc.boolean(), fc.dictionary(text, text, { noNullPrototype: true }))

describe('what is kept beside the state', () => {
  it('comes back as it was kept', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), entry, { noNullPrototype: true }), kept => {
        expect(decodePrivate(encodePrivate(kept))).toEqual(kept)
      }),
    )
  })

  it('comes back from the form before, which had texts alone', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), text, { noNullPrototype: true }), entries => {
        expect(decodePrivate(Buffer.from(JSON.stringify({ format: 1, entries })))).toEqual(entries)
      }),
    )
  })

  it('is no byte when there is nothing', () => {
    expect(encodePrivate({})).toEqual(new Uint8Array())
  })

  it.each([
    '',
    'not json',
    '[]',
    'null',
    '{"entries":{}}',
    '{"format":2,"entries":{"a":"1"}}',
    '{"format":1,"entries":[]}',
    '[2]',
    '[2,null]',
    '[2,[]]',
    '[2,{},{}]',
    '[3,{"a":"1"}]',
    '["2",{"a":"1"}]',
  ])('is nothing when the bytes are not ours: %s', text => {
    expect(decodePrivate(Buffer.from(text))).toEqual({})
  })
})
