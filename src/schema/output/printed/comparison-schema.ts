import { declarableKinds } from '../../../kinds/index.ts'
import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { faultSchema } from '../failure-schema.ts'
import { text, texts } from '../text-schema.ts'

const count: JsonObject = { type: 'integer', minimum: 0 }

/** The schema of what `vexil compare --json` prints. */
export function comparisonSchema(): JsonObject {
  return documentSchema('comparison', {
    ...{ title: 'Vexil comparison', description: 'Environments side by side.' },
    required: ['format_version', 'exit_code', 'of', 'environments', 'objects', 'summary', 'errors'],
    properties: {
      ...documentHead,
      of: { enum: ['declared', 'live'], description: 'What was compared.' },
      environments: {
        type: 'array',
        description: 'As they were named.',
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: text, place: { ...text, description: 'Where it is live, with --live.' } },
        },
      },
      objects: { type: 'array', description: 'By address, also those that are equal.', items: object },
      summary: {
        type: 'object',
        required: ['equal', 'differs', 'only'],
        properties: {
          equal: count,
          differs: count,
          only: {
            type: 'object',
            description: 'By environment: how many it has that not all of them have.',
            additionalProperties: count,
          },
        },
      },
      errors: { type: 'array', items: faultSchema },
    },
  })
}

const difference: JsonObject = {
  type: 'object',
  required: ['from', 'to', 'fields', 'files', 'before', 'after', 'summary'],
  properties: {
    from: { ...text, description: 'The first environment that has the object.' },
    to: text,
    fields: texts,
    files: { ...texts, description: 'Names of source files.' },
    before: {
      type: 'object',
      description: 'These fields in the one; what it says nothing of is left out.',
    },
    after: { type: 'object', description: 'The same in the other.' },
    summary: { ...texts, description: 'In plain words.' },
  },
}

const object: JsonObject = {
  type: 'object',
  required: ['address', 'kind', 'verdict', 'environments', 'differences'],
  properties: {
    address: text,
    kind: { enum: declarableKinds.map(({ name }) => name) },
    verdict: {
      enum: ['equal', 'differs', 'only'],
      description: 'only: some of the environments have it, and others do not.',
    },
    environments: {
      type: 'object',
      description: 'By name, what each has.',
      additionalProperties: {
        type: 'object',
        required: ['state', 'summary'],
        properties: {
          state: {
            enum: ['present', 'absent', 'skipped', 'missing'],
            description: 'absent: declared to be deleted; skipped: left alone there.',
          },
          summary: { ...text, description: 'Of a flag whether it is on, and for how many at the most.' },
        },
      },
    },
    differences: { type: 'array', items: difference },
  },
}
