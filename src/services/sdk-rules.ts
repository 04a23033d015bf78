import type { EvaluationBehaviour } from './differences.ts'

/** A rule on which the service and SDKs with local evaluation differ. */
export interface SdkRule {
  /** What it is about, as a heading. */
  readonly about: string
  /** What the service of `posthog-2026` does. */
  readonly service: string
  /** What SDKs do instead, by the value of the rule. */
  readonly sdks: Readonly<Record<string, string>>
}

/** Rules that services have too: some of these values are those of another service. */
export const sdkWays = {
  condition_order: {
    about: 'Conditions that force a variant',
    service: 'tries conditions as written',
    sdks: { overrides_first: 'tries them first' },
  },
  truth_values: {
    about: 'Equality with true or false',
    service: 'only checks whether the property is true',
    sdks: {
      text: 'compares texts',
      empty_list: 'compares texts; an empty list means true',
      truth_always: 'checks whether the property is true, whatever the project sets',
    },
  },
  number_comparison: {
    about: '`gt`, `gte`, `lt` and `lte`',
    service: 'compares numbers only',
    sdks: {
      parsed: 'compares numbers if both sides begin with a number, otherwise texts',
      finite: 'compares numbers; asks the service if the value is no number',
      read: 'compares numbers if both sides are numbers, otherwise texts',
      lenient: 'compares numbers if both sides are numbers, everything else as texts',
      loose: 'compares numbers if both sides are numbers, otherwise texts; true is 1, false is 0',
      typed: 'compares JSON numbers; otherwise asks the service',
    },
  },
  letter_case: {
    about: 'Upper and lower case',
    service: 'ignores the case of letters from A to Z',
    sdks: {
      unicode: 'ignores the case of all letters',
      no_marks: 'ignores case and accents',
    },
  },
  null_properties: {
    about: 'A property that is null',
    service: 'reads the text null',
    sdks: {
      text_alone: 'reads the text null, but never a number, date or version',
      equality_alone: 'reads the text null for `exact` and `is_not` only',
      no_match: 'matches only `is_not`',
      nil: 'reads null itself, or the text `<nil>`',
    },
  },
  date_forms: {
    about: 'Dates',
    service: "reads ISO dates in the project's time zone, and seconds since 1970",
    sdks: {
      iso_utc: 'reads ISO dates, in UTC',
      javascript: "reads what JavaScript parses, in the machine's time zone",
      rfc_3339: 'reads days, and times with a zone; a month has 30 days',
      java: "reads ISO dates in the machine's time zone",
      none: 'asks the service',
    },
  },
  pattern_dialect: {
    about: 'Regular expressions',
    service: "has Rust's syntax",
    sdks: {
      python: "has Python's syntax",
      portable: 'matches plain ASCII patterns; asks the service for others',
      plain: 'matches plain patterns; asks the service for others',
      crate: "has the syntax of Rust's regex crate",
      go: "has Go's syntax",
      java: "has Java's syntax; an invalid pattern never matches",
    },
  },
  later_operators: {
    about: '`semver_*`, `between`, `is_date_exact`, `icontains_multi`, `starts_with`, `ends_with`',
    service: 'knows them',
    sdks: {
      unknown: 'asks the service',
      node: 'reads versions of three numbers, and the first two of a wildcard',
      python: 'reads versions of three numbers; a wildcard without a star is that version',
      rust: 'reads versions of three numbers; a wildcard ends in one star',
      java: 'reads versions of three numbers; asks the service for starts_with and ends_with',
    },
  },
  cohort_operators: {
    about: '`not_in` of a cohort',
    service: 'excludes the members',
    sdks: { ignored: 'gives the flag to the members' },
  },
  condition_groups: {
    about: 'A group type of its own in a condition',
    service: 'uses it, and all properties',
    sdks: {
      own_alone: "uses it, and only that group's properties",
      ignored: 'uses the group type of the flag',
    },
  },
  early_exit: {
    about: '`early_exit`',
    service: 'obeys it',
    sdks: { ignored: 'ignores it' },
  },
  holdouts: {
    about: 'Holdouts',
    service: 'checks them first',
    sdks: { ignored: 'ignores them' },
  },
  enrolment: {
    about: '`feature_enrollment`',
    service: 'checks it first',
    sdks: { ignored: 'ignores it' },
  },
} as const satisfies { readonly [Name in keyof EvaluationBehaviour]?: SdkRule }

/** Rules on which all services agree. */
export const sdkAlone = {
  values: {
    about: 'Lists and numbers as properties',
    service: 'compares their JSON as text',
    sdks: {
      javascript: 'makes lists text as JavaScript does: a,b',
      go: 'compares as Go does: case matters, and a whole number is never equal',
    },
  },
  default_operator: {
    about: 'A property without an operator',
    service: 'compares for equality',
    sdks: { asked: 'asks the service' },
  },
  whole_numbers: {
    about: 'Equality with a whole number',
    service: 'compares texts',
    sdks: { asked: 'asks the service' },
  },
  percentages: {
    about: 'The percentage of a condition with properties',
    service: 'counts',
    sdks: { alone: 'gives the flag to everyone who matches' },
  },
  doubts: {
    about: 'A property that the code does not pass',
    service: 'knows it',
    sdks: { ends: 'ends the condition at the first of them' },
  },
  cohort_doubts: {
    about: 'A property of a cohort that the code does not pass',
    service: 'knows it',
    sdks: { nobody: 'does not match' },
  },
  presence: {
    about: '`is_not_set`',
    service: 'knows all properties',
    sdks: { asked: 'asks the service' },
  },
  flag_conditions: {
    about: 'Conditions that name another flag',
    service: 'accepts only `flag_evaluates_to`',
    sdks: {
      any_operator: 'accepts any operator',
      by_operator: 'matches nobody with another operator',
      all_on: 'matches nobody if a flag further down is off',
      asked: 'asks the service',
    },
  },
  missing_groups: {
    about: 'A person without the group of a flag',
    service: 'matches nobody',
    sdks: { asked: 'asks the service' },
  },
  group_properties: {
    about: 'Groups without properties',
    service: 'knows all properties',
    sdks: {
      needed: 'asks the service',
      by_type: 'reads the names of group types in place of properties',
    },
  },
  identity: {
    about: '`distinct_id` as a property',
    service: 'knows it',
    sdks: { unknown: 'does not know it' },
  },
  devices: {
    about: 'Percentages of devices, `bucketing_identifier: device_id`',
    service: 'counts devices',
    sdks: {
      ignored: 'counts persons',
      asked: 'asks the service if there is no device id',
    },
  },
  continuity: {
    about: '`ensure_experience_continuity`',
    service: 'keeps the value that a person had before the login',
    sdks: {
      asked: 'asks the service',
      itself_asked: 'asks the service, if no other flag depends on the flag',
    },
  },
  definitions: {
    about: 'A condition that cannot be decided, if a later one matches',
    service: 'decides it',
    sdks: { listed: 'skips it; members of filters that it does not know have no effect' },
  },
  load: {
    about: 'Percentages with a fraction',
    service: 'counts them',
    sdks: { whole_shares: 'cannot load any flag' },
  },
} as const satisfies Readonly<Record<string, SdkRule>>

/** Every rule on which an SDK differs from the service of `posthog-2026`. Only pages need it: commands load `agreements`. */
export const sdkRules = { ...sdkWays, ...sdkAlone }
