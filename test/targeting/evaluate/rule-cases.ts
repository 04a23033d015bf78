import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import type { EvaluationBehaviour } from '../../../src/services/differences.ts'

/** The value of a flag, or `open` where nobody but the service can tell. */
export type Seen = boolean | string

/** One flag and one person, and what that person gets by each way of a rule. */
export interface RuleCase<Way extends string = string> {
  readonly says: string
  readonly filters: JsonObject
  readonly properties?: JsonObject
  readonly seen: Readonly<Record<Way, Seen>>
}

export interface RuleCases<Way extends string = string> {
  /** Where each way is known from, beside the row of the table. */
  readonly source: string
  readonly rows: readonly RuleCase<Way>[]
}

/** Of the flag `rollout_flag`, person-1 stands at 0.43, and gets the variant `test` of these. */
export const key = 'rollout_flag'
export const person = 'person-1'
export const groups = { company: 'acme' }
/** By id: who has `a` at `pro`. */
export const cohorts: JsonObject = {
  1: { type: 'AND', values: [{ key: 'a', type: 'person', value: 'pro' }] },
}
const variants: Json = {
  variants: [
    { key: 'control', rollout_percentage: 50 },
    { key: 'test', rollout_percentage: 50 },
  ],
}

function property(operator: string, value: Json, more: JsonObject = {}): JsonObject {
  return { groups: [{ properties: [{ key: 'a', type: 'person', operator, value, ...more }] }] }
}

function compared<Way extends string>(
  operator: string,
  value: Json,
  known: Json | undefined,
  seen: Readonly<Record<Way, Seen>>,
): RuleCase<Way> {
  return {
    says: `${operator} ${JSON.stringify(value)}: ${known === undefined ? 'nothing' : JSON.stringify(known)}`,
    filters: property(operator, value),
    properties: known === undefined ? {} : { a: known },
    seen,
  }
}

