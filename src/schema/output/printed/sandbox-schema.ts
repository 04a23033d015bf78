import { profiles } from '../../../model/connection/profile.ts'
import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { text, texts } from '../text-schema.ts'

/** The schema of what `vexil sandbox --json` prints. */
export function sandboxSchema(): JsonObject {
  return documentSchema('sandbox', {
    ...{ title: 'Vexil sandbox', description: 'Where a stand-in listens and what opens it.' },
    required: ['base_url', 'api_key', 'organization', 'project', 'project_token', 'roles'],
    properties: {
      base_url: text,
      api_key: text,
      organization: text,
      project: { type: 'integer' },
      project_token: { ...text, description: 'What SDKs send.' },
      roles: {
        type: 'array',
        items: { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } },
      },
    },
  })
}

/** The schema of what `vexil sandbox quirks --json` prints. */
export function quirksSchema(): JsonObject {
  return documentSchema('quirks', {
    ...{ title: 'Vexil quirks', description: 'Every behaviour that a sandbox can be told.' },
    required: ['format_version', 'exit_code', 'quirks'],
    properties: { ...documentHead, quirks: { type: 'array', items: quirk } },
  })
}

const quirk: JsonObject = {
  type: 'object',
  required: ['name', 'doc', 'takes', 'profiles', 'sources', 'certainty'],
  properties: {
    name: text,
    doc: text,
    takes: {
      description: 'The values that it takes.',
      oneOf: [{ const: 'number' }, { type: 'array', items: { type: ['string', 'boolean'] } }],
    },
    profiles: {
      type: 'object',
      description: 'What each profile does.',
      required: [...profiles],
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
    sources: { ...texts, description: 'Sections of the pages in docs.' },
    certainty: {
      enum: ['high', 'medium', 'low'],
      description: 'How sure it is that the newest profile does so.',
    },
  },
}
