import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonTextError, readStrictJson } from '../../src/model/strict-json.ts'

describe('JSON text as a person wrote it', () => {
  it('is read as it stands', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        // A minus zero is written without its sign, and large whole numbers are refused.
        const text = JSON.stringify(value)
        fc.pre(!/\d{16}|e\+/.test(text))
        expect(readStrictJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('takes a member that is called as no other', () => {
    expect(Object.entries(readStrictJson('{"__proto__": 1}') as object)).toEqual([['__proto__', 1]])
  })

  it.each([
    ['{', /^it is not JSON: /],
    ['', /^it is not JSON: /],
    ['{"a": 1, "a": 2}', /^it is not JSON: Duplicate key/],
    ['[9007199254740993]', /^the number 9007199254740993 would be rounded on its way; write it as text$/],
    ['1e400', /^the number 1e400 would be rounded on its way; write it as text$/],
    [`${'['.repeat(201)}${']'.repeat(201)}`, /^it is nested too deep$/],
    [`${'['.repeat(100_000)}`, /^it is nested too deep$/],
  ])('is refused where it cannot be sent as it is meant: %s', (text, words) => {
    expect(() => readStrictJson(text)).toThrow(words)
    expect(() => readStrictJson(text)).toThrow(JsonTextError)
  })

  it('shows of a long number only how it begins', () => {
    const told = `the number ${'9'.repeat(40)}… would be rounded on its way; write it as text`
    expect(() => readStrictJson('9'.repeat(5000))).toThrow(told)
  })

  it('may be nested deep', () => {
    expect(() => readStrictJson(`${'['.repeat(200)}${']'.repeat(200)}`)).not.toThrow()
  })
})