/** A rule without cases does not compile. */
export const ruleCases: {
  readonly [Name in keyof EvaluationBehaviour]: RuleCases<EvaluationBehaviour[Name]>
} = {
  condition_order: {
    source: 'posthog-python 3.5 and 7.42, match_feature_flag_properties',
    rows: [
      {
        says: 'a variant of its own behind a condition for everybody',
        filters: { groups: [{}, { variant: 'control' }], multivariate: variants },
        seen: { overrides_first: 'control', as_written: 'test' },
      },
      {
        says: 'a variant of its own in front',
        filters: { groups: [{ variant: 'control' }, {}], multivariate: variants },
        seen: { overrides_first: 'control', as_written: 'control' },
      },
    ],
  },
  truth_values: {
    source: 'rust/feature-flags property_matching.rs, compute_exact_match; @posthog/core, computeExactMatch',
    rows: [
      compared('exact', 'false', 'banana', { text: false, truth: true }),
      compared('exact', 'false', 0, { text: false, truth: true }),
      compared('exact', ['true'], true, { text: true, truth: true }),
      compared('exact', ['true', 'false'], 'true', { text: true, truth: false }),
      compared('exact', ['true', 'pro'], 'pro', { text: true, truth: true }),
      compared('is_not', 'false', 'banana', { text: true, truth: false }),
      compared('exact', 'true', 'yes', { text: false, truth: false }),
      compared('exact', 'false', undefined, { text: false, truth: false }),
    ],
  },
  number_comparison: {
    source: 'rust/feature-flags property_matching.rs, to_f64_representation',
    rows: [
      compared('gt', '18', 20, { mixed: true, numbers: true }),
      compared('gt', '10', '5', { mixed: true, numbers: false }),
      compared('gt', '5', '10', { mixed: false, numbers: true }),
      compared('lt', 'm', 'a', { mixed: true, numbers: false }),
      compared('gte', '1', 'many', { mixed: true, numbers: false }),
      compared('gt', ' 5 ', 6, { mixed: true, numbers: false }),
      compared('lt', 'inf', 6, { mixed: true, numbers: true }),
      compared('lt', '5', true, { mixed: false, numbers: false }),
    ],
  },
  letter_case: {
    source: 'rust/feature-flags property_matching.rs, to_ascii_lowercase; @posthog/core, asciiLowercase',
    rows: [
      compared('icontains', 'MÜLL', 'Müller', { unicode: true, ascii: false }),
      compared('icontains', 'ÜLL', 'mÜller', { unicode: true, ascii: true }),
      compared('not_icontains', 'MÜLL', 'Müller', { unicode: false, ascii: true }),
    ],
  },
  null_properties: {
    source: 'rust/feature-flags property_matching.rs, to_string_representation',
    rows: [
      compared('exact', 'null', null, { absent: false, text: true }),
      compared('is_not', 'null', null, { absent: true, text: false }),
      compared('icontains', 'ul', null, { absent: false, text: true }),
      compared('not_regex', '^n', null, { absent: true, text: false }),
      compared('exact', 'pro', null, { absent: false, text: false }),
    ],
  },
  date_forms: {
    source: 'rust/feature-flags property_matching.rs, parse_date_string_in_tz',
    rows: [
      compared('is_date_before', '2024-02-01', '2024-01-31', { lenient: true, iso: true }),
      compared('is_date_after', '2024-02-01', '2024-02-01T00:00:01Z', { lenient: true, iso: true }),
      compared('is_date_before', '2024-02-01', 1_700_000_000, { lenient: 'open', iso: true }),
      compared('is_date_before', '2024-02-01', '1700000000', { lenient: 'open', iso: true }),
      compared('is_date_before', 'Feb 1 2024', '2024-01-31', { lenient: true, iso: 'open' }),
      compared('is_date_after', '-2d', '-1d', { lenient: 'open', iso: true }),
      compared('is_date_before', '2024-02-01', true, { lenient: 'open', iso: false }),
    ],
  },
  pattern_dialect: {
    source: 'Python re; the Rust crates regex and fancy-regex',
    rows: [
      compared('regex', '^ab+$', 'abb', { python: true, rust: true }),
      compared('regex', 'b$', 'ab\n', { python: true, rust: 'open' }),
      compared('regex', '^a{,2}$', 'aa', { python: true, rust: 'open' }),
      compared('not_regex', '(?<n>a)', 'b', { python: false, rust: 'open' }),
    ],
  },
  later_operators: {
    source: 'rust/feature-flags property_matching.rs and the semver crate',
    rows: [
      compared('semver_gt', '1.9.0', '1.10.0', { unknown: 'open', known: true }),
      compared('semver_eq', '3.8', '3.08', { unknown: 'open', known: true }),
      compared('semver_gte', '1.2.3', '1.2.3-beta', { unknown: 'open', known: false }),
      compared('semver_lt', '1.2.3-beta.10', 'v1.2.3-beta.9', { unknown: 'open', known: true }),
      compared('semver_neq', '1.2.3', 'many', { unknown: 'open', known: false }),
      compared('semver_tilde', '1.2.3', '1.2.9', { unknown: 'open', known: true }),
      compared('semver_tilde', '1.2.3', '1.3.0', { unknown: 'open', known: false }),
      compared('semver_caret', '0.2.3', '0.3.0', { unknown: 'open', known: false }),
      compared('semver_caret', '1.2', '1.9.1', { unknown: 'open', known: true }),
      compared('semver_caret', '1.2.0', '1.9.1-rc', { unknown: 'open', known: false }),
      compared('semver_wildcard', '3.08.*', '3.8.1', { unknown: 'open', known: true }),
      compared('semver_wildcard', '1.*.3', '1.2.3', { unknown: 'open', known: false }),
      compared('semver_wildcard', '1.2.3', '1.5.0', { unknown: 'open', known: true }),
      compared('semver_eq', '1.2.3+5', '1.2.3', { unknown: 'open', known: 'open' }),
      compared('between', [1, '5'], '3', { unknown: 'open', known: true }),
      compared('between', [5, 1], 3, { unknown: 'open', known: false }),
      compared('not_between', [1, 5], undefined, { unknown: 'open', known: true }),
      compared('is_date_exact', '2024-02-01', '2024-02-01', { unknown: 'open', known: true }),
      compared('icontains_multi', ['x', 'B'], 'abc', { unknown: 'open', known: true }),
      compared('not_icontains_multi', ['x', 'y'], undefined, { unknown: 'open', known: true }),
      compared('starts_with', 'AB', 'abc', { unknown: 'open', known: true }),
      compared('not_ends_with', 'BC', 'abc', { unknown: 'open', known: false }),
    ],
  },
  property_negation: {
    source: 'rust/feature-flags flag_matching.rs, is_condition_match; posthog-python, is_condition_match',
    rows: [
      {
        says: 'a property that is turned around',
        filters: property('exact', 'pro', { negation: true }),
        properties: { a: 'pro' },
        seen: { obeyed: false, ignored: true },
      },
    ],
  },
  cohort_operators: {
    source: 'rust/feature-flags cohort_operations.rs, apply_cohort_membership_logic; posthog-go 1.5.2',
    rows: [
      {
        says: 'who is in a cohort that is asked for with not_in',
        filters: { groups: [{ properties: [{ key: 'id', type: 'cohort', operator: 'not_in', value: 1 }] }] },
        properties: { a: 'pro' },
        seen: { ignored: true, obeyed: false },
      },
    ],
  },
  condition_groups: {
    source: 'rust/feature-flags flag_matching.rs, resolve_for_filter',
    rows: [
      {
        says: 'a condition that counts companies, in a flag for persons',
        filters: { groups: [{ aggregation_group_type_index: 0 }] },
        seen: { unknown: 'open', own: true },
      },
      {
        says: 'one that counts a type of groups which the person is in none of',
        filters: { groups: [{ aggregation_group_type_index: 4 }] },
        seen: { unknown: 'open', own: false },
      },
    ],
  },
  early_exit: {
    source: 'sdk-routes 1; posthog-python 7.42, match_feature_flag_properties',
    rows: [
      {
        says: 'a condition whose percentage leaves the person out, before one for everybody',
        filters: { groups: [{ rollout_percentage: 10 }, {}], early_exit: true },
        seen: { unknown: 'open', obeyed: false },
      },
      {
        says: 'a condition that does not mean the person, before one for everybody',
        filters: {
          groups: [{ properties: [{ key: 'a', type: 'person', value: 'x' }], rollout_percentage: 10 }, {}],
          early_exit: true,
        },
        seen: { unknown: 'open', obeyed: true },
      },
    ],
  },
  holdouts: {
    source:
      'rust/feature-flags flag_matching.rs, is_holdout_condition_match; @posthog/core, getHoldoutVariant',
    rows: [
      {
        says: 'a holdout of everybody',
        filters: { groups: [{}], holdout: { id: 7, exclusion_percentage: 100 } },
        seen: { unknown: 'open', first: 'holdout-7' },
      },
      {
        says: 'a holdout that leaves the person in',
        filters: { groups: [{}], holdout: { id: 7, exclusion_percentage: 1 } },
        seen: { unknown: 'open', first: true },
      },
    ],
  },
  enrolment: {
    source: 'docs/internal/feature-flags/flag-evaluation-engine.md of the service, feature enrollment',
    rows: [
      {
        says: 'who has enrolled',
        filters: { groups: [], feature_enrollment: true },
        properties: { [`$feature_enrollment/${key}`]: true },
        seen: { unknown: 'open', first: true },
      },
      {
        says: 'who has declined',
        filters: { groups: [{}], feature_enrollment: true },
        properties: { [`$feature_enrollment/${key}`]: 'false' },
        seen: { unknown: 'open', first: false },
      },
      {
        says: 'who has said nothing',
        filters: { groups: [{}], feature_enrollment: true },
        seen: { unknown: 'open', first: true },
      },
    ],
  },
}
