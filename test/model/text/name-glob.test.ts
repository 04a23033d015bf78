import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNameGlob, nameGlob } from '../../../src/model/text/names.ts'

describe('nameGlob', () => {
  it.each([
    ['checkout_*', 'checkout_v2', true],
    ['checkout_*', 'checkout_', true],
    ['checkout_*', 'old_checkout_v2', false],
    ['*', '$page/view.of (all)\nof us', true],
    ['feature_flag.*', 'feature_flag.a.b', true],
    ['feature_flag.*', 'feature_flag_role_access.a:b', false],
    ['**_v2', 'checkout_v2', true],
    ['flag_?', 'flag_a', true],
    ['flag_?', 'flag_é', true],
    ['flag_?', 'flag_', false],
    ['{checkout,cart}_*', 'cart_v2', true],
    ['{checkout,cart}_*', 'search_v2', false],
    ['{a*,b?}x', 'abcx', true],
    ['{,old_}cart', 'cart', true],
    ['a{b*', 'a{b}', true],
    ['a+(b)*', 'a+(b)', true],
    ['Checkout*', 'checkout', false],
  ])('%s, %j: %s', (glob, name, fits) => {
    expect(nameGlob(glob)(name)).toBe(fits)
  })

  it('fits what it was made of, whatever a star stands for', () => {
    const text = fc.string({ unit: 'grapheme' })
    const plain = text.filter(each => !isNameGlob(each) && !/[{}]/.test(each))
    fc.assert(
      fc.property(plain, text, plain, (before, between, after) => {
        const fits = nameGlob(`${before}*${after}`)
        expect(fits(before + between + after)).toBe(true)
        fc.pre(after !== '' && !`${after}x`.endsWith(after))
        expect(fits(`${before}${between}${after}x`)).toBe(false)
      }),
    )
  })

  it.each(['checkout', 'a{b}', 'a[b]', '', 'checkout:support'])('%j is none', text => {
    expect(isNameGlob(text)).toBe(false)
  })
})
