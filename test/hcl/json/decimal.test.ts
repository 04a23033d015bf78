import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalDecimal, exactNumber, isExact } from '../../../src/hcl/json.ts'

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

describe('a number of JavaScript', () => {
  it.each([
    ['0', 0],
    ['-0.0', 0],
    ['0e-99999999999999999999', 0],
    ['1.50', 1.5],
    ['15e-1', 1.5],
    ['-0.1', -0.1],
    ['9007199254740991', 9007199254740991],
  ])('says %s exactly', (text, number) => {
    expect(isExact(text)).toBe(true)
    expect(exactNumber(text)).toBe(number)
  })

  it.each([
    '12345678901234567890',
    '9007199254740993',
    '0.10000000000000000001',
    '1e400',
    '-1e400',
    '1e-400',
    '1e99999999999999999999',
    '1e-99999999999999999999',
  ])('does not say %s', text => {
    expect(isExact(text)).toBe(false)
    expect(exactNumber(text)).toBeUndefined()
  })

  it('that is whole and large stands for its neighbours too', () => {
    expect(isExact('9007199254740992')).toBe(true)
    expect(exactNumber('9007199254740992')).toBeUndefined()
  })

  it('is said exactly by its own text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => {
        expect(isExact(String(number))).toBe(true)
      }),
    )
  })
})
