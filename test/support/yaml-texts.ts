import fc from 'fast-check'
import { stringify } from 'yaml'
import type { Json } from '../../src/model/text/json.ts'
import { anyText } from './any-text.ts'

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
/** What YAML can say, with texts that it says in its own ways. */
export const anyYamlValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
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

/** How the other library writes. */
export const anyYamlStyle = fc.record({
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

/** Texts that the other library writes of values. */
export function anyYaml(values: fc.Arbitrary<Json>): fc.Arbitrary<string> {
  return fc.tuple(values, anyYamlStyle).map(([value, style]) => stringify(value, style))
}

/** Texts made of what YAML is made of: mostly broken, sometimes not. */
export const anyYamlish = fc
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
