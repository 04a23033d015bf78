import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePrivate, encodePrivate } from '../../../src/terraform/rpc/private.ts'

describe('what is kept beside the state', () => {
  it('comes back as it was kept', () => {
    const entries = fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' }), { noNullPrototype: true })
    fc.assert(
      fc.property(entries, kept => {
        expect(decodePrivate(encodePrivate(kept))).toEqual(kept)
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
  ])('is nothing when the bytes are not ours: %s', text => {
    expect(decodePrivate(Buffer.from(text))).toEqual({})
  })
})
