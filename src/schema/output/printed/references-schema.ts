import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { faultSchema } from '../failure-schema.ts'
import { text } from '../text-schema.ts'

const place: JsonObject = {
  path: { ...text, description: 'As seen from where the command runs.' },
  line: { type: 'integer', minimum: 1 },
  column: { type: 'integer', minimum: 1, description: 'In UTF-16 code units.' },
}

const reference: JsonObject = {
  type: 'object',
  required: [...Object.keys(place), 'kind'],
  properties: {
    ...place,
    kind: {
      enum: ['call', 'typed', 'string'],
      description:
        'A call of an SDK with the key; a name that `vexil keys` made; a text of its own that is the key.',
    },
    call: { ...text, description: 'What is called, as in isFeatureEnabled.' },
  },
}

const flag: JsonObject = {
  type: 'object',
  required: ['key', 'declared', 'references'],
  properties: {
    key: text,
    declared: { enum: ['present', 'absent'] },
    references: { type: 'array', items: reference },
  },
}

const undeclared: JsonObject = {
  type: 'object',
  required: ['key', ...Object.keys(place), 'call', 'declared', 'meant'],
  properties: {
    key: text,
    ...place,
    call: text,
    declared: { enum: ['absent', 'nowhere'] },
    meant: { type: ['string', 'null'], description: 'The declared key that was most likely meant.' },
  },
}

/** The schema of what `vexil refs --json` prints. */
export function referencesSchema(): JsonObject {
  return documentSchema('references', {
    ...{ title: 'Vexil references', description: 'Where code names the declared flags.' },
    required: [
      ...['format_version', 'exit_code', 'flags', 'undeclared', 'searched', 'unsearched', 'notes', 'errors'],
    ],
    properties: { ...documentHead, ...references, errors: { type: 'array', items: faultSchema } },
  })
}

const references: JsonObject = {
  flags: {
    type: 'array',
    description: 'With --unused, those without a reference; with --undeclared alone, none.',
    items: flag,
  },
  undeclared: {
    type: 'array',
    description: 'With --undeclared: calls for a key that is declared nowhere, or absent.',
    items: undeclared,
  },
  searched: { type: 'integer', description: 'How many files were searched.' },
  unsearched: {
    type: 'array',
    items: {
      type: 'object',
      required: ['path', 'why'],
      properties: { path: text, why: { enum: ['binary', 'too_large', 'link', 'unreadable'] } },
    },
  },
  notes: { type: 'array', items: text },
}
