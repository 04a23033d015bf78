import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blankText, escapeLines, escapeText } from '../../../src/model/text/printable.ts'
import { anyText } from '../../support/any-text.ts'

describe('text from elsewhere', () => {
  it.each([
    ['plain text, ümläute, 日本語 and 👍', 'plain text, ümläute, 日本語 and 👍'],
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['over\rwritten\b\u0007', 'over\\rwritten\\u0008\\u0007'],
    ['two\nlines\tand a tab', 'two\\nlines\\tand a tab'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['c1 \u009b2J', 'c1 \\u009b2J'],
    ['tag \u{e0041}', 'tag \\ue0041'],
    ['lone \ud800', 'lone \\ud800'],
  ])('is shown without its tricks: %j', (text, shown) => {
    expect(escapeText(text)).toBe(shown)
  })

  it('never brings a control character into a terminal', () => {
    fc.assert(
      fc.property(anyText(), text => {
        expect(escapeText(text)).not.toMatch(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u)
      }),
    )
  })

  it('takes none of the columns away where it blanks', () => {
    expect(blankText('a\u001bb\u202ec\td')).toBe('a b c d')
  })

  it('keeps line ends and tabs where text has several lines', () => {
    expect(escapeLines('a\n\tb\u001b')).toBe('a\n\tb\\u001b')
  })
})
