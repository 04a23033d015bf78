import type { JsonObject } from '../../../model/json/json.ts'
import { evaluationReasons } from '../../../targeting/index.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { faultSchema } from '../failure-schema.ts'
import { source } from '../source-schema.ts'
import { text } from '../text-schema.ts'
import { answer, others } from './answer-schema.ts'

const environment: JsonObject = { type: ['string', 'null'], description: 'null: the repository has none.' }

/** The schema of what `vexil test --json` prints; an answer is as `evaluate` has it. */
export function testsDocumentSchema(): JsonObject {
  return documentSchema('tests', {
    ...{ title: 'Vexil tests', description: 'Whether people get what tests say of the declared flags.' },
    required: ['format_version', 'exit_code', 'tests', 'errors'],
    properties: {
      ...documentHead,
      tests: {
        type: 'array',
        description: 'Each once for every environment that it is run in.',
        items: {
          type: 'object',
          required: ['address', 'environment', 'person', 'verdict', 'expected', 'got', 'source'],
          properties: {
            address: text,
            environment,
            person: {
              ...text,
              description: 'The name of a person, or a distinct id, in quotes; or somebody.',
            },
            verdict: { enum: ['passed', 'failed', 'undecided', 'differs'] },
            expected: {
              type: 'object',
              required: ['value'],
              properties: {
                value: { type: ['boolean', 'string'] },
                payload: { description: 'null: none. Left out where it does not matter.' },
                because: {
                  type: 'object',
                  description: 'The condition, from 1, or the reason. Left out where it does not matter.',
                  properties: {
                    condition: { type: 'integer', minimum: 1 },
                    reason: { enum: [...evaluationReasons] },
                  },
                },
              },
            },
            got: {
              type: 'object',
              required: [...Object.keys(answer), 'by', 'others'],
              properties: { ...answer, by: { ...text, description: 'Who gives the value.' }, others },
            },
            source: { ...source, type: ['object', 'null'] },
          },
        },
      },
      coverage: {
        type: 'object',
        description: 'With --coverage: how much of conditions and variants tests reach.',
        required: ['percent', 'conditions', 'variants', 'missed'],
        properties: {
          percent: { type: 'number', minimum: 0, maximum: 100 },
          conditions: shares,
          variants: shares,
          missed: {
            type: 'array',
            description: 'The flags of which something is not reached.',
            items: {
              type: 'object',
              required: ['address', 'environment', 'tests', 'conditions', 'variants'],
              properties: {
                address: text,
                environment,
                tests: { type: 'integer', minimum: 0, description: 'How many it has.' },
                conditions: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['number', 'summary'],
                    properties: { number: { type: 'integer', minimum: 1 }, summary: text },
                  },
                },
                variants: { type: 'array', items: text },
              },
            },
          },
        },
      },
      matrix: {
        type: 'object',
        description: 'With --sdk: what the service and each SDK answer, and why they differ.',
        required: ['sdks', 'rows', 'notes'],
        properties: {
          sdks: { type: 'array', items: text, description: 'With their versions.' },
          rows: {
            type: 'array',
            items: {
              type: 'object',
              required: ['address', 'environment', 'person', 'service', 'sdks', 'differs'],
              properties: {
                ...{ address: text, environment, person: text, service: text },
                sdks: { type: 'array', items: text, description: '`asks`: it asks the service.' },
                differs: { type: 'boolean' },
              },
            },
          },
          notes: {
            type: 'array',
            items: {
              type: 'object',
              required: ['address', 'lines'],
              properties: { address: text, lines: { type: 'array', items: text } },
            },
          },
        },
      },
      errors: {
        type: 'array',
        description: 'The tests that did not pass, and coverage that is too low.',
        items: faultSchema,
      },
    },
  })
}

const shares: JsonObject = {
  type: 'object',
  required: ['total', 'reached'],
  properties: { total: { type: 'integer', minimum: 0 }, reached: { type: 'integer', minimum: 0 } },
}
