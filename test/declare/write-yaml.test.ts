import fc from 'fast-check'
import { CORE_SCHEMA, load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseYaml } from '../../src/declare/parse.ts'
import { writeYaml } from '../../src/declare/write-yaml.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { oddJson, oddName, oddText } from '../support/live-worlds.ts'

/** What each reader makes of a text; the newer version of YAML and the older one, with and without merge keys. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'this house': text => parseYaml(text, 'flags.yaml').value,
  yaml: text => parse(text),
  'yaml, version 1.1': text => parse(text, { version: '1.1' }),
  'yaml, merging': text => parse(text, { merge: true }),
  'js-yaml': text => load(text),
  'js-yaml, core schema': text => load(text, { schema: CORE_SCHEMA }),
}

function expectRead(value: JsonObject): void {
  const text = writeYaml(value, 'schema.json')
  const read = Object.entries(readers).map(([name, reader]) => [name, reader(text)])
  expect(read).toEqual(Object.keys(readers).map(name => [name, value]))
}

describe('YAML that was written', () => {
  it.each([
    ['a line end and a dash in a list', ['-\na', 'b']],
    ['lines that start blank in a list', ['', '\na \nb']],
    ['a blank before several lines', ' \n\n'],
    ['a long line before a line end', `${'word '.repeat(20)}\n\n>`],
    ['a control character between lines', 'a\n\u0007'],
    ['a carriage return between lines', 'a\r\nb\n'],
    ['a key of two lines', { 'a\n- b': 1 }],
    ['a very long key', { ['y'.repeat(5000)]: 1 }],
    ['merge keys and numbers as keys', { '<<': { a: 1 }, '1e3': 1, '0x1F': 2, null: 3, '2024-01-01': 4 }],
  ])('is read by every reader as what it was: %s', (_, value) => {
    expectRead({ feature_flags: { a: { value } } })
  })

  it('keeps the lines of ordinary texts', () => {
    expect(writeYaml({ a: 'first\n  second\n', b: ['one', 'two\nlines'] }, 's')).toBe(
      '# yaml-language-server: $schema=s\n\na: |\n  first\n    second\nb:\n  - one\n  - |-\n    two\n    lines\n',
    )
  })

  it('is read by every reader as what it was, whatever texts it holds', () => {
    const value = fc.oneof(oddJson, oddText, fc.array(oddText, { maxLength: 3 }))
    const section = fc.dictionary(oddName, fc.dictionary(oddText, value, options), options)
    fc.assert(
      fc.property(section, feature_flags => expectRead({ feature_flags })),
      { numRuns: 600 },
    )
  })
})

const options = { maxKeys: 3, noNullPrototype: true }
