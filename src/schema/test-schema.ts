import type { JsonObject } from '../model/text/json.ts'
import { evaluationReasons } from '../targeting/index.ts'
import { anyObject, closed, described, list, mapOf, name, nullable } from './json-schema.ts'

const values: JsonObject = described(anyObject, 'Properties by name, with values as the service has them.')

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
  'The groups that the person belongs to, by the type of each: by its name in the settings, or its number. A text is the key of the group; `groups` has its properties.',
)

/** The subject that asks for a flag. */
const personMembers: JsonObject = {
  distinct_id: described(name, 'What percentages count; without it, what a percentage decides is undecided.'),
  device_id: described(name, 'The device, for flags that count devices.'),
  properties: values,
  groups: groupsOfPerson,
}

const test: JsonObject = closed(
  {
    person: {
      type: ['string', 'object'],
      minLength: 1,
      description: 'Who asks: the name of one of `persons`, or what is known of somebody.',
      additionalProperties: false,
      properties: personMembers,
    },
    expect: {
      type: ['boolean', 'string', 'object'],
      minLength: 1,
      description:
        'What they have to get: true, false, or the key of a variant; `{ value: one_page, payload: ... }` also with what payload, `null` being none; `sdks` has what one SDK gives instead.',
      additionalProperties: false,
      required: ['value'],
      properties: {
        value: {
          type: ['boolean', 'string'],
          minLength: 1,
          description: 'True, false, or the key of a variant.',
        },
        payload: { description: 'The payload, as the value that code receives.' },
        sdks: mapOf(
          { type: ['boolean', 'string'], minLength: 1 },
          'What some SDKs give in place of it, by their names: `{ posthog-go: true }`.',
        ),
      },
    },
    because: {
      type: ['string', 'integer'],
      minLength: 1,
      minimum: 1,
      description: `Why: the condition that has to decide, by its name in the short form or by its number, from 1; or a reason: ${evaluationReasons.map(reason => `\`${reason}\``).join(', ')}.`,
    },
    env: {
      type: ['string', 'array'],
      minLength: 1,
      minItems: 1,
      items: name,
      description: 'The environments that it is for; all in which the flag is declared when left out.',
    },
  },
  {},
  ['person', 'expect'],
)

/** The member of a flag that lists the expected results of people. */
export const testsSchema: JsonObject = list(
  test,
  'Who has to get what of the flag. `validate` and `vexil test` check it, without the service. Not stored in the service.',
)

/** The sections of a file that may contain tests, and what they name. */
export const testSections: JsonObject = {
  tests: nullable(mapOf(nullable(testsSchema), 'Tests of flags of any file, by the key of the flag.')),
  persons: nullable(
    mapOf(closed(personMembers), 'Persons that tests of all files name, by the names that people give them.'),
  ),
  groups: nullable(
    mapOf(
      nullable(mapOf(nullable(values))),
      'What properties groups have in tests: by the type of the group, as persons name it, then by its key.',
    ),
  ),
}
