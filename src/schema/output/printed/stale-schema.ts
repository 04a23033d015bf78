import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { faultSchema } from '../failure-schema.ts'
import { text, time } from '../text-schema.ts'

const reason: JsonObject = {
  type: 'object',
  required: ['reason'],
  properties: {
    reason: {
      enum: ['everyone', 'nobody', 'gone', 'expired', 'uncalled', 'unreferenced'],
      description:
        'everyone: all people get one value. nobody: no one gets anything. gone: declared absent, and it is. expired: past `expires`. uncalled: nobody asked for it. unreferenced: no code names it.',
    },
    value: { type: ['boolean', 'string'], description: 'What everyone gets: true, or the key of a variant.' },
    since: {
      type: 'object',
      required: ['at', 'days', 'at_least', 'from'],
      properties: {
        at: time,
        days: { type: 'integer', description: 'Whole days up to now.' },
        at_least: { type: 'boolean', description: 'Whether it may have been so before.' },
        from: {
          enum: ['commit', 'run', 'trail', 'service', 'declaration'],
          description: 'What tells it; `name` is that of the commit or of the run.',
        },
        name: text,
      },
    },
  },
}

const live: JsonObject = {
  type: 'object',
  description: 'With --activity: the live flag.',
  required: ['there', 'value', 'differs', 'last_called_at'],
  properties: {
    there: { type: 'boolean' },
    value: {
      type: ['boolean', 'string', 'null'],
      description: 'What everyone gets; null where people may get different values.',
    },
    differs: { type: 'boolean', description: 'Whether it is live otherwise than it is declared.' },
    last_called_at: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When somebody asked for it last; null where the service does not tell.',
    },
  },
}

const reasons: JsonObject = { type: 'array', items: reason }

const flag: JsonObject = {
  type: 'object',
  required: ['key', 'address', 'owners', 'source', 'stale', 'reasons', 'environments', 'next'],
  properties: {
    key: text,
    address: text,
    owners: { type: 'array', items: text },
    source: {
      type: 'object',
      required: ['file', 'line', 'column'],
      properties: { file: text, line: { type: 'integer' }, column: { type: 'integer' } },
    },
    stale: {
      enum: ['everywhere', 'partly'],
      description: 'Whether there is a reason in each environment in which it is declared.',
    },
    reasons: { ...reasons, description: 'Those that hold in every environment.' },
    environments: {
      type: 'array',
      items: {
        type: 'object',
        required: ['environment', 'declared', 'reasons'],
        properties: {
          environment: { type: ['string', 'null'], description: 'null: the repository has none.' },
          declared: { enum: ['present', 'absent'] },
          reasons,
          live,
        },
      },
    },
    next: { type: ['string', 'null'], description: 'What to do next; null of a flag that is stale partly.' },
  },
}

/** The schema of what `vexil retire --json` prints without a flag. */
export function staleSchema(): JsonObject {
  return documentSchema('stale-flags', {
    ...{ title: 'Vexil stale flags', description: 'Declared flags that have outlived their use.' },
    required: [...['format_version', 'exit_code'], ...Object.keys(stale), 'errors'],
    properties: { ...documentHead, ...stale, errors: { type: 'array', items: faultSchema } },
  })
}

const stale: JsonObject = {
  days: { type: 'integer', minimum: 1, description: 'From so many days on a flag is stale.' },
  environments: {
    type: 'array',
    items: { type: ['string', 'null'] },
    description: 'Those that were looked at.',
  },
  flags: { type: 'array', items: flag },
  looked_at: { type: 'integer', description: 'How many flags were looked at.' },
  permanent: { type: 'integer', description: 'How many flags were left out since they are here to stay.' },
  searched: { type: ['integer', 'null'], description: 'How many files of code were searched, with --in.' },
  notes: { type: 'array', items: text, description: 'What cannot be told, and why.' },
}
