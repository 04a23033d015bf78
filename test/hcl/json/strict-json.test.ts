import fc from 'fast-check'
import { parse } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { BigNum, numberFrom } from '../../../src/hcl/json.ts'
import { JsonTextError, readStrictJson } from '../../../src/hcl/strict-json.ts'

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
    ['\ufeff{}', /^it begins with a byte-order mark \(U\+FEFF\); save its file without one$/],
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

describe('a JSON text that is read the short way', () => {
  const anyNumber = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom(
      '-0',
      '0.1',
      '1.50',
      '9007199254740993',
      '1e5',
      '1E-7',
      '123456789012345',
      '0.30000000000000004',
    ),
  )
  const anyName = fc.constantFrom('a', 'b', '__proto__', 'x:y', 'say "{"', 'back\\slash')
  const { anyText } = fc.letrec<{ anyText: string }>(tie => ({
    anyText: fc.oneof(
      { depthSize: 'small' },
      anyNumber,
      fc.constantFrom('null', 'true', '"-0"', '"a: 1"', '"\\"{"', 'nul', ''),
      fc.array(tie('anyText'), { maxLength: 4 }).map(elements => `[${elements.join(', ')}]`),
      fc
        .array(fc.tuple(anyName, tie('anyText')), { maxLength: 4 })
        .map(members => `{${members.map(([name, text]) => `${JSON.stringify(name)} :${text}`).join(',')}}`),
    ),
  }))

  it('is what the exact reader makes of it, or refused in the same words', () => {
    const readings = { value: 0, refusal: 0 }
    fc.assert(
      fc.property(anyText, text => {
        const [short, exact] = [outcomeOf(() => readStrictJson(text)), outcomeOf(() => exactly(text))]
        readings[exact.is]++
        expect(short).toStrictEqual(exact)
      }),
    )
    expect(Math.min(...Object.values(readings))).toBeGreaterThan(0)
  })
})

/** The reader that takes care of every number and every name. */
function exactly(text: string): unknown {
  return parse(text, undefined, number => numberFrom(number))
}

function outcomeOf(read: () => unknown) {
  try {
    return { is: 'value', value: read() } as const
  } catch (error) {
    return { is: 'refusal', words: String((error as Error).message).replace('it is not JSON: ', '') } as const
  }
}
