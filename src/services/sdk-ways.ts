import type { EvaluationBehaviour } from './differences.ts'

/** Behaviour that only SDKs with local evaluation have, for rules that services have too. */
export const sdkWays = {
  truth_values: {
    empty_list: 'texts; an empty list means true',
    truth_always: 'always by truth',
  },
  number_comparison: {
    parsed: 'numbers if both sides begin with a number, otherwise texts',
    finite: 'numbers only; if the value is not a number, the SDK asks the service',
    read: 'numbers if both sides are numbers, otherwise texts',
    lenient: 'like `mixed`; everything else as texts',
    loose: 'like `mixed`; true is 1, false is 0',
    typed: 'JSON numbers only; otherwise the SDK asks the service',
  },
  letter_case: { no_marks: 'case and accents make no difference' },
  null_properties: {
    text_alone: 'the text null; never a number, date or version',
    equality_alone: 'the text null for `exact` and `is_not` only',
    no_match: 'only `is_not` matches',
    nil: 'null itself, or the text <nil>',
  },
  date_forms: {
    iso_utc: 'ISO dates in UTC',
    javascript: "formats that JavaScript parses, in the machine's time zone",
    rfc_3339: 'days, and times with a zone; a month has 30 days',
    java: "ISO dates in the machine's time zone",
    none: 'the SDK asks the service',
  },
  pattern_dialect: {
    portable: 'plain ASCII patterns; otherwise the SDK asks the service',
    plain: 'plain patterns; otherwise the SDK asks the service',
    crate: "Rust's regex crate",
    go: "Go's",
    java: "Java's syntax; an invalid pattern never matches",
  },
  later_operators: {
    node: 'versions of three numbers; the first two of a wildcard',
    python: 'versions of three numbers; a wildcard without a star is that version',
    rust: 'versions of three numbers; a wildcard ends in one star',
    java: 'versions of three numbers; starts_with and ends_with are not supported',
  },
  condition_groups: {
    own_alone: "each condition has its own group type, and uses only that group's properties",
    ignored: 'all conditions use the group type of the flag',
  },
  early_exit: { ignored: 'has no effect' },
  holdouts: { ignored: 'have no effect' },
  enrolment: { ignored: 'has no effect' },
} as const satisfies { readonly [Name in keyof EvaluationBehaviour]?: Readonly<Record<string, string>> }

/** Rules on which all services agree, and what SDKs do instead. */
export const sdkAlone = {
  values: {
    javascript: 'lists become text as in JavaScript: a,b',
    go: 'compared as in Go: case matters, and a whole number is never equal',
  },
  default_operator: { asked: 'for a property without an operator, the SDK asks the service' },
  whole_numbers: { asked: 'for equality, the SDK asks the service' },
  percentages: { alone: 'counts only in a condition without properties' },
  doubts: { ends: 'the first unknown property ends its condition' },
  cohort_doubts: { nobody: 'an unknown property does not match' },
  presence: { asked: 'for is_not_set, the SDK asks the service' },
  flag_conditions: {
    any_operator: 'any operator',
    by_operator: 'other operators match nobody',
    all_on: 'nobody matches if a flag further down is off',
    asked: 'the SDK asks the service',
  },
  missing_groups: { asked: 'if the person has no such group, the SDK asks the service' },
  group_properties: {
    needed: 'for groups without properties, the SDK asks the service',
    by_type: 'uses the names of group types, not properties',
  },
  identity: { unknown: 'distinct_id is not a property' },
  devices: {
    ignored: 'persons are counted, not devices',
    asked: 'without a device id, the SDK asks the service',
  },
  continuity: {
    asked: 'for flags with continuity, the SDK asks the service',
    itself_asked: 'as `asked`, if no other flag depends on it',
  },
  definitions: {
    listed:
      'unknown members of filters have no effect, and an undecided condition is skipped if a later one matches',
  },
  load: { whole_shares: 'one percentage with a fraction makes the evaluation of all flags fail' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** Every rule that only SDKs have, and the meaning of each value. */
export const waysOfSdks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...sdkWays,
  ...sdkAlone,
}
