import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/model/text/json.ts'
import { writeYaml } from '../../../src/yaml/write/split-files.ts'
import { oddJson, oddName, oddText } from '../../support/live-worlds.ts'
import { expectSameReading } from '../../support/yaml-readers.ts'

function expectRead(value: JsonObject): void {
  expectSameReading(writeYaml(value, 'schema.json'), value)
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
    fc.assert(fc.property(section, feature_flags => expectRead({ feature_flags })))
  })
})

const options = { maxKeys: 3, noNullPrototype: true }
