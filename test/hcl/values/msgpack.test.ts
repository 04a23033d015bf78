import { ExtData, encode } from '@msgpack/msgpack'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BigNum } from '../../../src/hcl/json.ts'
import { decodeValue, encodeValue } from '../../../src/hcl/msgpack.ts'
import type { Type } from '../../../src/hcl/values/type.ts'
import { Unknown, unknown, type Value } from '../../../src/hcl/values/value.ts'
import { aTypedValue } from '../../terraform/support/arbitrary-value.ts'

const flag: Type = ['object', { key: 'string', rollout: 'number', tags: ['set', 'string'] }]

describe('values on the wire', () => {
  it('come back as they were sent', () => {
    fc.assert(
      fc.property(aTypedValue, ({ type, value }) => {
        expect(decodeValue(type, encodeValue(type, value))).toEqual(value)
      }),
    )
  })

  it.each([0, 1, 199, 200, 201, 70_000])('keep a byte-order mark before %i letters', length => {
    const text = `\ufeff${'x'.repeat(length)}`
    const value = { key: text, rollout: 0.1, tags: [text, `x${text}`, 'é'] }
    expect(decodeValue(flag, encodeValue(flag, value))).toEqual(value)
    const sent = encode([Buffer.from('"string"'), text])
    expect(decodeValue('dynamic', sent)).toBe(text)
  })

  it.each<[string, Type, Value, unknown]>([
    ['null', 'string', null, null],
    ['a text', 'string', 'a', 'a'],
    ['a whole number', 'number', 7, 7],
    ['a fraction as text', 'number', 0.1, '0.1'],
    ['a large number as text', 'number', new BigNum('9007199254740993'), '9007199254740993'],
    ['an unknown', 'string', unknown, new ExtData(0, Uint8Array.of(0))],
    ['every attribute', flag, { key: 'a' }, { key: 'a', rollout: null, tags: null }],
    ['an empty set', ['set', 'string'], [], []],
  ])('%s', (_, type, value, wire) => {
    expect(Buffer.from(encodeValue(type, value))).toEqual(Buffer.from(encode(wire)))
  })

  it.each<[string, Type, unknown, Value]>([
    ['an integer of 64 bits', 'number', 9007199254740993n, new BigNum('9007199254740993')],
    ['a large one as text', 'number', '18446744073709551615', new BigNum('18446744073709551615')],
    ['a decimal as text', 'number', '0.1', 0.1],
    ['a float', 'number', 0.5, 0.5],
    ['an extension nobody knows', 'number', new ExtData(99, Uint8Array.of(1, 2, 3)), unknown],
    ['the extension that is a date elsewhere', 'string', new ExtData(-1, Uint8Array.of(1)), unknown],
    [
      'what is known of an unknown',
      'string',
      new ExtData(12, Buffer.from('8201c202a2702d', 'hex')),
      new Unknown('', undefined, Uint8Array.from(Buffer.from('8201c202a2702d', 'hex'))),
    ],
    [
      'a member that is unknown',
      flag,
      { key: new ExtData(0, Uint8Array.of(0)), rollout: 1, tags: [new ExtData(0, Uint8Array.of(0)), 'a'] },
      { key: unknown, rollout: 1, tags: [unknown, 'a'] },
    ],
    ['what may be anything', 'dynamic', [Buffer.from('["tuple",["number","bool"]]'), [1, true]], [1, true]],
    ['an unknown that may be anything', 'dynamic', new ExtData(0, Uint8Array.of(0)), unknown],
    ['an unknown of a type', 'dynamic', [Buffer.from('"string"'), new ExtData(0, Uint8Array.of(0))], unknown],
    ['nothing, which may be anything', 'dynamic', null, null],
  ])('are read: %s', (_, type, wire, value) => {
    expect(decodeValue(type, encode(wire, { useBigInt64: true }))).toEqual(value)
  })

  it.each<[string, Type, Value, string]>([
    ['a number for a text', 'string', 1, 'a string is needed'],
    ['a text for a number', 'number', '1', 'a number is needed'],
    ['an endless number', 'number', Number.POSITIVE_INFINITY, 'a number is needed'],
    ['a list for a switch', 'bool', [], 'a bool is needed'],
    ['a text for a list', ['list', 'string'], 'a', 'a list is needed'],
    ['a list for an object', flag, [], 'an object is needed'],
    ['an attribute too many', flag, { kye: 'a' }, 'kye: no such attribute in the schema'],
    ['something deep inside', ['list', flag], [{ tags: [{}] }], '[0].tags[0]: a string is needed'],
    ['something in a map', ['map', 'bool'], { 'a b': 1 }, '["a b"]: a bool is needed'],
  ])('are refused where they do not fit: %s', (_, type, value, reason) => {
    expect(() => encodeValue(type, value)).toThrow(reason)
  })
})
