import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { didYouMean } from '../../../src/model/text/names.ts'

describe('didYouMean', () => {
  const fields = ['key', 'name', 'active', 'filters', 'rollout_percentage', 'tags', 'variant']

  it.each([
    ['actve', 'active'],
    ['acitve', 'active'],
    ['ACTIVE', 'active'],
    ['nmae', 'name'],
    ['tag', 'tags'],
    ['kye', 'key'],
    ['filter', 'filters'],
    ['rollout_percent', 'rollout_percentage'],
    ['rolout_precentage', 'rollout_percentage'],
  ])('takes "%s" for "%s"', (word, meant) => {
    expect(didYouMean(word, fields)).toBe(meant)
  })

  it.each(['', 'x', 'kk', 'description', 'percentages_of_people', 'zzzz', 'x'.repeat(100_000)])(
    'does not guess at a word that is far from all',
    word => {
      expect(didYouMean(word, fields)).toBeUndefined()
    },
  )

  it('prefers the nearer candidate, and the first of equally near ones', () => {
    expect(didYouMean('variants', ['variance', 'variant'])).toBe('variant')
    expect(didYouMean('cat', ['bat', 'hat'])).toBe('bat')
  })

  it('never suggests the word itself', () => {
    expect(didYouMean('name', ['name'])).toBeUndefined()
  })

  it('forgives one slip in every word of more than two letters', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,20}$/), fc.nat(), (word, place) => {
        const at = place % word.length
        const slipped = `${word.slice(0, at)}_${word.slice(at + 1)}`
        expect(didYouMean(slipped, [word])).toBe(word)
      }),
    )
  })
})
