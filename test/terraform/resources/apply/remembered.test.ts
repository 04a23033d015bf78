import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digestOf, shortDigest } from '../../../../src/core/fingerprint.ts'
import { numberFrom } from '../../../../src/model/json/big-num.ts'
import { type Remembered, recall, remember } from '../../../../src/terraform/resources/apply/remembered.ts'
import { decodePrivate, encodePrivate } from '../../../../src/terraform/rpc/private.ts'
import { keptAsTexts } from '../../support/kept-as-texts.ts'

const names = fc.constantFrom('key', 'name', 'active', 'filters', 'tags', 'tags_all', 'payload', 'source')
// Few values, so that the same field often has the same one in both tables.
const digests = fc.dictionary(names, fc.integer({ min: 0, max: 2 }).map(shortDigest), {
  noNullPrototype: true,
})
const base = fc.record({ at: fc.nat(), fields: digests }, { requiredKeys: ['fields'], noNullPrototype: true })
const remembered: fc.Arbitrary<Remembered> = fc.record(
  {
    fingerprint: fc.nat().map(digestOf),
    fields: digests,
    origin: fc.record(
      { name: fc.string(), latest_tag: fc.constantFrom(null, 1, '1') },
      { noNullPrototype: true },
    ),
    pending: fc.record(
      { changeRequest: fc.string(), askedFor: fc.nat().map(shortDigest) },
      { noNullPrototype: true },
    ),
    base,
    isNew: fc.constant(true as const),
  },
  { requiredKeys: ['fields'], noNullPrototype: true },
)

describe('what is remembered beside a state', () => {
  it('is recalled as it was', () => {
    fc.assert(
      fc.property(remembered, each => {
        expect(recall(decodePrivate(encodePrivate(remember(each))))).toEqual(each)
      }),
    )
  })

  it('is recalled from the form before', () => {
    fc.assert(
      fc.property(remembered, each => {
        expect(recall(keptAsTexts(each))).toEqual(each)
      }),
    )
  })

  it('keeps every digit of a number that an adopted object had', () => {
    const origin = { config: { account: numberFrom('12345678901234567890') } }
    expect(recall(decodePrivate(encodePrivate(remember({ fields: {}, origin })))).origin).toEqual(origin)
  })

  it('names each field once where it was applied as it was declared', () => {
    const fields = { key: shortDigest('a'), name: shortDigest('b') }
    const text = JSON.stringify(remember({ fields, base: { at: 1, fields } }))
    expect(text.match(/"name"/g)).toHaveLength(1)
  })

  it.each([
    [{}],
    [{ format: '3', fields: '{"key":"a"}' }],
    [{ format: '1', fields: 'no JSON', base: '[]', origin: '{', pending: '{}' }],
    [{ both: null, live: [], base: 'x', origin: 1, pending: true, fingerprint: 1, new: 'yes' }],
  ])('is nothing where it is of no form: %j', kept => {
    expect(recall(kept)).toEqual({ fields: {} })
  })
})
