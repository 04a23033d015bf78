import { describe, expect, it } from 'vitest'
import { getAt, setAt } from '../../../src/model/text/pointer.ts'

const value = { a: { b: [1, { c: 2 }] }, 'x/y': { '~': 3 } }

describe('a JSON pointer', () => {
  it.each([
    ['', value],
    ['/a/b/0', 1],
    ['/a/b/1/c', 2],
    ['/x~1y/~0', 3],
    ['/a/missing', undefined],
    ['/a/b/9', undefined],
    ['/constructor', undefined],
  ])('reads %s', (pointer, expected) => {
    expect(getAt(value, pointer)).toEqual(expected)
  })

  it.each([
    ['/a/b/0', 9, { a: { b: [9, { c: 2 }] }, 'x/y': { '~': 3 } }],
    ['/a/b/2', 9, { a: { b: [1, { c: 2 }, 9] }, 'x/y': { '~': 3 } }],
    ['/a/b/1', undefined, { a: { b: [1] }, 'x/y': { '~': 3 } }],
    ['/a/new', 9, { a: { b: [1, { c: 2 }], new: 9 }, 'x/y': { '~': 3 } }],
    ['/a', undefined, { 'x/y': { '~': 3 } }],
    ['/missing/deep', 9, value],
    ['/a/b/7', 9, value],
  ])('replaces what stands at %s', (pointer, replacement, expected) => {
    expect(setAt(value, pointer, replacement)).toEqual(expected)
    expect(value.a.b).toEqual([1, { c: 2 }])
  })
})
