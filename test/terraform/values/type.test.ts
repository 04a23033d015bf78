import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeType, parseType, type Type, typeText } from '../../../src/terraform/values/type.ts'
import { aType } from '../support/arbitrary-value.ts'

describe('types', () => {
  it('come back from their text', () => {
    fc.assert(
      fc.property(aType, type => {
        expect(parseType(typeText(type))).toEqual(type)
      }),
    )
  })

  it('lose what only concerns conversion', () => {
    expect(parseType('["object",{"a":"string"},["a"]]')).toEqual(['object', { a: 'string' }])
  })

  it.each(['"text"', '["list"]', '["object",[]]', '["tuple",{}]', 'null', '["array","string"]'])(
    '%s is none',
    text => {
      expect(() => parseType(text)).toThrow('is not a type')
    },
  )

  it.each<[Type, string]>([
    ['dynamic', 'any value'],
    [['set', ['list', 'string']], 'set of list of string'],
    [['tuple', ['bool']], 'tuple of 1'],
    [['object', { key: 'string' }], 'object'],
  ])('%j is called "%s"', (type, words) => {
    expect(describeType(type)).toBe(words)
  })
})
