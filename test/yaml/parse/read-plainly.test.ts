import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compose, outlineOf } from '../../../src/yaml/read/compose.ts'
import { parseYaml, readPlainly } from '../../../src/yaml/read/parse-yaml.ts'
import { writeYaml } from '../../../src/yaml/write/split-files.ts'
import { rounds } from '../../support/rounds.ts'
import { anyYaml, anyYamlish, anyYamlValue } from '../../support/yaml-texts.ts'

/** Requires that what is read plainly is read so by the library, in every respect; answers whether it was. */
function requireSame(text: string): boolean {
  const plain = readPlainly(text)
  if (plain === undefined) return false
  const { value, problems, root } = compose(text)
  expect(problems, text).toEqual([])
  // Also in the order of the members.
  expect(JSON.stringify(plain.value), text).toBe(JSON.stringify(value))
  expect(plain.value, text).toStrictEqual(value)
  expect(sorted(plain.outline), text).toEqual(sorted(outlineOf(root)))
  return true
}

function sorted(outline: ReadonlyMap<string, number>) {
  return [...outline].sort(([left], [right]) => (left < right ? -1 : 1))
}

const flags = `# Flags of a team
feature_flags:
  checkout_v2:   # the new one
    name: 'It''s new: really'
    active: true
    filters:
      groups:
      - properties:
          - { key: $country, value: [DE, AT, "C\\"H"], type: person, }
          -
            key: version
            value: 1.2.3
        rollout_percentage: 12.5

      - rollout_percentage: 0 # nobody
    tags: [a-b, "x # y", 2024-01-31, a:b, -1, http://example.com/#top]
    note:
  dark-mode: { ensure: absent }
  Grüße 😀: {}
feature_flag_role_access:
  - { flag: search, role: support }
  - flag: dark-mode
    role: growth
plugins: {}
include: [a.yaml, "b c.yaml"]
x-empty: []
x: null
`

describe('readPlainly', () => {
  it.each([
    flags,
    // Keys and values that are kept in one place.
    'axbyc: [azbyc, axbyc, axbwc]\nazbyc: axbyc\n',
    `---\n${flags}`,
    flags.trimEnd(),
    'a: 1',
    'a:\n- b\n- c',
    'a:\n  - b: 1\n    c: 2\n  - d\ne: f  \n',
    'true: a\nnull: b\n007: c\n1.0: d',
    'a: -1\nb: x - y\nc: (x)\nd: /x',
    "a: ''\nb: \"\"\nc: '\"'",
    'a: "\\n\\t\\\\\\/"',
    'a: b:c',
  ])('takes %j', text => {
    expect(requireSame(text)).toBe(true)
  })

  it.each([
    [''],
    ['a: -x'],
    ['# nothing'],
    ['- a'],
    ['a'],
    [' a: 1'],
    ['a: 1\r\nb: 2'],
    ['a:\tb'],
    ['a: &x 1\nb: *x'],
    ['a: !!str 1'],
    ['a: |\n  b'],
    ['a: b\n  c'],
    ['a: "b\n  c"'],
    ['a: [b,\n  c]'],
    ['a: [b, , c]'],
    ['a: [b: c]'],
    ['a: [b]c'],
    ['a: "b" c'],
    ['a: "b"#c'],
    ['a: {b}'],
    ['a: {b: }'],
    ['a: {b:c}'],
    ['a: b: c'],
    ['a: b:'],
    ['a : b'],
    ['"a": b'],
    ['? a\n: b'],
    ['a: 1\na: 2'],
    ['a: {b: 1, b: 2}'],
    ['constructor: 1'],
    ['<<: {a: 1}'],
    ['a: 1\n---\nb: 2'],
    ['a: 1\n...\n'],
    ['%YAML 1.2\n---\na: 1'],
    ['a: True'],
    ['a: ~'],
    ['a: 007'],
    ['a: 2.10'],
    ['a: 1e3'],
    ['a: 12345678901234567890'],
    ['a: .inf'],
    ['a: -.inf'],
    ['a: "\\ud800"'],
    ['a: "\\x41"'],
    ['a: \ud800'],
    ['a: b\u2028c'],
    ['\ufeffa: 1'],
    ['a:\n  - b\n c: d'],
    ['a:\n  b: 1\n c: 2'],
    ['a:\n  -\n  - b'],
    ['a:\n  - - b'],
    ['a: - b'],
    ['a: @b'],
    ['a: `b`'],
    ['a: 1\nb'],
    ['a: [b'],
    [`a: ${'['.repeat(50)}${']'.repeat(50)}`],
  ])('leaves %j to the library', text => {
    expect(readPlainly(text)).toBeUndefined()
  })

  it('takes what an export writes of flags', () => {
    const groups = [{ properties: [{ key: 'a', value: ['DE'] }], rollout_percentage: 5 }]
    const value = { feature_flags: { one: { name: 'One, of: two', active: true, filters: { groups } } } }
    expect(requireSame(writeYaml(value, 'schema.json'))).toBe(true)
  })

  it('refuses as much in one file as the library does', () => {
    const text = 'a:\n'.padEnd(2_000_010, '\n')
    expect(readPlainly(text)).toBeDefined()
    expect(parseYaml(text, 'f').problems).toMatchObject([{ code: 'too-many-values' }])
  })

  it('says where everything else stands that is asked for', () => {
    const { locate, textAt } = parseYaml('a:\n  b:\n    c: [1, 2]\n', 'f')
    expect(locate('/a/b/c/1')).toEqual({ file: 'f', line: 3, column: 12 })
    expect(textAt('/a/b/c/1')).toBe('2')
  })
})

describe('the library and readPlainly', () => {
  it('agree about whatever a program writes', () => {
    const taken = { count: 0 }
    fc.assert(
      fc.property(anyYaml(anyYamlValue), text => {
        if (requireSame(`root:\n  a: ${JSON.stringify(text)}\n`)) taken.count += 1
        if (requireSame(text)) taken.count += 1
      }),
    )
    expect(taken.count).toBeGreaterThan(10)
  })

  it('agree about texts that are put together at random', () => {
    let taken = 0
    fc.assert(
      fc.property(anyYamlish, text => {
        if (requireSame(text)) taken += 1
      }),
    )
    expect(taken).toBeGreaterThan(rounds() / 1500)
  })

  it('agree about files in which a character was put in, taken out or doubled', () => {
    let taken = 0
    const characters = fc.constantFrom(
      ...' \n:-#,[]{}"\'\\&*!|>%@`~?$.019aé\t',
      '\n  ',
      ': ',
      '- ',
      ' #',
      '\u{1f600}',
    )
    const edit = fc.record({
      at: fc.nat(flags.length),
      cut: fc.nat(3),
      put: fc.option(characters, { nil: '' }),
    })
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), edits => {
        const text = edits.reduce(
          (before, { at, cut, put }) => before.slice(0, at) + put + before.slice(at + cut),
          flags,
        )
        if (requireSame(text)) taken += 1
      }),
    )
    expect(taken).toBeGreaterThan(10)
  })
})
