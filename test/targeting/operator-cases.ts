import type { Json } from '../../src/model/text/json.ts'
import type { Match } from '../../src/targeting/evaluate/compared-values.ts'
import type { OperatorName } from '../../src/targeting/operators.ts'

/** What one operator decides, and where that is written. The moment of all rows is 2024-03-31T12:00Z. */
export interface OperatorCases {
  /** Where the rule stands. */
  readonly source: string
  /** [the value of the condition, the property of the person, whether they match] */
  readonly rows: readonly (readonly [Json, Json, Match])[]
}

const open = (undecided: string) => ({ undecided })

const equality = 'service-behaviour 12: as strings, case-insensitive, value may be a list'
const part = 'service-behaviour 12; posthog-python match_property: lower case on both sides'
const search = 'Python re.search; service-behaviour 12: an invalid pattern never matches'
const size = 'service-behaviour 12: numeric when both sides are, else as strings; texts and numbers alone'
const presence = 'service-behaviour 12; posthog-python match_property: the key alone is looked at'
const moment = 'service-behaviour 12; python-dateutil parser.parse'

const unreadCondition =
  'the date "yesterday" of the condition cannot be read: its format is not a supported date format'
const unreadProperty = 'the property "a" cannot be read as a date: its format is not a supported date format'
const lookAround = open('only the service evaluates the pattern "(?=a)": it looks ahead or behind')

/** What is neither text nor number has no order, whichever side it is on. */
const unordered: OperatorCases['rows'] = [
  ['0', true, false],
  ['', false, false],
  ['z', ['a'], false],
  ['', { a: 1 }, false],
  [true, 5, false],
  [['9'], '5', false],
  ['1', null, false],
]

/** An operator without a table does not compile. */
export const operatorCases: Readonly<Record<OperatorName, OperatorCases>> = {
  exact: {
    source: equality,
    rows: [
      ['DE', 'DE', true],
      ['DE', 'de', true],
      ['D', 'DE', false],
      [['AT', 'de'], 'DE', true],
      [[], 'DE', false],
      ['true', true, true],
      [18, '18', true],
      [['18'], 18, true],
      ['DE', null, false],
      ['MÜLLER', 'müller', true],
    ],
  },
  is_not: {
    source: equality,
    rows: [
      ['DE', 'de', false],
      ['DE', 'AT', true],
      [['AT', 'CH'], 'DE', true],
      [['AT', 'de'], 'DE', false],
      [[], 'DE', true],
      [18, '18', false],
      ['DE', null, true],
    ],
  },
  icontains: {
    source: part,
    rows: [
      ['@Corp', 'ana@corp.example', true],
      ['@corp', 'ana@home.example', false],
      ['ÜLL', 'Müller', true],
      ['1', 21, true],
      ['', '', true],
      ['a', null, false],
    ],
  },
  not_icontains: {
    source: part,
    rows: [
      ['@corp', 'ana@home.example', true],
      ['@CORP', 'ana@corp.example', false],
      ['a', null, true],
    ],
  },
  regex: {
    source: search,
    rows: [
      ['^a.*z$', 'abcz', true],
      ['b+', 'abcz', true],
      ['^b', 'abcz', false],
      ['1', 21, true],
      ['[', 'abc', false],
      ['(?<n>a)', 'a', false],
      ['{2}', 'aa', false],
      [String.raw`^\w+$`, 'Müller', true],
      [String.raw`\bü`, 'xü', false],
      ['^a{,2}$', 'aa', true],
      ['(?i)^de$', 'DE', true],
      ['a', null, false],
      ['(?=a)', 'a', lookAround],
    ],
  },
  not_regex: {
    source: search,
    rows: [
      ['^b', 'abcz', true],
      ['b', 'abcz', false],
      ['[', 'abc', false],
      ['{2}', 'a', false],
      [String.raw`\W`, 'Müller', true],
      ['a', null, true],
      ['(?=a)', 'a', lookAround],
    ],
  },
  gt: {
    source: size,
    rows: [
      ...unordered,
      ['18', 20, true],
      ['18', 18, false],
      ['18', 9, false],
      [18, 20, true],
      // Text is compared as text, even when it looks like a number.
      ['18', '9', true],
      [18, '9', true],
      ['abc', 5, false],
    ],
  },
  gte: {
    source: size,
    rows: [
      ...unordered,
      ['18', 18, true],
      ['18', 17.5, false],
      ['18', '18', true],
      ['a', 'b', true],
      ['a', ['a'], false],
    ],
  },
  lt: {
    source: size,
    rows: [...unordered, ['18.5', 18, true], ['18', 18, false], ['m', 'a', true], ['10', '9', false]],
  },
  lte: {
    source: size,
    rows: [...unordered, ['18', 18, true], ['1e1', 10, true], ['17', 18, false], ['a', 'a', true]],
  },
  is_set: {
    source: presence,
    rows: [
      [null, '', true],
      [null, null, true],
      ['is_set', false, true],
    ],
  },
  is_not_set: {
    source: presence,
    rows: [
      [null, 'x', false],
      [null, null, false],
    ],
  },
  is_date_before: {
    source: moment,
    rows: [
      ['2024-01-01', '2023-12-31', true],
      ['2024-01-01', '2024-01-01', false],
      ['-1m', '2024-02-29T11:59:59Z', true],
      ['-1m', '2024-02-29T12:00:01Z', false],
      ['Jan 5 2024', '2024-01-04 23:59:59 UTC', true],
      // The month and the day are those of today.
      ['2024', '2024-03-30', true],
      ['2024', '2024-03-31', false],
      ['yesterday', '2024-01-01', open(unreadCondition)],
      ['2024-01-01', 'soon', open(unreadProperty)],
      // Only conditions count from now.
      ['2024-01-01', '-7d', open(unreadProperty)],
      ['2024-01-01', 1_700_000_000, open('the property "a" is not text, so it is not a date')],
      [2024, '2024-01-01', open('the date of the condition is not text')],
      ['2024-01-01', null, false],
    ],
  },
  is_date_after: {
    source: moment,
    rows: [
      ['2024-01-01T00:00:00+01:00', '2024-01-01T00:00:00+02:00', false],
      ['2024-01-05 10:00:00 UTC', '5 January 2024 at 10:00:01', true],
      ['2024-01-05T10:00:00+02:00', '2024-01-05 08:00 GMT', false],
      ['-7d', '2024-03-25', true],
      ['7d', '2024-03-24', false],
      ['yesterday', '2024-01-01', open(unreadCondition)],
    ],
  },
}
