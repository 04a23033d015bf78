import type { Json, JsonObject } from '../../../src/model/json/json.ts'

/** Operators that people put in each other's place, with values that they would take. */
interface Family {
  readonly name: string
  readonly operators: readonly string[]
  readonly values: readonly Json[]
  /** Pairs of operators and values that are none of these with each other. */
  readonly others?: readonly (readonly [operator: string, value: Json])[]
  /** What a person may have: at the borders, around them, and of other types. */
  readonly known: readonly Json[]
}

const families: readonly Family[] = [
  {
    name: 'dates',
    operators: ['is_date_before', 'is_date_after', 'is_date_exact'],
    values: [
      ...[
        '2024-01-01',
        '2024-01-02',
        '2024-01-01T00:00',
        '2024-01-01T00:00:00Z',
        '2024-01-01T10:00:00+02:00',
      ],
      ...[
        '2023-12-31 22:00:00-05:00',
        'Jan 2 2024',
        '2024',
        '-7d',
        '30d',
        '-48h',
        '-2w',
        '-1m',
        '-2m',
        '-1y',
      ],
    ],
    known: [
      ...[
        '2023-12-31',
        '2024-01-01',
        '2024-01-02',
        '2024-01-03',
        '2024-01-01T00:00:00',
        '2024-01-01T00:00:01Z',
      ],
      ...['2023-12-31T23:59:59Z', '2024-01-01T08:00:00Z', '2024-01-01T07:59:59Z', '2024-01-01T08:00:01Z'],
      ...['2024-01-01T03:00:00Z', '2024-01-01T02:59:59Z', '2024-03-24T12:00:00Z', '2024-03-24T12:00:01Z'],
      ...['2024-02-29T11:00:00Z', '2024-02-29T13:00:00Z', '2024-01-31T11:00:00Z', '2023-03-31T12:00:01Z'],
      ...[
        '2024-03-30T00:00Z',
        '2026-11-20',
        '2026-10-30',
        '-7d',
        '-8d',
        'soon',
        1_704_067_200,
        '1704067201',
        0,
      ],
    ],
  },
  {
    name: 'versions',
    operators: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'tilde', 'caret'].map(name => `semver_${name}`),
    values: [
      '1.2',
      '1.2.0',
      '1.2.3',
      '1.2.4',
      '2.0.0',
      '0.2.3',
      '0.0.3',
      '1.2.3-beta',
      'v1.3',
      '1.2.3+5',
      'one',
    ],
    others: ['1.2.*', '1.*', '*', '1.x', '1.2.3', '2.0.*'].map(value => ['semver_wildcard', value]),
    known: [
      ...[
        '1.2',
        '1.2.0',
        '1.2.2',
        '1.2.3',
        '1.2.4',
        '1.3.0',
        '1.9.9',
        '2.0.0',
        '2.0.1',
        '3.0.0',
        '0.2.3',
        '0.2.4',
      ],
      ...[
        '0.3.0',
        '0.0.3',
        '0.0.4',
        '1.2.3-alpha',
        '1.2.3-beta',
        '1.2.3-beta.1',
        '1.3.0-beta',
        '2.0.0-rc',
        'v1.2.3',
      ],
      ...['1.2.3+5', '1.02.3', 'one', '', 1.2, 2],
    ],
  },
  {
    name: 'numbers',
    operators: ['gt', 'gte', 'lt', 'lte'],
    values: [9, 18, '18', '18.0', 21, 21.5, 100, -5, '1e2', '18 years', 'abc', 'm', ''],
    others: [
      ...[
        [9, 18],
        [10, 100],
        [18, 21],
        [21, 18],
      ].flatMap(value => [['between', value] as const, ['not_between', value] as const]),
      ...['exact', 'is_not'].flatMap(operator =>
        [[18], ['18', '21'], 21, ['m']].map(value => [operator, value] as const),
      ),
    ],
    known: [
      ...[-6, -5, -4, 0, 8, 9, 10, 17, 17.5, 18, 18.5, 20, 21, 21.4, 21.5, 22, 99, 100, 101, true, [18], {}],
      ...[
        '8',
        '9',
        '10',
        '18',
        '18.0',
        '18.00',
        '20',
        '21',
        '3',
        '100',
        '1e2',
        '18 years',
        'abc',
        'm',
        'n',
        '',
        'M',
      ],
    ],
  },
  {
    name: 'texts',
    operators: ['icontains', 'not_icontains', 'starts_with', 'not_starts_with', 'ends_with', 'not_ends_with'],
    values: ['@corp.com', 'ann@corp.com', 'corp', 'a', 'K', '', '1', 'Ö'],
    others: [
      ...['exact', 'is_not'].flatMap(operator =>
        [
          ['ann@corp.com'],
          ['ann@corp.com', 'bob@corp.com'],
          ['DE'],
          ['DE', 'at'],
          ['1'],
          ['ok'],
          ['ö'],
          [],
          'true',
        ].map(value => [operator, value] as const),
      ),
      ...['icontains_multi', 'not_icontains_multi'].flatMap(operator =>
        [['@corp.com'], ['@corp.com', '1'], ['corp', 'de'], []].map(value => [operator, value] as const),
      ),
      ...['regex', 'not_regex'].flatMap(operator =>
        [
          ...[
            '@corp.com',
            '@corp\\.com$',
            '@corp.com$',
            '^ann.*',
            'corp.',
            '^[DA][ET]$',
            '^DEX?$',
            '^(DE)?$',
            'X?',
            'a$|b',
            '(^a|b)$',
            '@(corp|acme)\\.com$',
            '^ann@corp\\.com$',
            '^DE$',
            '^(DE|AT)$',
            '^(?:AT|DE)$',
          ],
          ...[
            '^DE$|^AT$',
            '.*corp.*',
            'corp',
            '^.*corp',
            'a|b',
            '[ab]',
            '^1$',
            '^\\d+$',
            '(',
            '(?i)^de$',
            'a(?=b)',
            '^',
          ],
          ...['(a.*)b', 'a(.*b)', 'ab?', '^1\\Z'],
        ].map(value => [operator, value] as const),
      ),
      ['is_set', null],
      ['is_not_set', null],
    ],
    known: [
      ...[
        'ann@corp.com',
        'ANN@CORP.COM',
        'ann@corp.com\n',
        'bob@corp.com',
        'x@corpxcom',
        'x@acme.com',
        'corp',
        '\ncorp',
      ],
      ...[
        'DE',
        'de',
        'DE\n',
        'AT',
        'at',
        'DEX',
        'a',
        'A',
        'b',
        'ab',
        'a\nb',
        'ok',
        'o\u212a',
        'K',
        'k',
        'Ö',
        'ö',
        '',
      ],
      ...['1', '1\n', '11', '9', 'true', 'True', 'false', true, false, 1, 11, ['a'], ['DE'], {}],
    ],
  },
]

/** What a person may have of the property `a`, or that it is not there. */
export const someKnown: readonly (Json | undefined)[] = [
  undefined,
  null,
  ...families.flatMap(({ known }) => known),
]

export interface Edited {
  readonly family: string
  readonly property: JsonObject
}

/** Properties of each family. */
export const someEdited: readonly Edited[] = families.flatMap(({ name, operators, values, others = [] }) =>
  [...operators.flatMap(operator => values.map(value => [operator, value] as const)), ...others].map(
    ([operator, value]) => ({ family: name, property: { key: 'a', type: 'person', operator, value } }),
  ),
)
