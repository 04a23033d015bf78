import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/api/parse-json.ts'

/** A whole number that was written with all its digits and that a double may not hold. */
function isLarge(value: unknown): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(JSON.stringify(value))
}

describe('JSON from the service', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740991', 9007199254740991],
    ['{"value":[9007199254740993,7],"key":"id"}', { value: ['9007199254740993', 7], key: 'id' }],
    ['{"text":"1234567890123456789"}', { text: '1234567890123456789' }],
    ['0.12345678901234567890', 0.12345678901234568],
    ['1e400', Number.POSITIVE_INFINITY],
    ['{"__proto__":{"a":1234567890123456}}', JSON.parse('{"__proto__":{"a":1234567890123456}}')],
  ])('is read without rounding a whole number: %s', (text, value) => {
    expect(parseJson(text)).toEqual(value)
  })

  it('is otherwise what JSON.parse reads, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const padded = { padding: '1234567890123456', value }
        const expected = JSON.parse(JSON.stringify(padded), (_, each) =>
          isLarge(each) ? JSON.stringify(each) : each,
        )
        expect(parseJson(JSON.stringify(padded))).toEqual(expected)
      }),
    )
  })

  it.each(['', '{', '{"a":12345678901234567', 'undefined'])('refuses %j', text => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })
})
