import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeJson, jsonText } from '../../src/report/format.ts'
import { anyText } from '../support/any-text.ts'

describe('JSON for standard output', () => {
  it('means the same and holds nothing that moves a cursor or turns the reading direction', () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText(), (value, text) => {
        for (const indent of [undefined, 2]) {
          const written = jsonText({ value, text, [text]: 1 }, indent)
          expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify({ value, text, [text]: 1 })))
          expect(written).not.toMatch(/[^\P{Cc}\n]|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u)
        }
      }),
    )
  })

  it('keeps what people write', () => {
    expect(jsonText({ name: 'Übergröße 日本語 👍' })).toBe('{"name":"Übergröße 日本語 👍"}')
    expect(escapeJson('["a\u009b", "\u202e", "\u{e0041}", "\\u001b"]')).toBe(
      '["a\\u009b", "\\u202e", "\\udb40\\udc41", "\\u001b"]',
    )
  })
})
