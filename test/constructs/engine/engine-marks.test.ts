import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenMarkIn, markedForm, markedNumberIn } from '../../../src/constructs/engine/engine-marks.ts'
import { anyText } from '../../support/any-text.ts'

describe('what people write themselves', () => {
  it.each([
    'tftoken',
    'TfTokens',
    'a tf-token',
    'token.0]}',
    '{tf',
    '${Tf} in the middle',
    '${var.TfTokens}',
    '%{if true}%{endif}',
    '100% of {them}',
    'https://example.com/?a=%24%7Bx%7D',
    '-8.1e+29 and 1e+27',
  ])('is no mark, and nothing is left of one in it: %s', text => {
    expect([brokenMarkIn(text), markedNumberIn(text), markedForm(text)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('is no mark, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 2 }), anyText(), (value, text) => {
        expect(brokenMarkIn(text)).toBeUndefined()
        expect(markedForm(value)).toBeUndefined()
      }),
    )
  })

  it.each([5, -5, 0, 1e279, -1e279, Number.MIN_VALUE, Number.NaN])('is a number of its own: %d', number => {
    expect(markedForm(number)).toBeUndefined()
    expect(markedForm([number])).toBeUndefined()
  })
})
