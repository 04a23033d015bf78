import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BigNum, numberFrom, numberFromFloat, numberText } from '../../../src/terraform/values/big-num.ts'
import { canonicalDecimal } from '../../../src/terraform/values/decimal.ts'

describe('the text of a number', () => {
  it.each([
    ['0', '0'],
    ['-0.000', '0'],
    ['007', '7'],
    ['+1.50', '1.5'],
    ['.5', '0.5'],
    ['1e3', '1000'],
    ['1E+3', '1000'],
    ['12.5e-1', '1.25'],
    ['100e-2', '1'],
    ['1e400', '1e400'],
    ['-1.2e400', '-1.2e400'],
    ['1e-20', '0.00000000000000000001'],
    ['1e-30', '1e-30'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    [
      '3.14159265358979323846264338327950288419716939937510',
      '3.1415926535897932384626433832795028841971693993751',
    ],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalDecimal(text)).toBe(canonical)
  })

  it.each(['', '-', 'e5', 'abc', '1e', '0x10', 'NaN', 'Infinity', '1e99999999999999999999'])(
    '%j is none',
    text => {
      expect(() => canonicalDecimal(text)).toThrow(RangeError)
    },
  )

  it('is the same when read once more', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: -200, max: 200 }), (digits, exponent) => {
        const once = canonicalDecimal(`${digits}e${exponent}`)
        expect(canonicalDecimal(once)).toBe(once)
      }),
    )
  })

  it('is one for every way of writing a number', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat(30), fc.integer({ min: -50, max: 50 }), (digits, zeros, exponent) => {
        const longer = `${digits}${'0'.repeat(zeros)}e${exponent - zeros}`
        expect(canonicalDecimal(longer)).toBe(canonicalDecimal(`${digits}e${exponent}`))
      }),
    )
  })
})

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
