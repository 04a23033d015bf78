import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BigNum, canonicalDecimal, numberFrom, numberFromFloat, numberText } from '../../../src/hcl/json.ts'

describe('a number from its text', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['0.1', 0.1],
    ['0.5', 0.5],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['1e-20', 1e-20],
  ])('%s is a number of JavaScript', (text, number) => {
    expect(numberFrom(text)).toBe(number)
  })

  it.each([
    '9007199254740992',
    '9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
    '9223372036854775808',
    '18446744073709551616',
    '1e400',
    '1e-400',
    '0.1000000000000000055511151231257827',
    '3.1415926535897932384626433832795028841971693993751',
  ])('%s is not', text => {
    expect(numberFrom(text)).toEqual(new BigNum(text))
  })

  it('says what was written', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: -400, max: 400 }), (digits, exponent) => {
        const text = `${digits}e${exponent}`
        expect(numberText(numberFrom(text))).toBe(canonicalDecimal(text))
      }),
    )
  })
})

describe('a number from a float', () => {
  it.each([
    [0.5, 0.5],
    [-0, 0],
    [2 ** 53, new BigNum('9007199254740992')],
    [2 ** 70, new BigNum('1180591620717411303424')],
    [0.1, 0.1],
  ])('%d is %s', (float, number) => {
    expect(numberFromFloat(float)).toEqual(number)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is none', float => {
    expect(() => numberFromFloat(float)).toThrow('a number must be finite')
  })
})
