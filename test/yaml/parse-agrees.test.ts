import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDocument, stringify } from 'yaml'
import { isJsonObject, type Json } from '../../src/model/json/json.ts'
import { parseYaml } from '../../src/yaml/parse/parse-yaml.ts'
import { anyText } from '../support/any-text.ts'
import { rounds } from '../support/rounds.ts'

/** The other well-kept YAML library reads the same values, so that one can take over from the other. */
function readByTheOther(text: string): unknown {
  const document = parseDocument(text, { merge: true, stringKeys: true, uniqueKeys: true })
  try {
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: -1 })
  } catch {
    // It finds some problems only when it builds the value.
    return undefined
  }
}

const unsafe = new Set(['__proto__', 'constructor', 'prototype'])
const key = fc.oneof(
  fc.constantFrom(
    'no',
    'null',
    'true',
    '~',
    '1.0',
    '007',
    'a b',
    'a: b',
    '- a',
    '#x',
    '<<x',
    '*a',
    '&a',
    '!t',
    '?',
    '',
  ),
  fc.string({ maxLength: 12 }).filter(text => !unsafe.has(text) && text !== '<<'),
)
const text = fc.oneof(
  fc.constantFrom(
    'no',
    '1e3',
    '0x1F',
    '.5',
    '1_000',
    ' a',
    'a ',
    'a\nb\n',
    '\n',
    'é😀',
    '"',
    "'",
    `$\{x}`,
    '2020-01-01',
    '012',
  ),
  anyText({ maxLength: 30 }),
)
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isKeptExactly),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

/** Large whole numbers are refused, and JSON has no negative zero. */
function isKeptExactly(number: number): boolean {
  return !Object.is(number, -0) && (Number.isSafeInteger(number) || !Number.isInteger(number))
}

const styles = fc.record({
  defaultStringType: fc.constantFrom(
    'PLAIN',
    'QUOTE_SINGLE',
    'QUOTE_DOUBLE',
    'BLOCK_LITERAL',
    'BLOCK_FOLDED',
  ),
  collectionStyle: fc.constantFrom('any', 'block', 'flow'),
  lineWidth: fc.constantFrom(0, 20, 80),
  // With four, the other library writes an indentation indicator that it does not read itself.
  indent: fc.constant(2),
} as const)

it('reads what the other library wrote, in every style', () => {
  fc.assert(
    fc.property(value, styles, (written, style) => {
      const yaml = stringify(written, style)
      const { value: read, problems } = parseYaml(yaml, 'f')
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(read).toEqual(written)
    }),
    { numRuns: rounds(300) },
  )
})

/** Texts made of what YAML is made of: mostly broken, sometimes not. */
const yamlish = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'b',
        '0',
        '12',
        '1.5',
        'no',
        'null',
        ': ',
        '- ',
        '? ',
        '\n',
        '\n  ',
        '\n    ',
        ', ',
        '[',
        ']',
        '{',
        '}',
      ],
      ...['&x ', '*x', '<<: *x', '"', "'", '|\n', '>\n', '# c\n', '~', 'a: ', 'b: 1\n', 'x: &x { k: v }\n'],
    ),
    { maxLength: 25 },
  )
  .map(parts => parts.join(''))

it('never throws, and agrees with the other library where both read a value', () => {
  fc.assert(
    fc.property(yamlish, yaml => {
      const { value: read, problems } = parseYaml(yaml, 'f')
      if (read === undefined) expect(problems).not.toEqual([])
      const other = readByTheOther(yaml)
      // Any other root is refused later, and at the root the two see the indentation of blocks differently.
      if (isJsonObject(read) && other !== undefined) expect(read).toEqual(other)
    }),
    { numRuns: rounds(3000) },
  )
})

it('says where every value of a text stands', () => {
  fc.assert(
    fc.property(value, styles, (written, style) => {
      const yaml = stringify({ root: written }, style)
      const parsed = parseYaml(yaml, 'f')
      const lines = yaml.split('\n')
      for (const pointer of pointersOf(written, '/root')) {
        const { line, column } = parsed.locate(pointer)
        expect(line).toBeGreaterThan(0)
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1)
      }
    }),
  )
})

function pointersOf(at: Json, pointer: string): string[] {
  if (typeof at !== 'object' || at === null) return [pointer]
  const inside = Object.entries(at).flatMap(([name, member]) =>
    pointersOf(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [pointer, ...inside]
}
