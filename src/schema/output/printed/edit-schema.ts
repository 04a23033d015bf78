import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { faultSchema } from '../failure-schema.ts'
import { liveEditSchema } from '../live-edit-schema.ts'
import { source } from '../source-schema.ts'
import { text, texts } from '../text-schema.ts'
import { retirement } from './retirement-schema.ts'

/** The schema of what commands that change declarations print with `--json`. */
export function editSchema(): JsonObject {
  return documentSchema('edit', {
    ...{ title: 'Vexil edit', description: 'What was changed in files of declarations.' },
    required: ['format_version', 'exit_code', 'dry_run', 'files', 'objects', 'notes', 'errors'],
    properties: {
      ...documentHead,
      dry_run: { type: 'boolean', description: 'Whether nothing was written.' },
      files: {
        type: 'array',
        items: {
          type: 'object',
          required: ['path', 'diff'],
          properties: {
            path: text,
            diff: {
              ...text,
              description: 'As `diff -u` writes it; where something is hidden, each line is `(sensitive)`.',
            },
            removed: { const: true, description: 'The file goes, since nothing is left in it.' },
          },
        },
      },
      objects: { type: 'array', items: editedObject },
      ramp: rampedCondition,
      retire: retirement,
      live_edits: {
        type: 'array',
        items: liveEditSchema,
        description: 'Of `pull`: what was changed in the product and is declared so now.',
      },
      left_out: {
        type: 'array',
        items: {
          type: 'object',
          required: ['address', 'reason'],
          properties: { address: text, reason: text },
        },
        description: 'Of `pull`: what no edit of a file can say.',
      },
      notes: texts,
      errors: { type: 'array', items: faultSchema },
    },
    $defs: { source },
  })
}

const editedObject: JsonObject = {
  type: 'object',
  required: ['address', 'environment', 'written'],
  properties: {
    address: text,
    environment: { type: ['string', 'null'], description: 'null: the repository has none.' },
    written: {
      enum: ['environment', 'shared', 'nothing', 'removed'],
      description:
        'Where it is said now: for the environment, or for all; nothing: it was said already; removed: it is declared no more.',
    },
  },
}

const ramped: JsonObject = {
  address: text,
  environment: { type: ['string', 'null'] },
  condition: { ...text, description: 'Its name, or its number, from 1.' },
  before: { type: 'number' },
  after: { type: 'number' },
  to: { type: 'number' },
  steps_left: { type: 'integer', minimum: 0, description: 'How many more steps the limits ask for.' },
}

const rampedCondition: JsonObject = {
  type: 'object',
  description: 'The step of a rollout, in percent: of `ramp`.',
  required: Object.keys(ramped),
  properties: ramped,
}
