import type { JsonObject } from '../model/text/json.ts'
import { evaluationReasons } from '../targeting/index.ts'
import { anyObject, closed, described, list, mapOf, name, nullable } from './json-schema.ts'

const values: JsonObject = described(anyObject, 'Properties by name, with the values that the service has.')

const groupsOfPerson: JsonObject = mapOf(
  {
    type: ['string', 'object'],
    minLength: 1,
    additionalProperties: false,
    required: ['key'],
    properties: {
      key: described(name, 'The key of the group.'),
      properties: values,
    },
  },
  'The groups of the person, by group type: its name in the settings, or its number. A string is the key of the group; the properties are in `groups`.',
)

const personMembers: JsonObject = {
  distinct_id: described(
    name,
    'The id for percentages. Without it, a result that depends on a percentage is undecided.',
  ),
  device_id: described(name, 'The device id, for flags whose percentages count devices.'),
  properties: values,
  groups: groupsOfPerson,
}

const test: JsonObject = closed(
  {
    person: {
      type: ['string', 'object'],
      minLength: 1,
      description: "The person: a name in `persons`, or the person's members.",
      additionalProperties: false,
      properties: personMembers,
    },
    expect: {
      type: ['boolean', 'string', 'object'],
      minLength: 1,
      description:
        'The expected value: true, false, or the key of a variant. `{ value: one_page, payload: ... }` also checks the payload (`null`: no payload). `sdks` has the values of SDKs that differ.',
      additionalProperties: false,
      required: ['value'],
      properties: {
        value: {
          type: ['boolean', 'string'],
          minLength: 1,
          description: 'True, false, or the key of a variant.',
        },
        payload: { description: 'The payload that code receives.' },
        sdks: mapOf(
          { type: ['boolean', 'string'], minLength: 1 },
          'Expected values of SDKs that differ, by SDK: `{ posthog-go: true }`.',
        ),
      },
    },
    because: {
      type: ['string', 'integer'],
      minLength: 1,
      minimum: 1,
      description: `The expected cause: the deciding condition, by its name in the short form or its number (from 1); or a reason: ${evaluationReasons.map(reason => `\`${reason}\``).join(', ')}.`,
    },
    env: {
      type: ['string', 'array'],
      minLength: 1,
      minItems: 1,
      items: name,
      description: 'The environments of the test. Default: all that declare the flag.',
    },
  },
  {},
  ['person', 'expect'],
)

/** The member `tests` of a flag. */
export const testsSchema: JsonObject = list(
  test,
  'The values that people must get. `validate` and `vexil test` check them without the service. Not stored in the service.',
)

/** The sections of a file for tests and for the persons and groups in tests. */
export const testSections: JsonObject = {
  tests: nullable(mapOf(nullable(testsSchema), 'Tests by flag key. The flag may be declared in any file.')),
  persons: nullable(
    mapOf(closed(personMembers), 'Persons for the tests in all files, by names of your choice.'),
  ),
  groups: nullable(
    mapOf(
      nullable(mapOf(nullable(values))),
      'Properties of groups for tests: by group type, as in persons, then by group key.',
    ),
  ),
}
