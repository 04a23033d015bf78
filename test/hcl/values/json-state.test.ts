import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BigNum } from '../../../src/hcl/json.ts'
import { readStrictJson } from '../../../src/hcl/strict-json.ts'
import { decodeState } from '../../../src/hcl/values/convert.ts'
import type { Type } from '../../../src/hcl/values/type.ts'
import type { Value } from '../../../src/hcl/values/value.ts'
import { canonicalText } from '../../../src/model/text/json.ts'
import { aNumber, aTypedState } from '../../terraform/support/arbitrary-value.ts'
import { stateText } from '../../terraform/support/values.ts'

describe('values in a state file', () => {
  it('come back as they were kept', () => {
    fc.assert(
      fc.property(aTypedState, ({ type, value }) => {
        expect(decodeState(type, stateText(type, value))).toEqual(value)
      }),
    )
  })

  it.each<[string, Type, string, Value]>([
    ['a number that JSON.parse rounds', 'number', '9007199254740993', new BigNum('9007199254740993')],
    ['a number that JSON.parse makes endless', 'number', '1e400', new BigNum('1e400')],
    [
      'a number with many digits',
      'number',
      '3.141592653589793238462643',
      new BigNum('3.141592653589793238462643'),
    ],
    ['an attribute that is new', ['object', { a: 'string', b: 'bool' }], '{"a":"x"}', { a: 'x', b: null }],
    ['an attribute that is gone', ['object', { a: 'string' }], '{"a":"x","old":1}', { a: 'x' }],
  ])('are read: %s', (_, type, text, value) => {
    expect(decodeState(type, text)).toEqual(value)
  })

  it.each<[string, Type, string, string]>([
    ['of another type', ['object', { a: 'string' }], '{"a":1}', 'a: a string is needed in the state'],
    ['that is no JSON', 'string', '{', 'end'],
  ])('are refused: %s', (_, type, text, reason) => {
    expect(() => decodeState(type, text)).toThrow(reason)
  })
})

describe('exact JSON', () => {
  it('keeps every number', () => {
    fc.assert(
      fc.property(aNumber, number => {
        expect(readStrictJson(canonicalText(number))).toEqual(number)
      }),
    )
  })

  it('has one text for one value, whatever the order and the space', () => {
    const texts = [
      '{"b":[1,{"d":null,"c":true}],"a":"x"}',
      ' { "a" : "\\u0078", "b": [1.0, {"c":true,"d":null}] } ',
    ]
    expect(texts.map(text => canonicalText(readStrictJson(text)))).toEqual([
      '{"a":"x","b":[1,{"c":true,"d":null}]}',
      '{"a":"x","b":[1,{"c":true,"d":null}]}',
    ])
  })

  it('tells large numbers apart that JSON.parse calls the same', () => {
    const [left, right] = ['[9007199254740992]', '[9007199254740993]'].map(text =>
      canonicalText(readStrictJson(text)),
    )
    expect([left, right]).toEqual(['[9007199254740992]', '[9007199254740993]'])
  })

  it('refuses a member that stands there twice', () => {
    expect(() => readStrictJson('{"a":1,"a":2}')).toThrow("Duplicate key 'a'")
  })
})
