import type { EvaluationBehaviour } from './differences.ts'

/** Behaviour that only SDKs with local evaluation have, in words; for rules that services have too. */
export const sdkWays = {
  truth_values: {
    empty_list: 'texts; an empty list means true',
    truth_always: 'always by truth',
  },
  number_comparison: {
    parsed: 'numbers if both sides begin with one, else texts',
    finite: 'numbers only; the service is asked if the value is no number',
    read: 'numbers if both sides are numbers, else texts',
    lenient: 'as `mixed`; everything else as texts',
    loose: 'as `mixed`; true is 1, false is 0',
    typed: 'numbers of JSON only; the service is asked otherwise',
  },
  letter_case: { no_marks: 'case and accents make no difference' },
  null_properties: {
    text_alone: 'the text null; no number, date or version',
    equality_alone: 'the text null for `exact` and `is_not` only',
    no_match: 'only `is_not` matches',
    nil: 'null itself, or the text <nil>',
  },
  date_forms: {
    iso_utc: 'ISO dates in UTC',
    javascript: 'what JavaScript reads, in the zone of the machine',
    rfc_3339: 'days, and times with a zone; months of 30 days',
    java: 'ISO dates in the zone of the machine',
    none: 'the service is asked',
  },
  pattern_dialect: {
    portable: 'plain ASCII patterns; the service is asked otherwise',
    plain: 'plain patterns; the service is asked otherwise',
    crate: "Rust's regex crate",
    go: "Go's",
    java: "Java's; an invalid one never matches",
  },
  later_operators: {
    node: 'versions of three numbers; the first two of a wildcard',
    python: 'versions of three numbers; a wildcard without a star is that version',
    rust: 'versions of three numbers; a wildcard ends in one star',
    java: 'versions of three numbers; no starts_with and ends_with',
  },
  condition_groups: {
    own_alone: 'each condition counts its own groups, with their properties only',
    ignored: 'all conditions count the groups of the flag',
  },
  early_exit: { ignored: 'has no effect' },
  holdouts: { ignored: 'have no effect' },
  enrolment: { ignored: 'has no effect' },
} as const satisfies { readonly [Name in keyof EvaluationBehaviour]?: Readonly<Record<string, string>> }

/** Rules in which all services agree, and what SDKs do instead. */
export const sdkAlone = {
  values: {
    javascript: 'lists become text as in JavaScript: a,b',
    go: 'equal as in Go: case counts, and a whole number is never equal',
  },
  default_operator: { asked: 'the service is asked about a property without an operator' },
  whole_numbers: { asked: 'the service is asked about equality' },
  percentages: { alone: 'counts only in a condition without properties' },
  doubts: { ends: 'the first unknown property ends its condition' },
  cohort_doubts: { nobody: 'an unknown property counts as not met' },
  presence: { asked: 'the service is asked about is_not_set' },
  flag_conditions: {
    any_operator: 'any operator',
    by_operator: 'other operators match nobody',
    all_on: 'nobody, if a flag behind it is off',
    asked: 'the service is asked',
  },
  missing_groups: { asked: 'the service is asked if somebody has no such group' },
  group_properties: {
    needed: 'the service is asked about groups without properties',
    by_type: 'names of group types are read, not properties',
  },
  identity: { unknown: 'distinct_id is no property' },
  devices: {
    ignored: 'persons are counted, not devices',
    asked: 'the service is asked if there is no device',
  },
  continuity: {
    asked: 'the service is asked about flags with continuity',
    itself_asked: 'the same, if no other flag depends on it',
  },
  definitions: {
    listed:
      'unknown members of filters have no effect, and an undecided condition is skipped if a later one matches',
  },
  load: { whole_shares: 'a percentage with a fraction stops all flags' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** Every rule that only SDKs have, with the meaning of each value. */
export const waysOfSdks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...sdkWays,
  ...sdkAlone,
}
