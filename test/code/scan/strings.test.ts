import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanned } from './scan.ts'

const keys = ['checkout', 'checkout_v2', 'dark-mode']

describe('a key in a text', () => {
  it.each([
    ['double quotes', 'a.ts', 'const KEY = "checkout"', ['1:14 string checkout']],
    ['escaped quotes', 'a.json', '{"a": "{\\"checkout\\":1}"}', ['1:11 string checkout']],
    ['several', 'a.ts', "['checkout', 'checkout_v2']", ['1:3 string checkout', '1:15 string checkout_v2']],
    ['behind other signs', 'a.ts', "/* größe 🎉 */ 'dark-mode'", ['1:17 string dark-mode']],
    ['a byte order mark', 'a.ts', "\uFEFF'checkout'", ['1:2 string checkout']],
    ['lines of Windows', 'a.ts', "a\r\n  'checkout'\r\n", ['2:4 string checkout']],
    ['part of a longer key', 'a.ts', "'checkout_v3' 'my-checkout' 'checkout.a'", []],
    ['a name in code', 'a.ts', 'checkout(cart.checkout)', []],
    [
      'YAML',
      'a.yaml',
      'flag: checkout\nlist:\n  - dark-mode\n  - [checkout_v2, a]',
      ['1:7 string checkout', '3:5 string dark-mode', '4:6 string checkout_v2'],
    ],
    ['a key of YAML', 'a.yaml', 'checkout: 1\nnote: the checkout page', []],
    [
      'variables',
      '.env.local',
      'FLAG=checkout\nFLAGS=a,checkout_v2',
      ['1:6 string checkout', '2:9 string checkout_v2'],
    ],
    ['XML', 'a.xml', '<string name="flag">checkout</string>', ['1:21 string checkout']],
  ])('is found: %s', (_, name, text, found) => {
    expect(scanned(name, text, keys)).toEqual(found)
  })

  it('is found wherever it stands, and nothing else is', () => {
    const filling = fc.array(
      fc.constantFrom(
        ' ',
        '\n',
        'é',
        '🎉',
        'checkout',
        '"',
        "'",
        '-',
        '_v2',
        'dark-mode',
        '"checkout"',
        'a.b(',
      ),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(filling, pieces => {
        const text = pieces.join('')
        const expected = [...text.matchAll(/(?<=(["'`]))(checkout|checkout_v2|dark-mode)(?=\1)/g)].map(
          ({ 0: key, index }) => {
            const before = text.slice(0, index).split('\n')
            return `${before.length}:${(before.at(-1)?.length ?? 0) + 1} string ${key}`
          },
        )
        expect(scanned('a.ts', text, keys)).toEqual(expected)
      }),
    )
  })
})
