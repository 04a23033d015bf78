import { expect, it } from 'vitest'
import { featureFlag } from '../../src/kinds/feature-flag.ts'
import { isTooLong } from '../../src/rules/check-field.ts'

it.each<[string, string, boolean]>([
  ['as many characters as the service takes', 'a'.repeat(400), false],
  ['one more', 'a'.repeat(401), true],
  ['blanks around them, which the service takes off', ` ${'a'.repeat(400)}\n`, false],
  ['characters that are two in JavaScript', '\u{1f600}'.repeat(400), false],
  ['one more of those', '\u{1f600}'.repeat(401), true],
])('a key of %s', (_, key, tooLong) => {
  expect(isTooLong(featureFlag.fields.key, key)).toBe(tooLong)
})
