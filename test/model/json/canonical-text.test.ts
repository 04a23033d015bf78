import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BigNum } from '../../../src/hcl/json.ts'
import { canonicalText, isJsonArray, isJsonObject, type Json } from '../../../src/model/text/json.ts'
import { readJson } from '../../../src/model/text/json-text.ts'

/** What the text is by definition: members sorted by code unit, no white space, numbers with all their digits. */
function textByParts(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(textByParts).join(',')}]`
  if (value instanceof BigNum) return value.text
  if (!isJsonObject(value)) return JSON.stringify(value)
  const names = Object.keys(value).sort()
  return `{${names.map(name => `${JSON.stringify(name)}:${textByParts(value[name] as Json)}`).join(',')}}`
}

const names = fc.oneof(fc.string(), fc.constantFrom('10', '9', '-1', '1a', '01', '__proto__', 'toJSON', ''))
const { json } = fc.letrec<{ json: Json }>(tie => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 0, -0, 1.5, 1e-7, 9007199254740991, readJson('12345678901234567890')),
    fc.string({ unit: 'binary' }),
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .array(fc.tuple(names, tie('json')), { maxLength: 5 })
      .map(members => Object.fromEntries(members) as Json),
  ),
}))

describe('canonicalText', () => {
  it('is the text of the parts, in the order of their names', () => {
    fc.assert(
      fc.property(json, value => {
        expect(canonicalText(value)).toBe(textByParts(value))
      }),
    )
  })

  it.each<[string, Json, string]>([
    ['names that are numbers', { b: 1, 9: 1, 10: 1 }, '{"10":1,"9":1,"b":1}'],
    [
      'a name that is not a member of other objects',
      readJson('{"a": 1, "__proto__": 2}'),
      '{"__proto__":2,"a":1}',
    ],
    ['a large number that is no BigNum', { id: 1e21 }, '{"id":1000000000000000000000}'],
    [
      'a number that no double says',
      readJson('{"b": [1.10], "a": 12345678901234567890}'),
      '{"a":12345678901234567890,"b":[1.1]}',
    ],
  ])('holds %s', (_, value, text) => {
    expect(canonicalText(value)).toBe(text)
  })
})
