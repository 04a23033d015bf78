import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TypedFlag } from '../../../src/code/typed-flag.ts'
import { folderOfTest } from '../../support/folder.ts'
import { languages, writeAll } from './languages.ts'
import { shopFlags } from './shop-flags.ts'

const key = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/),
  fc.constantFrom(
    'class',
    '__proto__',
    'constructor',
    'flag',
    'variant',
    'flag_variant',
    'a',
    'A',
    'a-',
    'a_payload',
    'None',
    '_',
    'self',
    'mro',
    'a_variant_b',
  ),
)
const word = fc.oneof(
  fc.string({ maxLength: 6, unit: 'binary' }).filter(text => !/\p{Surrogate}/u.test(text)),
  fc.constantFrom('a', 'class', '__b', 'a-b', '"', '`', '\\', '\u2028', '*/', '\u202e', '\u{e0041}'),
)
const payload = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    word,
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(word, tie('value'), { maxKeys: 3 }),
  ),
})).value
const schema = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'null') }),
    fc.record({
      enum: fc.uniqueArray(fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.constant(1.5)), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    fc.record({ type: fc.constant('array'), items: tie('value') }),
    fc.record({ anyOf: fc.array(tie('value'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(word, tie('value'), { maxKeys: 3 }),
      required: fc.array(word, { maxLength: 2 }),
    }),
    fc.constant({ $ref: '#' }),
  ),
})).value as fc.Arbitrary<TypedFlag['schemas'][number]>
const flag: fc.Arbitrary<TypedFlag> = fc.record(
  {
    key,
    name: word,
    variants: fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9_ .-]{1,8}$/), { maxLength: 3 }),
    payloads: fc.array(payload as fc.Arbitrary<TypedFlag['payloads'][number]>, { maxLength: 2 }),
    schemas: fc.array(schema, { maxLength: 1 }),
  },
  { requiredKeys: ['key', 'variants', 'payloads', 'schemas'] },
)
const repository = fc.uniqueArray(flag, { selector: each => each.key, maxLength: 8 })

const wrong: Readonly<Record<string, string>> = {
  'flags.ts': 'const a: string = 1',
  'flags.py': 'def (',
  'flags.go': 'package flags\n\nvar a string = 1\n',
}

describe('typed keys', () => {
  it.each(languages)(
    'are accepted by the compiler, whatever flags are called: $title',
    async language => {
      if (!(await language.isThere())) {
        console.warn(`${language.title} is not at hand: nothing was compiled`)
        return
      }
      const folder = await folderOfTest({})
      const repositories = [shopFlags, [], ...fc.sample(repository, { numRuns: 60, seed: 14 })]
      expect(repositories.flat().length).toBeGreaterThan(100)
      await writeAll(folder, language, repositories)
      await language.compile(folder)
      // The compiler looks at what is there.
      await writeFile(join(folder, 'r0', language.file), wrong[language.file] ?? '')
      await expect(language.compile(folder)).rejects.toThrow()
    },
    120_000,
  )

  it.each(languages)('do not depend on the order of flags: $title', ({ write }) => {
    fc.assert(
      fc.property(repository, flags => {
        const sorted = (text: string) => text.split('\n').sort().join('\n')
        expect(sorted(write([...flags].reverse()).text)).toBe(sorted(write(flags).text))
        expect(write(flags)).toEqual(write(flags))
      }),
    )
  })

  it.each(languages)('hold nothing that an editor hides or shows as something else: $title', ({ write }) => {
    const hidden =
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/
    fc.assert(
      fc.property(repository, flags => {
        expect(write(flags).text).not.toMatch(hidden)
      }),
    )
  })

  it.each(languages)('are what they were: $title', async ({ write, file }) => {
    const { text, notes } = write(shopFlags)
    await expect(text).toMatchFileSnapshot(`golden/${file}.txt`)
    expect(notes.length).toBeGreaterThanOrEqual(2)
    expect(notes.join('\n')).toContain('"checkout-v2" is ')
  })
})
