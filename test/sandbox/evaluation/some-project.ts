import fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import type { WorldFile } from '../../../src/sandbox/index.ts'
import { someFilters } from '../../targeting/some-filters.ts'

export type SomeProject = NonNullable<WorldFile['organizations'][number]['projects']>[number]

export const groupTypes = ['company', 'team'] as const

/** Who is asked about: some whom the project knows, one whom it does not. */
export const people = ['ann', 'bo', 'cleo', 'dee', 'nobody'] as const

const texts = fc.constantFrom('DE', 'fr', 'Müller', '18', '5', 'pro', '2024-03-01', 'Jan 5 2024', '')
const some = fc.oneof(texts, fc.constantFrom<Json>(18, 3, 99.5, true))

const anyKnown: fc.Arbitrary<JsonObject> = fc.record(
  { country: some, plan: some, age: fc.constantFrom<Json>(17, 18, 40, '18'), since: some },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>

/** Cohorts 1 and 2 say what their members have in common, 3 names them. */
const cohorts: SomeProject['cohorts'] = [
  {
    id: 1,
    name: 'Germans',
    properties: {
      type: 'OR',
      values: [{ key: 'country', value: ['DE'], type: 'person', operator: 'exact' }],
    },
  },
  {
    id: 2,
    name: 'Neither Germans nor old',
    properties: {
      type: 'AND',
      values: [
        { type: 'AND', values: [{ key: 'id', type: 'cohort', value: 1, negation: true }] },
        { type: 'OR', values: [{ key: 'age', operator: 'lt', value: '40', type: 'person' }] },
      ],
    },
  },
  { id: 3, name: 'Written down', persons: ['ann', 'cleo'] },
]

/** A project around the flags that are given: persons, groups and cohorts that their conditions may meet. */
export function projectAround(
  flags: fc.Arbitrary<readonly JsonObject[]>,
  known: fc.Arbitrary<JsonObject> = anyKnown,
): fc.Arbitrary<SomeProject> {
  return fc
    .record({ known: fc.array(known, { minLength: 4, maxLength: 4 }), company: known, team: known, flags })
    .map(({ known: [ann, bo, cleo, dee], company, team, flags: feature_flags }) => ({
      name: 'Some',
      group_types: groupTypes,
      groups: [
        { type: 'company', key: 'acme', properties: company },
        { type: 'team', key: 'a', properties: team },
      ],
      cohorts,
      persons: [
        { distinct_ids: ['ann'], properties: ann ?? {} },
        { distinct_ids: ['bo', 'bo-phone'], properties: bo ?? {} },
        { distinct_ids: ['cleo'], properties: cleo ?? {} },
        { distinct_ids: ['dee'], properties: dee ?? {} },
      ],
      feature_flags: feature_flags.map((flag, index) => ({ key: `flag_${index}`, ...flag })),
    }))
}

/** Conditions that the evaluator may have to leave to the service, beside all those that people write by mistake. */
const openProperty: fc.Arbitrary<Json> = fc.oneof(
  fc.record({
    key: fc.constantFrom('country', 'plan', 'distinct_id'),
    type: fc.constant('person'),
    operator: fc.constantFrom('regex', 'not_regex'),
    value: fc.constantFrom('^\\w+$', '(?=D)', '(a)\\1', '(?i)de|FR', '(?<n>a)', '{2}', 'ü', '\\Apro\\Z'),
  }),
  fc.record({
    key: fc.constantFrom('since', 'age'),
    type: fc.constant('person'),
    operator: fc.constantFrom('is_date_before', 'is_date_after'),
    value: fc.constantFrom<Json>('2024', '-7d', 'Jan 5 2024', 'soon', '2024-01-05 10:00 CET', 5),
  }),
  fc.record({
    key: fc.constantFrom('age', 'plan'),
    type: fc.constant('person'),
    operator: fc.constantFrom('semver_gt', 'between', 'no_such_operator', 'gte', 'lt'),
    value: fc.constantFrom<Json>('18', '5', 18, [1, 2]),
  }),
  fc.record({
    key: fc.constantFrom('flag_0', 'flag_1', '2', 'flag_9'),
    type: fc.constant('flag'),
    operator: fc.constant('flag_evaluates_to'),
    value: fc.constantFrom<Json>(true, false, 'blue'),
  }),
)

const openFilters: fc.Arbitrary<JsonObject> = fc.record({
  groups: fc.array(
    fc.record(
      {
        properties: fc.array(openProperty, { maxLength: 2 }),
        rollout_percentage: fc.constantFrom<Json>(null, 30, 100),
      },
      { requiredKeys: [] },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  aggregation_group_type_index: fc.constantFrom<Json>(null, null, null, 0, 1, 4),
})

/** Projects with flags of every shape that a service may hold. */
export const someProject: fc.Arbitrary<SomeProject> = projectAround(
  fc.array(
    fc.record({
      active: fc.constantFrom(true, true, true, false),
      filters: fc.oneof(someFilters, openFilters) as fc.Arbitrary<Json>,
    }),
    { minLength: 3, maxLength: 5 },
  ),
)
