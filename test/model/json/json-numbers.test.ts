import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalDecimal } from '../../../src/hcl/json.ts'
import { respelledNumbers } from '../../../src/model/text/json-numbers.ts'
import { readJson, writeJson } from '../../../src/model/text/json-text.ts'
import { aNumberText } from '../../support/number-texts.ts'

describe('numbers in a JSON text', () => {
  it('are told where they are sent as another text', () => {
    expect(respelledNumbers('{"a":[1, 2.10, {"b/c": 1e2}], "text": "3.10", "d": -0, "e": 0.5}')).toEqual([
      { pointer: '/a/1', written: '2.10', read: '2.1' },
      { pointer: '/a/2/b~1c', written: '1e2', read: '100' },
      { pointer: '/d', written: '-0', read: '0' },
    ])
  })

  it('are sent digit by digit, or told of', () => {
    fc.assert(
      fc.property(aNumberText, written => {
        const text = `{"value":${written}}`
        const sent = /^\{"value":(.*)\}$/.exec(writeJson(readJson(text)))?.[1]
        const told = respelledNumbers(text)
        expect(canonicalDecimal(sent ?? '')).toBe(canonicalDecimal(written))
        // All the digits in their places say the same to everybody, whether or not the zeros before them are counted.
        if (sent !== written && written !== canonicalDecimal(written)) expect(told).toHaveLength(1)
        for (const { read } of told) expect(read).toBe(sent)
      }),
    )
  })

  it.each(['{', '[1.0', ''])('are none in what is no JSON: %j', text => {
    expect(respelledNumbers(text)).toEqual([])
  })
})
