import type { JsonObject } from '../../model/json/json.ts'
import { dialect, schemaBase } from '../json-schema.ts'
import { originMembers } from './run-schemas.ts'
import { count, text, time } from './text-schema.ts'

const outcomes = [
  'done',
  'already',
  'failed',
  'pending',
  'stale',
  'skipped',
  'not_known',
  'blocked',
  'held',
  'not_targeted',
  'unchanged',
]

/** The schema of what `vexil history --json` prints. */
export function historySchema(): JsonObject {
  return {
    $schema: dialect,
    $id: `${schemaBase}/history.schema.json`,
    title: 'Vexil history',
    description: 'The runs that are on record, the newest first.',
    type: 'object',
    required: ['format_version', 'runs'],
    properties: {
      format_version: text,
      runs: {
        type: 'array',
        items: {
          type: 'object',
          required: ['run', 'state', 'path'],
          properties: {
            run: { ...text, description: 'The name of the run, which `vexil undo` takes.' },
            state: {
              enum: ['complete', 'stopped', 'cut_off', 'under_way', 'unreadable'],
              description:
                'complete: it went through to its end. stopped: it was told to stop and left a record. cut_off: it left a journal alone, so it was killed or is still under way elsewhere. under_way: it has a journal alone, and its process runs.',
            },
            path: { ...text, description: 'Its record or, where there is none, its journal.' },
            ...originMembers,
            reason: {
              ...text,
              description:
                'Of a run that cannot be read, why not; otherwise why it was started, in the words of whoever did.',
            },
            finished_at: time,
            counts: {
              type: 'object',
              description:
                'How many objects came out of it which way. not_known: a request left and nobody knows what came of it. pending: somebody has to approve it first. held: a field was left as it is in the product, whatever became of the others. The last two are left out where there are none.',
              required: outcomes.filter(outcome => outcome !== 'pending' && outcome !== 'held'),
              properties: Object.fromEntries(outcomes.map(outcome => [outcome, count])),
            },
            held: {
              type: 'array',
              description:
                'Fields that were left as they are in the product; `exists` stands for the object.',
              items: {
                type: 'object',
                required: ['address', 'fields'],
                properties: { address: text, fields: { type: 'array', items: text } },
              },
            },
            objects: {
              type: 'object',
              description: 'How each object came out of it, by address; of a run that was asked for by name.',
              additionalProperties: { enum: outcomes },
            },
          },
        },
      },
    },
  }
}
