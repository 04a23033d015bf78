import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sortedUnique, tagSet, trimmedText } from '../../../src/model/canonical.ts'
import type { Json } from '../../../src/model/text/json.ts'

const forms = { labelSet: tagSet, sortedUnique, trimmedText }
const anyJson = fc.jsonValue() as fc.Arbitrary<Json>

describe('a canonical form', () => {
  it.each([
    ['labelSet', [' Shop ', 'shop', 'a'], ['a', 'shop']],
    ['labelSet', null, []],
    ['sortedUnique', ['b', 'a', 'b'], ['a', 'b']],
    ['sortedUnique', [{ toString: false }, 'a', 2], [2, 'a', { toString: false }]],
    ['trimmedText', ' x ', 'x'],
    ['trimmedText', null, ''],
  ] as const)('%s of %j', (form, value, expected) => {
    expect(forms[form](value)).toEqual(expected)
  })

  it.each(Object.keys(forms) as (keyof typeof forms)[])('%s is idempotent, whatever it is given', form => {
    fc.assert(
      fc.property(fc.oneof(anyJson, fc.array(anyJson)), value => {
        const once = forms[form](value as Json)
        expect(forms[form](once)).toEqual(once)
      }),
    )
  })
})
