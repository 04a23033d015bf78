import type { EvaluationBehaviour } from './index.ts'

/** Behaviour that only SDKs with local evaluation have, in words; for rules that services have too. */
export const sdkWays = {
  truth_values: {
    empty_list: 'texts; an empty list is for what is true',
    truth_always: 'the truth, whatever the project is set to',
  },
  number_comparison: {
    parsed: 'numbers where both sides begin like one, else texts',
    finite: 'numbers alone; the service is asked where the value is none',
    read: 'numbers where both sides read as one, else texts',
    lenient: 'as `mixed`, and all the rest as texts',
    loose: 'as `mixed`, and true is 1, false 0',
    typed: 'what is a number in JSON; the service is asked about everything else',
  },
  letter_case: { no_marks: 'all letters are the same in either case, and with marks or without' },
  null_properties: {
    text_alone: 'the text null; it matches no number, date or version',
    equality_alone: 'the text null to `exact` and `is_not`; nothing else matches it',
    no_match: 'it matches nothing but `is_not`',
    nil: 'null itself, or the text <nil>',
  },
  date_forms: {
    iso_utc: 'ISO dates, in UTC',
    javascript:
      'what JavaScript reads: numbers are milliseconds, times without a zone in that of the machine',
    rfc_3339: 'days, and times with a zone; months of 30 and years of 365 days',
    java: 'ISO dates, in the zone of the machine',
    none: 'none: the service is asked',
  },
  pattern_dialect: {
    portable: 'plain patterns and ASCII alone; the service is asked about others',
    plain: 'plain patterns; the service is asked about others',
    crate: "Rust's, without what only the service reads",
    go: "Go's",
    java: "Java's; an invalid one is not found",
  },
  later_operators: {
    node: 'versions by their three numbers, without leading zeros; of a wildcard the first two',
    python:
      'versions by their three numbers, without leading zeros; a wildcard without a star is that version',
    rust: 'versions by their three numbers, without leading zeros; a wildcard ends in its one star',
    java: 'versions by their three numbers, no starts_with and ends_with',
  },
  condition_groups: {
    own_alone: 'each condition counts its own groups, and all of its properties are theirs',
    ignored: 'all conditions count what the flag does',
  },
  early_exit: { ignored: 'means nothing' },
  holdouts: { ignored: 'mean nothing' },
  enrolment: { ignored: 'means nothing' },
} as const satisfies { readonly [Name in keyof EvaluationBehaviour]?: Readonly<Record<string, string>> }

/** Rules in which all services agree, and what SDKs do instead. */
export const sdkAlone = {
  values: {
    javascript: "texts of lists are JavaScript's: a,b",
    go: 'values are equal that are the same in Go, letter case too; a whole number is an int, and equal to none',
  },
  default_operator: { asked: 'the service is asked about a property without an operator' },
  whole_numbers: { asked: 'the service is asked where one is to be equal to something' },
  percentages: { alone: 'a percentage counts only in a condition without properties' },
  doubts: { ends: 'the first property that is not known ends its condition' },
  cohort_doubts: { nobody: 'what is not known of a member counts as not met' },
  presence: { asked: 'the service is asked about is_not_set' },
  flag_conditions: {
    any_operator: 'by the flags that the condition waits for, whatever its operator is',
    by_operator: 'by the flags that the condition waits for; another operator matches nobody',
    all_on: 'nobody, where a flag is off that it waits for by way of another one',
    asked: 'the service is asked',
  },
  missing_groups: { asked: 'the service is asked where somebody has no group of the type' },
  group_properties: {
    needed:
      'the service is asked about groups without properties; nobody has a group of a type that is not known',
    by_type: 'the names of group types are looked for, and not the properties of the group',
  },
  identity: { unknown: 'distinct_id is no property' },
  devices: {
    ignored: 'persons are counted in place of devices',
    asked: 'the service is asked where there is no device',
  },
  continuity: {
    asked: 'the service is asked about a flag that keeps what people had',
    itself_asked: 'the same, where no other flag waits for it',
  },
  definitions: {
    listed:
      'members of filters that are not known mean nothing, and a condition that nobody can tell is passed over for one that gives it',
  },
  load: { whole_shares: 'a percentage with a fraction stops all flags' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** Every rule that only SDKs have, with the meaning of each value. */
export const waysOfSdks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...sdkWays,
  ...sdkAlone,
}
