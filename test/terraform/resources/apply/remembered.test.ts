import { encode } from '@msgpack/msgpack'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shortDigest } from '../../../../src/core/diff.ts'
import { numberFrom } from '../../../../src/hcl/json.ts'
import { declarableKinds } from '../../../../src/kinds/index.ts'
import { managedFields } from '../../../../src/model/kind.ts'
import type { Json } from '../../../../src/model/text/json.ts'
import {
  fieldCode,
  nothingRemembered,
  type Remembered,
  recall,
  remember,
} from '../../../../src/terraform/resources/remembered.ts'

const names = fc.constantFrom('key', 'name', 'active', 'filters', 'tags', 'tags_all', 'payload', 'source')
// Few values, so that the same field often has the same one in both tables, and some that many fields have.
const values = fc.constantFrom<Json[]>(0, 1, 2, null, false, [])
const digests = fc.dictionary(names, values.map(shortDigest), { noNullPrototype: true })
const base = fc.record({ at: fc.nat(), fields: digests }, { requiredKeys: ['fields'], noNullPrototype: true })
const remembered: fc.Arbitrary<Remembered> = fc.record(
  {
    fingerprint: fc.nat().map(shortDigest),
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

const fields = {
  name: '9ec93ebc1d44',
  key: '40094396cdbd',
  filters: '72d31a007d38',
  active: 'fcbcf165908d',
  tags: 'd973d4b5739c',
  ensure_experience_continuity: 'fcbcf165908d',
  rollback_conditions: '74234e98afe7',
}
const { ensure_experience_continuity: _, rollback_conditions: __, ...declared } = fields
const small: Remembered = {
  fingerprint: '0f1e2d3c4b5a',
  fields,
  base: { at: 1795465807728, fields: declared },
}

describe('what is remembered beside a state', () => {
  it('is recalled as it was', () => {
    fc.assert(
      fc.property(remembered, each => {
        expect(recall(remember(each))).toEqual(each)
      }),
    )
  })

  it('keeps every digit of a number that an adopted object had', () => {
    const origin = { config: { account: numberFrom('12345678901234567890') } }
    expect(recall(remember({ fields: {}, origin })).origin).toEqual(origin)
  })

  it('takes 104 characters of the state of a small flag', () => {
    expect(Buffer.from(remember(small)).toString('base64')).toBe(
      'lgHEBg8eLTxLWs8AAAGiChoHcJrNgqPEBp7JPrwdRM0scMQGQAlDls29zUfixAZy0xoAfTjNlocBzZeMxAbZc9S1c5yUzS4aAc3HdQCQ',
    )
  })

  it('is never no bytes, by which Terraform tells a new object', () => {
    expect(remember(nothingRemembered)).not.toHaveLength(0)
  })

  it('has a code of its own for each field, which no version may change', () => {
    const all = new Set(declarableKinds.flatMap(managedFields))
    expect(new Set([...all].map(fieldCode)).size).toBe(all.size)
  })

  it.each([
    [''],
    ['not json'],
    ['[]'],
    ['null'],
    [encode([])],
    [encode([2, 1, ['key', new Uint8Array(6)], [], []])],
    [encode([1])],
    [encode([1, 'a', 'a', 'a', null, {}, []])],
    [encode([1, new Uint8Array(5), null, [], [], null])],
    [encode([1, null, null, ['key'], [0, 1], null, { origin: '{', pending: {}, new: 1 }])],
    [encode([1, null, null, ['key', 99, 'name', 'x', 1.5, 0], [], null])],
    [remember(small).subarray(0, -1)],
  ])('is nothing where it is of no form: %s', kept => {
    expect(recall(typeof kept === 'string' ? Buffer.from(kept) : kept)).toEqual({ fields: {} })
  })
})
