import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { align } from '../../../src/targeting/compare/align.ts'

const byText = [(text: string) => text]

describe('align', () => {
  it('pairs equals first, then what stands at the same place', () => {
    expect(align(['a', 'b', 'c'], ['c', 'x', 'a', 'y'], byText)).toEqual({
      pairs: [
        { before: 2, after: 0, isMoved: true },
        { before: 1, after: 1, isMoved: true },
        { before: 0, after: 2, isMoved: false },
      ],
      removed: [],
      added: [3],
    })
  })

  it('does not call it a move when others come or go', () => {
    expect(align(['x', 'a', 'b'], ['a', 'n', 'm', 'b'], byText)).toEqual({
      pairs: [
        { before: 1, after: 0, isMoved: false },
        { before: 2, after: 3, isMoved: false },
      ],
      removed: [0],
      added: [1, 2],
    })
  })

  it('pairs repeated elements in their order', () => {
    expect(align(['a', 'a'], ['a', 'a', 'a'], byText)).toEqual({
      pairs: [
        { before: 0, after: 0, isMoved: false },
        { before: 1, after: 1, isMoved: false },
      ],
      removed: [],
      added: [2],
    })
  })

  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 })

  it('accounts for every element once', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { pairs, removed, added } = align(before, after, byText)
        const sorted = (places: number[]) => places.sort((left, right) => left - right)
        expect(sorted([...pairs.map(pair => pair.before), ...removed])).toEqual([...before.keys()])
        expect(sorted([...pairs.map(pair => pair.after), ...added])).toEqual([...after.keys()])
      }),
    )
  })

  it('leaves what has not moved in rising order, and something moved unless all rises', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { pairs } = align(before, after, byText)
        const isRising = (places: number[]) =>
          places.every((place, at) => at === 0 || place > places[at - 1]!)
        const places = (some: typeof pairs) => some.map(pair => pair.before)
        expect(isRising(places(pairs.filter(pair => !pair.isMoved)))).toBe(true)
        expect(pairs.some(pair => pair.isMoved)).toBe(!isRising(places(pairs)))
      }),
    )
  })

  it('pairs as if every key of every element had been asked for', () => {
    const twoKeys = [(text: string) => text, (text: string) => text.toLowerCase()]
    const spelled = fc.array(fc.constantFrom('a', 'A', 'b', 'B', 'c'), { maxLength: 6 })
    fc.assert(
      fc.property(spelled, spelled, (before, after) => {
        const { pairs, removed, added } = align(before, after, twoKeys)
        const partners = pairs.map(pair => [pair.before, pair.after])
        expect(partners.sort()).toEqual(partnersOneByOne(before, after, twoKeys).sort())
        expect(removed.length).toBe(before.length - pairs.length)
        expect(added.length).toBe(after.length - pairs.length)
      }),
    )
  })

  it('asks for no key of what stands as it stood, nor of one element after it', () => {
    const asked: string[] = []
    const key = (text: string) => {
      asked.push(text)
      return text
    }
    const keys = [key]
    align(['a', 'b', 'c'], ['a', 'b', 'x'], keys)
    align(['a', 'b'], ['a', 'b', 'x'], keys)
    expect(asked).toEqual([])
  })
})

/** What the words above say, one element at a time. */
function partnersOneByOne(
  before: readonly string[],
  after: readonly string[],
  keys: readonly ((text: string) => string)[],
): number[][] {
  const partners: number[][] = []
  const isFree = (side: 0 | 1, at: number) => partners.every(pair => pair[side] !== at)
  const pairUp = (isPair: (left: number, right: number) => boolean) => {
    for (const left of before.keys()) {
      const right = [...after.keys()].find(at => isFree(1, at) && isPair(left, at))
      if (isFree(0, left) && right !== undefined) partners.push([left, right])
    }
  }
  for (const key of keys) pairUp((left, right) => key(before[left]!) === key(after[right]!))
  pairUp((left, right) => left === right)
  return partners
}
