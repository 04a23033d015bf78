import { declarableKinds } from '../../kinds/index.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { riskRuleNames, risks } from '../../model/safety/risk.ts'
import { source } from './source-schema.ts'
import { count, text, texts } from './text-schema.ts'

/** Short digests by the names of what they are of. */
export const digests: JsonObject = { type: 'object', additionalProperties: text }

/** What a change refers to; records of runs hold changes too. */
export function changeSchemas(): JsonObject {
  return { change, source, files }
}

/** The name of a kind that can be declared. */
export const kindName: JsonObject = { enum: declarableKinds.map(({ name }) => name) }
/** What becomes of an object. */
export const action: JsonObject = { enum: ['create', 'update', 'claim', 'restore', 'delete'] }

const files: JsonObject = { type: 'object', additionalProperties: { type: ['string', 'null'] } }

const reference: JsonObject = {
  type: 'object',
  required: ['$ref', 'identity'],
  properties: { $ref: text, identity: text, id: text },
}

/** Of a declaration, and of a change of what it declares. */
const sensitive: JsonObject = {
  anyOf: [{ const: true }, { type: 'array', items: text }],
}

const change: JsonObject = {
  type: 'object',
  required: [
    'address',
    'kind',
    'action',
    'identity',
    'before',
    'after',
    'fingerprint',
    'risk',
    'risk_reasons',
    'summary',
    'allowed',
    'depends_on',
  ],
  properties: {
    address: text,
    kind: kindName,
    action,
    identity: text,
    label: text,
    id: text,
    parent: reference,
    names: {
      type: 'array',
      items: reference,
      description: 'The flags that its conditions name by key: the service is told their ids.',
    },
    rename_of: {
      ...reference,
      description:
        'A live object, declared nowhere, that looks like the one to create: a rename may be meant.',
    },
    before: { type: 'object', description: 'The fields that change, as they were read.' },
    after: { type: 'object', description: 'The same fields as they will be sent.' },
    files: { $ref: '#/$defs/files' },
    files_before: { $ref: '#/$defs/files' },
    fingerprint: {
      type: ['string', 'null'],
      description: 'Of the live object that the change was planned on.',
    },
    risk: { enum: [...risks] },
    risk_reasons: {
      type: 'array',
      items: {
        type: 'object',
        required: ['rule', 'level', 'reason'],
        properties: {
          rule: { ...text, description: `A rule of risk: ${riskRuleNames.join(', ')}.` },
          level: { enum: [...risks] },
          reason: { ...text, description: 'What the rule has found, on one line.' },
        },
      },
      description:
        'The rules of risk that apply, the highest level first. The risk is the highest of their levels.',
    },
    summary: texts,
    flipped_tests: {
      type: 'object',
      required: ['count', 'unexpected'],
      properties: {
        count: { type: 'integer', minimum: 1 },
        unexpected: {
          ...count,
          description: 'Of these, who do not get what their test expects.',
        },
      },
      description:
        'How many people of the tests of a flag get something else than before; its summary tells of each.',
    },
    exposure: {
      type: 'object',
      required: ['before', 'after', 'direction', 'step'],
      properties: {
        before: { type: 'number' },
        after: { type: 'number' },
        direction: text,
        step: { type: 'number' },
      },
    },
    alert: {
      ...text,
      description:
        'A widening that nobody may overlook, on one line: many more people at once, or everybody.',
    },
    audiences: {
      ...texts,
      description: 'The audiences in whose properties the declared flag differs from the live one.',
    },
    allowed: texts,
    depends_on: texts,
    sensitive: {
      ...sensitive,
      description: 'What of its values its declaration hides.',
    },
    hidden: {
      ...texts,
      description:
        'Fields, and source files as fields, in which `(sensitive DIGEST)` stands for values. The digest is salted: it tells only what is the same within one document.',
    },
    digests: { ...digests, description: 'On record: short digests of what is written to hidden fields.' },
    source: { $ref: '#/$defs/source' },
  },
}
