import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BigNum } from '../../../src/hcl/json.ts'
import type { Type } from '../../../src/hcl/values/type.ts'
import { isSameValue, isWhollyKnown, Unknown, unknown, type Value } from '../../../src/hcl/values/value.ts'
import { aTypedValue } from '../../terraform/support/arbitrary-value.ts'

const flag: Type = [
  'object',
  { key: 'string', tags: ['set', 'string'], lines: ['list', ['object', { n: 'number' }]] },
]

describe('two values', () => {
  it.each<[string, Type, Value, Value]>([
    ['sets in another order', ['set', 'string'], ['a', 'b'], ['b', 'a', 'b']],
    ['objects in another order', ['map', 'bool'], { a: true, b: false }, { b: false, a: true }],
    [
      'unknowns of which more or less is known',
      'string',
      unknown,
      new Unknown('', undefined, Uint8Array.of(0x80)),
    ],
    ['an attribute that is null or missing', flag, { key: 'a', tags: null, lines: null }, { key: 'a' }],
    ['numbers that were written otherwise', 'number', new BigNum('1e30'), new BigNum('10e29')],
  ])('are the same: %s', (_, type, left, right) => {
    expect(isSameValue(type, left, right)).toBe(true)
  })

  it.each<[string, Type, Value, Value]>([
    ['lists in another order', ['list', 'string'], ['a', 'b'], ['b', 'a']],
    ['null and an empty list', ['list', 'string'], null, []],
    ['null and an unknown', 'string', null, unknown],
    ['text that looks like null', 'string', 'null', null],
    ['text that looks unknown', 'string', 'unknown', unknown],
    [
      'numbers far beyond the exact ones',
      'number',
      new BigNum('9007199254740993'),
      new BigNum('9007199254740992'),
    ],
  ])('are not: %s', (_, type, left, right) => {
    expect(isSameValue(type, left, right)).toBe(false)
  })

  it('are known when nothing in them is open', () => {
    fc.assert(
      fc.property(aTypedValue, ({ value }) => {
        const isOpen = (each: unknown): boolean =>
          each instanceof Unknown ||
          (typeof each === 'object' && each !== null && Object.values(each).some(isOpen))
        expect(isWhollyKnown(value)).toBe(!isOpen(value))
      }),
    )
  })
})
