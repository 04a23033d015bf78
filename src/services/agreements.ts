import type { sdkRules } from './sdk-rules.ts'

const byService = 'have the flag evaluated by the service'

/** What to write, or to send as properties, so that the service and all SDKs agree on a rule. */
export const agreements: { readonly [Rule in keyof typeof sdkRules]: string } = {
  condition_order: 'put conditions that force a variant before the others',
  truth_values: 'invert the test: is_not with true, or exact with true',
  number_comparison: 'compare with a number, and send the property as a number',
  letter_case: 'use only letters from A to Z, or the letter case that the property has',
  null_properties: 'do not send properties that are null',
  date_forms: 'write the date with time and zone: 2024-01-31T00:00:00Z',
  pattern_dialect: `write plain ASCII patterns, or ${byService}`,
  later_operators: 'use versions of three numbers without a suffix, and wildcards with a star: 1.2.*',
  cohort_operators: `${byService}, or compare the properties that define the cohort`,
  condition_groups: `use one group type for the whole flag, or ${byService}`,
  early_exit: byService,
  holdouts: byService,
  enrolment: byService,
  values: 'compare with a text, and send a text in that case',
  default_operator: 'write the operator',
  whole_numbers: `compare with a text, or ${byService}`,
  percentages: byService,
  doubts: 'pass all properties that conditions name',
  cohort_doubts: 'pass all properties that cohorts name',
  presence: byService,
  flag_conditions: 'write flag_evaluates_to, or nothing',
  missing_groups: 'pass the group',
  group_properties: 'pass the properties of the group',
  identity: 'pass distinct_id as a property too',
  devices: 'count persons, or pass a device id',
  continuity: 'turn it off, if the answer must not need a request',
  definitions: 'pass all properties that conditions name',
  load: 'write a whole percentage',
}

/** The remedy for a rule, and where it is described. */
export function agreeOn(rule: keyof typeof sdkRules): string {
  return `${agreements[rule]} (docs/who-evaluates.md#${rule})`
}
