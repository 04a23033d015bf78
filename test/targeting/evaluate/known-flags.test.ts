import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/model/text/json.ts'
import { flagNames, KnownFlags } from '../../../src/targeting/index.ts'

function flag(key: string, ...names: string[]) {
  return { key, filters: { groups: names.map(name => ({ properties: [{ key: name, type: 'flag' }] })) } }
}

function keysInOrder(flags: ReturnType<typeof flag>[], ...names: string[]): string[] {
  return new KnownFlags(flags).inOrder(names).map(({ key }) => key)
}

describe('the flags that are needed for others', () => {
  it.each<[string, ReturnType<typeof flag>[], string[], string[]]>([
    ['none', [flag('a')], [], []],
    ['one', [flag('a'), flag('b')], ['b'], ['b']],
    ['one that is named twice', [flag('a')], ['a', 'a'], ['a']],
    ['a chain, whatever its order', [flag('c', 'b'), flag('a'), flag('b', 'a')], ['c'], ['a', 'b', 'c']],
    [
      'a diamond',
      [flag('d', 'b', 'c'), flag('b', 'a'), flag('c', 'a'), flag('a')],
      ['d'],
      ['a', 'b', 'c', 'd'],
    ],
    ['what hangs from a circle', [flag('a', 'b'), flag('b', 'a', 'c'), flag('c')], ['a'], ['c', 'a', 'b']],
    ['one that is not there', [flag('a', 'gone')], ['a', 'nowhere'], ['a']],
  ])('are told in the order in which they can be worked out: %s', (_, flags, names, expected) => {
    expect(keysInOrder(flags, ...names)).toEqual(expected)
  })

  it('are none for a flag that is off for everybody', () => {
    const known = new KnownFlags([{ ...flag('b', 'a'), active: false }, flag('a')])
    expect(known.inOrder(['b']).map(({ key }) => key)).toEqual(['b'])
  })

  it.each<[string, string, boolean]>([
    ['a', 'b', true],
    ['b', 'a', true],
    ['c', 'a', false],
    ['c', 'c', true],
    ['unknown', 'a', false],
  ])('know whether %s and %s wait for each other: %s', (waiting, other, expected) => {
    const known = new KnownFlags([flag('a', 'b'), flag('b', 'a'), flag('c', 'a', 'c')])
    expect(known.isCircular(waiting, known.find(other)!)).toBe(expected)
  })
})

describe('flagNames', () => {
  it.each<[Json, string[]]>([
    [null, []],
    [{ groups: 'x' }, []],
    [{ groups: [null, { properties: 'x' }, { properties: [null, { type: 'flag' }, { key: 'a' }] }] }, []],
    [flag('a', 'b', '7').filters, ['b', '7']],
  ])('finds in %j: %j', (filters, names) => {
    expect(flagNames(filters)).toEqual(names)
  })
})
