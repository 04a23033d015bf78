import { describe, expect, it } from 'vitest'
import { parseYaml } from '../../../src/yaml/read/parse-yaml.ts'

/** The problems of a file that is refused, each as its place with its code, its message and its hint. */
function refusalsOf(text: string) {
  const { value, problems } = parseYaml(text, 'flags.yaml')
  expect(value).toBeUndefined()
  return problems.map(({ code, severity, message, hint, source, ...more }) => {
    expect({ severity, file: source?.file, more }).toEqual({
      severity: 'error',
      file: 'flags.yaml',
      more: {},
    })
    return [`${source?.line}:${source?.column} ${code}`, message, ...(hint === undefined ? [] : [hint])]
  })
}

describe('parseYaml', () => {
  it.each([
    ['', null],
    ['# nothing but a comment\n', null],
    ['~', null],
    ['a: no\nb: yes\nc: on\nd: y', { a: 'no', b: 'yes', c: 'on', d: 'y' }],
    ['a: true\nb: null\nc: ~\nd:', { a: true, b: null, c: null, d: null }],
    [
      'true: a\nnull: b\n~: c\n1.0: d\n007: e\n1e3: f',
      { true: 'a', null: 'b', '~': 'c', '1.0': 'd', '007': 'e', '1e3': 'f' },
    ],
    ['a: 2020-01-01', { a: '2020-01-01' }],
    ['a: 9007199254740991', { a: 9007199254740991 }],
    ['a: "\\uD83D\\uDE00"', { a: '😀' }],
    ['a: !!str 5', { a: '5' }],
    ['a: &x { k: 1 }\nb: *x', { a: { k: 1 }, b: { k: 1 } }],
    ['a: &x { k: 1, l: 2 }\nb: { <<: *x, l: 3 }', { a: { k: 1, l: 2 }, b: { k: 1, l: 3 } }],
    [
      'a: &x { k: 1 }\nb: &y { k: 2, m: 3 }\nc: { <<: [*x, *y] }',
      { a: { k: 1 }, b: { k: 2, m: 3 }, c: { k: 1, m: 3 } },
    ],
    ['a: |\n  one\n  two\nb: >\n  one\n  two\n', { a: 'one\ntwo\n', b: 'one two\n' }],
    ['\ufeffa: 1', { a: 1 }],
    ['a: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
  ])('reads %j', (text, value) => {
    expect(parseYaml(text, 'flags.yaml')).toMatchObject({ value, problems: [] })
  })

  it.each<[text: string, at: string, message: string, hint?: string]>([
    [
      'a: 1\n---\nb: 2',
      '3:1 several-documents',
      'a file can contain only one document',
      'move the part after "---" into another file',
    ],
    ['a: &x [*x]', '1:8 recursive-alias', '"*x" is inside the value that it names'],
    [
      'a: &audience 1\nb: *audiense',
      '2:4 unknown-alias',
      'there is no anchor "audiense" above',
      'did you mean "*audience"?',
    ],
    [
      '? [a]\n: b',
      '1:3 complex-key',
      'a key must be text',
      'quote the key, if the brackets belong to its text',
    ],
    ['&a x: 1\n*a : 2', '2:1 complex-key', 'an alias cannot be a key', 'write the key itself'],
    [': x', '1:1 missing-key', 'the key before this ":" is missing', 'write a key, or quote the ":"'],
    ['a: .inf', '1:4 not-json', 'JSON cannot represent the number .inf', 'write it in quotes'],
    ['a: .nan', '1:4 not-json', 'JSON cannot represent the number .nan', 'write it in quotes'],
    [
      'a: 1e99999999999999999',
      '1:4 not-json',
      '1e99999999999999999 is too large for a number',
      'write it in quotes, as text',
    ],
    ['__proto__: { x: 1 }', '1:1 unsafe-key', '"__proto__" cannot be a key', 'use another name'],
    ['a: { "__\\u0070roto__": 1 }', '1:6 unsafe-key', '"__proto__" cannot be a key', 'use another name'],
    [
      'a: [1',
      '1:6 yaml-syntax',
      'invalid YAML: unexpected end of the stream within a flow collection',
      'close the bracket, add the comma, or quote text that contains brackets',
    ],
    [
      'a: b: c',
      '1:5 yaml-syntax',
      'invalid YAML: bad indentation of a mapping entry',
      'align the line with the lines around it; quote text that contains ": "',
    ],
    [
      'a:\n  <<: 3',
      '2:3 yaml-syntax',
      '"<<" can only merge maps',
      '"<<" needs an alias of a map, or a list of such aliases',
    ],
    [
      'a: \u0000',
      '1:4 yaml-syntax',
      'invalid YAML: null byte is not allowed in input',
      'remove the control character, or write it as an escape in double quotes',
    ],
  ])('refuses %j', (text, ...problem) => {
    expect(refusalsOf(text)).toEqual([problem])
  })

  it.each(['!!binary aGk=', '!!set { x }', '!!timestamp 2020-01-01', '!env X'])(
    'refuses the tag of %s',
    text => {
      const message = `the tag "${text.split(' ')[0]}" has no JSON equivalent`
      expect(refusalsOf(`a: ${text}`)).toEqual([
        ['1:4 unknown-tag', message, 'remove the tag and write text'],
      ])
    },
  )

  it.each([
    ['a: "\\uD800"', 4],
    ['"\\uD800": a', 1],
  ])('refuses half a character: %s', (text, column) => {
    const message = 'this text contains half a character (a lone surrogate)'
    expect(refusalsOf(text)).toEqual([[`1:${column} lone-surrogate`, message, 'write the whole character']])
  })

  it('reports each key that is unsafe, and each that is there a second time', () => {
    expect(refusalsOf('constructor: 1\nprototype: 2')).toEqual([
      ['1:1 unsafe-key', '"constructor" cannot be a key', 'use another name'],
      ['2:1 unsafe-key', '"prototype" cannot be a key', 'use another name'],
    ])
    const again = (at: string, name: string, line: number) => [
      `${at} duplicate-key`,
      `the key "${name}" is used twice; the first one is on line ${line}`,
      'remove one of them',
    ]
    expect(refusalsOf('a: 1\na: 2\nb: { c: 1, "c": 2 }\nd: { true: 1, "true": 2 }')).toEqual([
      again('2:1', 'a', 1),
      again('3:12', 'c', 3),
      again('4:15', 'true', 4),
    ])
  })

  it('reads the numbers of YAML 1.2, and says so', () => {
    const { value, problems } = parseYaml('a: 0x1F\nb: 0o17\nc: +5\nd: 1_000', 'flags.yaml')
    expect(value).toEqual({ a: 31, b: 15, c: 5, d: '1_000' })
    expect(problems.map(({ message }) => message)).toEqual([
      '0x1F is read as the number 31',
      '0o17 is read as the number 15',
      '+5 is read as the number 5',
    ])
  })

  it('warns of zeros that a number loses', () => {
    const { value, problems } = parseYaml('zip: 01234', 'flags.yaml')
    expect({ value, problems }).toEqual({
      value: { zip: 1234 },
      problems: [
        {
          code: 'leading-zero',
          severity: 'warning',
          message: '01234 is read as the number 1234',
          hint: 'write it in quotes to keep the zeros',
          source: { file: 'flags.yaml', line: 1, column: 6 },
        },
      ],
    })
  })
})
