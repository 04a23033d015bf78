import type { JsonObject } from '../model/json.ts'
import { dialect, schemaBase } from './json-schema.ts'
import { changeSchemas, targetSchema } from './plan-schema.ts'

/** The schema of a receipt: what one run did, enough to undo it. */
export function receiptSchema(): JsonObject {
  return {
    $schema: dialect,
    $id: `${schemaBase}/receipt.schema.json`,
    title: 'Vexil receipt',
    description: 'What one apply did to each object, with what stood there before.',
    type: 'object',
    required: ['format_version', 'run', 'target', 'started_at', 'finished_at', 'entries'],
    properties: {
      format_version: { type: 'string', description: 'Major and minor; another major version is refused.' },
      run: { type: 'string', description: 'The name of the run; its journal has the same.' },
      environment: { type: 'string' },
      target: targetSchema,
      started_at: { type: 'string', format: 'date-time' },
      finished_at: { type: 'string', format: 'date-time' },
      plan_digest: { type: 'string' },
      entries: {
        type: 'array',
        items: {
          type: 'object',
          required: ['outcome', 'change'],
          properties: {
            outcome: { enum: ['done', 'already', 'failed', 'stale', 'skipped'] },
            id: { type: 'string', description: 'The id of the object, also of one that the run created.' },
            not_kept: {
              type: 'array',
              items: { type: 'string' },
              description: 'Fields that the service did not keep.',
            },
            change: { $ref: '#/$defs/change' },
          },
        },
      },
    },
    $defs: changeSchemas(),
  }
}

/** The schema of one line of a journal, and of one line of `apply --json`. */
export function journalSchema(): JsonObject {
  return {
    $schema: dialect,
    $id: `${schemaBase}/journal.schema.json`,
    title: 'Vexil journal line',
    description: 'One event of an apply. A `change_attempt` is written before its request leaves.',
    type: 'object',
    required: ['type'],
    properties: {
      at: { type: 'string', format: 'date-time' },
      type: {
        enum: [
          'change_start',
          'change_attempt',
          'change_done',
          'change_failed',
          'change_stale',
          'change_skipped',
          'summary',
        ],
      },
      address: { type: 'string' },
      action: { type: 'string' },
      request: { type: 'string', description: 'Method and path of the request that is about to leave.' },
      id: { type: 'string' },
      already: {
        type: ['boolean', 'integer'],
        description: 'Nothing had to be written; in the summary, how often that was so.',
      },
      not_kept: {
        type: 'array',
        items: { type: 'string' },
        description: 'Fields that the service did not keep.',
      },
      took_back: {
        type: 'string',
        description:
          'The id of a second object of this name, which the run had created and has deleted again.',
      },
      elapsed_ms: { type: 'integer' },
      error: { type: 'string' },
      status: { type: 'integer' },
      code: { type: ['string', 'null'] },
      attr: { type: ['string', 'null'] },
      reason: { type: 'string' },
      ...summaryMembers,
    },
  }
}

const count: JsonObject = { type: 'integer', minimum: 0 }

/** What the last line of `apply --json` has, whose type is `summary`. */
const summaryMembers: JsonObject = {
  done: count,
  failed: count,
  stale: count,
  skipped: count,
  withheld: {
    type: 'array',
    description: 'What the plan left out.',
    items: {
      type: 'object',
      required: ['address', 'action', 'rule', 'reason', 'way_past'],
      properties: {
        address: { type: 'string' },
        action: { type: 'string' },
        rule: { type: 'string' },
        reason: { type: 'string' },
        way_past: { type: 'string', description: 'What to do so that it is done.' },
      },
    },
  },
  receipt: { type: 'string', description: 'The file that `vexil undo` takes.' },
}
