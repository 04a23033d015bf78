import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BigNum, canonicalDecimal } from '../../../src/hcl/json.ts'
import { isSameJson, type Json } from '../../../src/model/text/json.ts'
import { readJson, writeJson } from '../../../src/model/text/json-text.ts'
import { aNumberText } from '../../support/number-texts.ts'

describe('JSON text', () => {
  it.each<[string, Json]>([
    ['9007199254740993', new BigNum('9007199254740993')],
    ['-9007199254740993', new BigNum('-9007199254740993')],
    ['9007199254740991', 9007199254740991],
    ['{"value":[9007199254740993,7],"key":"id"}', { value: [new BigNum('9007199254740993'), 7], key: 'id' }],
    ['{"text":"1234567890123456789"}', { text: '1234567890123456789' }],
    ['0.12345678901234567890', new BigNum('0.1234567890123456789')],
    ['1234567.1234567890123', new BigNum('1234567.1234567890123')],
    ['0.30000000000000004', 0.30000000000000004],
    ['1e400', new BigNum('1e400')],
    ['[1e22,1e2]', [new BigNum('1e22'), 100]],
    ['{"a":1,"a":1234567890123456789}', { a: new BigNum('1234567890123456789') }],
    [
      '{"__proto__":{"a":123456789012345678}}',
      JSON.parse('{"__proto__":{"a":0}}', (_, one) => one || new BigNum('123456789012345678')),
    ],
  ])('is read without rounding a number: %s', (text, value) => {
    expect(readJson(text)).toEqual(value)
  })

  it('is otherwise what JSON.parse reads, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const text = JSON.stringify({ padding: ' 1234567890123456', value })
        fc.pre(!/\d{16}|e\+/.test(JSON.stringify(value)))
        expect(readJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('is written with the digits that were read, whatever stands around them', () => {
    fc.assert(
      fc.property(aNumberText, fc.jsonValue(), fc.constantFrom(undefined, 2), (digits, value, indent) => {
        const around = JSON.stringify(value)
        const written = writeJson(
          readJson(`{"before":${around},"list":[${digits}],"after":${around}}`),
          indent,
        )
        const [, found = ''] = /"list":\s*\[\s*([^\s\]]*)\s*\],?\s*"after"/.exec(written) ?? []
        expect(canonicalDecimal(found)).toBe(canonicalDecimal(digits))
        expect(
          isSameJson(
            readJson(written),
            readJson(`{"before":${around},"list":[${digits}],"after":${around}}`),
          ),
        ).toBe(true)
      }),
    )
  })

  it('is that of JSON.stringify where every number is a JavaScript number', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        expect(writeJson(value, indent)).toBe(JSON.stringify(value, null, indent))
      }),
    )
  })

  it.each(['', '{', '{"a":12345678901234567', 'undefined', '1e99999999999999999999'])('refuses %j', text => {
    expect(() => readJson(text)).toThrow(SyntaxError)
  })
})
