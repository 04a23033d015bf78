import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BigNum } from '../../../src/model/json/big-num.ts'
import { JsonTextError, readStrictJson } from '../../../src/model/json/strict-json.ts'

describe('JSON text as a person wrote it', () => {
  it('is read as it stands', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        // A minus zero is written without its sign, and large whole numbers are no JavaScript numbers.
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
    [
      '[1e99999999999999999]',
      /^the exponent of the number 1e99999999999999999 is out of range; write it as text$/,
    ],
    [`${'['.repeat(201)}${']'.repeat(201)}`, /^it is nested too deep$/],
    [`${'['.repeat(100_000)}`, /^it is nested too deep$/],
  ])('is refused where it cannot be sent as it is meant: %s', (text, words) => {
    expect(() => readStrictJson(text)).toThrow(words)
    expect(() => readStrictJson(text)).toThrow(JsonTextError)
  })

  it('keeps every digit of a number', () => {
    expect(readStrictJson(`[9007199254740993, 1e400, 1.50]`)).toEqual([
      new BigNum('9007199254740993'),
      new BigNum('1e400'),
      1.5,
    ])
    expect(readStrictJson('9'.repeat(5000))).toEqual(new BigNum('9'.repeat(5000)))
  })

  it('shows of a long number only how it begins', () => {
    const told = `the exponent of the number 1e${'9'.repeat(38)}… is out of range; write it as text`
    expect(() => readStrictJson(`1e${'9'.repeat(5000)}`)).toThrow(told)
  })

  it('may be nested deep', () => {
    expect(() => readStrictJson(`${'['.repeat(200)}${']'.repeat(200)}`)).not.toThrow()
  })
})
