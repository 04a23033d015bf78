import type { EvaluationBehaviour } from './differences.ts'
import type { sdkAlone, sdkWays } from './sdk-rules.ts'

type WayOf<Name> = Name extends keyof typeof sdkWays ? keyof (typeof sdkWays)[Name]['sdks'] : never

/** The evaluation rules of one engine. Rules that only SDKs have are absent for a service. */
export type EvaluationRules = {
  readonly [Name in keyof EvaluationBehaviour]: EvaluationBehaviour[Name] | WayOf<Name>
} & { readonly [Name in keyof typeof sdkAlone]?: keyof (typeof sdkAlone)[Name]['sdks'] | undefined }

/** A range of SDK versions with the same results. */
export interface SdkRange {
  /** The oldest tested version in the range. The range ends where the next one starts. */
  readonly from: string
  /** The release date of that version. */
  readonly since: string
  /** The differences from the service of `posthog-2026`. */
  readonly rules: Partial<EvaluationRules>
}

export interface Sdk {
  /** The newest tested version. */
  readonly newest: string
  /** The first version that supports `not_in` of a cohort, if any. The table omits older ranges. */
  readonly obeysNotIn?: string
  /** Newest first. */
  readonly ranges: readonly [SdkRange, ...SdkRange[]]
}

const node = {
  number_comparison: 'parsed',
  null_properties: 'text_alone',
  date_forms: 'javascript',
  pattern_dialect: 'portable',
  later_operators: 'node',
  condition_groups: 'own_alone',
  enrolment: 'ignored',
  values: 'javascript',
  whole_numbers: 'asked',
  devices: 'asked',
  flag_conditions: 'any_operator',
  continuity: 'asked',
} as const satisfies Partial<EvaluationRules>

const python = {
  number_comparison: 'finite',
  null_properties: 'text_alone',
  date_forms: 'iso_utc',
  pattern_dialect: 'plain',
  later_operators: 'python',
  condition_groups: 'own_alone',
  devices: 'asked',
  flag_conditions: 'by_operator',
  continuity: 'asked',
} as const satisfies Partial<EvaluationRules>

const pythonOfOctober = {
  ...python,
  enrolment: 'ignored',
  doubts: 'ends',
  continuity: 'itself_asked',
} as const satisfies Partial<EvaluationRules>

const pythonOfSeptember = {
  ...pythonOfOctober,
  pattern_dialect: 'python',
  number_comparison: 'loose',
  null_properties: 'equality_alone',
} as const satisfies Partial<EvaluationRules>

/**
 * The tested SDKs with local evaluation, and how they differ from the service. `npm run sdks` tests them
 * again; test/sdks has their results.
 */
export const sdks = {
  'posthog-node': {
    newest: '5.70.0',
    obeysNotIn: '5.38.8',
    ranges: [
      { from: '5.57.0', since: '2026-10-22', rules: node },
      { from: '5.52.6', since: '2026-09-23', rules: { ...node, doubts: 'ends' } },
      { from: '5.52.5', since: '2026-09-21', rules: { ...node, doubts: 'ends', holdouts: 'ignored' } },
      {
        from: '5.51.2',
        since: '2026-08-25',
        rules: { ...node, doubts: 'ends', holdouts: 'ignored', truth_values: 'truth_always' },
      },
    ],
  },
  'posthog-python': {
    newest: '7.91.1',
    obeysNotIn: '7.38.4',
    ranges: [
      { from: '7.91.1', since: '2026-11-13', rules: python },
      { from: '7.79.0', since: '2026-10-28', rules: { ...python, enrolment: 'ignored' } },
      { from: '7.75.8', since: '2026-10-23', rules: pythonOfOctober },
      { from: '7.75.1', since: '2026-10-22', rules: { ...pythonOfOctober, pattern_dialect: 'python' } },
      {
        from: '7.73.2',
        since: '2026-10-20',
        rules: { ...pythonOfSeptember, number_comparison: 'finite' },
      },
      { from: '7.59.1', since: '2026-09-23', rules: pythonOfSeptember },
      { from: '7.59.0', since: '2026-09-22', rules: { ...pythonOfSeptember, holdouts: 'ignored' } },
      {
        from: '7.45.1',
        since: '2026-08-31',
        rules: { ...pythonOfSeptember, holdouts: 'ignored', truth_values: 'truth_always' },
      },
    ],
  },
  'posthog-go': {
    newest: '1.5.2',
    ranges: [
      {
        from: '1.3.3',
        since: '2025-02-27',
        rules: {
          condition_order: 'overrides_first',
          truth_values: 'text',
          number_comparison: 'typed',
          letter_case: 'unicode',
          null_properties: 'nil',
          date_forms: 'none',
          pattern_dialect: 'go',
          later_operators: 'unknown',
          cohort_operators: 'ignored',
          condition_groups: 'ignored',
          early_exit: 'ignored',
          holdouts: 'ignored',
          enrolment: 'ignored',
          values: 'go',
          default_operator: 'asked',
          percentages: 'alone',
          doubts: 'ends',
          cohort_doubts: 'nobody',
          presence: 'asked',
          flag_conditions: 'asked',
          missing_groups: 'asked',
          identity: 'unknown',
          devices: 'ignored',
          continuity: 'asked',
          load: 'whole_shares',
        },
      },
    ],
  },
  'posthog-rs': {
    newest: '0.30.0',
    obeysNotIn: '0.23.1',
    ranges: [
      {
        from: '0.27.1',
        since: '2026-10-23',
        rules: {
          condition_order: 'overrides_first',
          number_comparison: 'read',
          date_forms: 'rfc_3339',
          pattern_dialect: 'crate',
          later_operators: 'rust',
          condition_groups: 'own_alone',
          holdouts: 'ignored',
          enrolment: 'ignored',
          doubts: 'ends',
          flag_conditions: 'asked',
          group_properties: 'needed',
          devices: 'ignored',
        },
      },
    ],
  },
  'posthog-server': {
    newest: '2.3.3',
    ranges: [
      {
        from: '2.3.3',
        since: '2026-10-19',
        rules: {
          condition_order: 'overrides_first',
          truth_values: 'text',
          number_comparison: 'lenient',
          letter_case: 'no_marks',
          null_properties: 'no_match',
          date_forms: 'java',
          pattern_dialect: 'java',
          later_operators: 'java',
          cohort_operators: 'ignored',
          condition_groups: 'ignored',
          early_exit: 'ignored',
          holdouts: 'ignored',
          enrolment: 'ignored',
          doubts: 'ends',
          presence: 'asked',
          flag_conditions: 'all_on',
          group_properties: 'by_type',
          identity: 'unknown',
          devices: 'ignored',
          continuity: 'asked',
          load: 'whole_shares',
        },
      },
    ],
  },
} as const satisfies Readonly<Record<string, Sdk>>
