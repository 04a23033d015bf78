import { describe, expect, it } from 'vitest'
import { convert, impliedTyped } from '../../../src/hcl/values/convert.ts'
import { countOf } from '../../../src/hcl/values/number.ts'
import type { Type } from '../../../src/hcl/values/type.ts'
import {
  elementIn,
  isSame,
  list,
  map,
  membersOf,
  nothing,
  object,
  ofBool,
  ofNumber,
  ofText,
  set,
  type Typed,
  tuple,
  unknownOf,
} from '../../../src/hcl/values/typed.ts'
import { compareTexts } from '../../../src/hcl/values/value.ts'

const one = ofNumber(countOf(1))
const two = ofNumber(countOf(2))
const numbered = (value: Typed) => object([['n', value]])
const ofNumbers: Type = ['object', { n: 'number' }]

/** `tolist([{ a = null }, { a = "x" }])[0]`: its null is a text. */
const ofAList = elementIn(list([object([['a', nothing]])], ['object', { a: 'string' }]), 0) ?? nothing

describe('values with their types', () => {
  it.each<[string, Typed, Typed, boolean]>([
    ['null and null', nothing, nothing, true],
    ['null and a text', nothing, ofText(''), false],
    ['a number and the same text', one, ofText('1'), false],
    ['tuples of the same', tuple([one, nothing]), tuple([one, nothing]), true],
    ['a tuple and a list', tuple([one]), list([one], 'number'), false],
    ['lists in another order', list([one, two], 'number'), list([two, one], 'number'), false],
    ['sets in another order', set([one, two], 'number'), set([two, one], 'number'), true],
    [
      'sets of objects in another order',
      set([numbered(one), numbered(two)], ofNumbers),
      set([numbered(two), numbered(one)], ofNumbers),
      true,
    ],
    ['empty lists of other types', list([], 'number'), list([], 'string'), false],
    [
      'objects written in another order',
      object([
        ['a', one],
        ['b', two],
      ]),
      object([
        ['b', two],
        ['a', one],
      ]),
      true,
    ],
    ['objects with null', object([['a', nothing]]), object([['a', nothing]]), true],
    [
      'an object with a null that was converted, and one with a null that was not',
      convert(object([['a', nothing]]), ['object', { a: 'string' }]),
      object([['a', nothing]]),
      false,
    ],
    ['an object of a list, with null, and one that stands alone', ofAList, object([['a', nothing]]), false],
    ['an object and a map', object([['a', one]]), map([['a', one]], 'number'), false],
  ])('are the same or not: %s', (_, left, right, isTheSame) => {
    expect([isSame(left, right), isSame(right, left)]).toEqual([isTheSame, isTheSame])
  })

  it('have their members in the order of code points, numbers among them', () => {
    const names = ['b', '10', '9', '\u{1f600}', '\uff5e', 'a']
    const made = object(names.map(name => [name, ofBool(true)]))
    expect([...(membersOf(made)?.members.keys() ?? [])]).toEqual(['10', '9', 'a', 'b', '\uff5e', '\u{1f600}'])
    expect([...names].sort(compareTexts)).toEqual(['10', '9', 'a', 'b', '\uff5e', '\u{1f600}'])
  })

  it('keep a member that is called "__proto__"', () => {
    const read = impliedTyped(JSON.parse('{"__proto__":"x"}'))
    expect(read.type).toEqual(['object', JSON.parse('{"__proto__":"string"}')])
    expect([...(membersOf(read)?.members ?? [])]).toEqual([['__proto__', ofText('x')]])
  })

  it('are null where a member may be missing, and refused where not', () => {
    const given = object([['a', one]])
    const wanted = { a: 'string', b: 'bool' } as const
    expect(convert(given, ['object', wanted, ['b']])).toEqual(
      object([
        ['a', ofText('1')],
        ['b', { type: 'bool', plain: null }],
      ]),
    )
    expect(() => convert(given, ['object', wanted])).toThrow('the member "b" is missing')
  })

  it('stay unknown in another type, and come from where they came from', () => {
    const later = unknownOf('number', 'vexil_feature_flag.x.id', { key: 'x', place: 'here' })
    expect(convert(later, 'string')).toEqual(
      unknownOf('string', 'vexil_feature_flag.x.id', { key: 'x', place: 'here' }),
    )
    expect(convert(later, 'bool')).toEqual(unknownOf('bool', 'vexil_feature_flag.x.id'))
  })
})
