import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Variants } from '../../../src/constructs/own-constructs.ts'

describe('Variants', () => {
  it('share evenly, the first ones taking what is left of 100', () => {
    expect(Variants.even('a', 'b', 'c').list).toEqual([
      { key: 'a', rollout_percentage: 34 },
      { key: 'b', rollout_percentage: 33 },
      { key: 'c', rollout_percentage: 33 },
    ])
  })

  it('share evenly whatever their number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 150 }), count => {
        const shares = Variants.even(...Array.from({ length: count }, (_, index) => `v${index}`)).list.map(
          ({ rollout_percentage: share }) => share,
        )
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(100)
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('have shares and names', () => {
    expect(Variants.of({ control: 90.5, bold: { share: 9.5, name: 'Bold' } }).list).toEqual([
      { key: 'control', rollout_percentage: 90.5 },
      { key: 'bold', name: 'Bold', rollout_percentage: 9.5 },
    ])
  })

  it('refuse keys that an object would put in another place', () => {
    expect(() => Variants.of({ control: 50, 1: 50 })).toThrow(
      'the variant "1" would not stay in its place: in an object, numbers come first; use Variants.inOrder(...)',
    )
    expect(Variants.inOrder({ key: 'control', share: 50 }, { key: '1', share: 50 }).list).toEqual([
      { key: 'control', rollout_percentage: 50 },
      { key: '1', rollout_percentage: 50 },
    ])
  })

  it('never change', () => {
    const { list } = Variants.even('a', 'b')
    expect(() => Object.assign(list, { 0: list[1] })).toThrow(TypeError)
    expect(() => Object.assign(list[0]!, { key: 'c' })).toThrow(TypeError)
  })
})
