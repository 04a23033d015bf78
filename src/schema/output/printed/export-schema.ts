import { declarableKinds } from '../../../kinds/index.ts'
import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { text } from '../text-schema.ts'

/** The schema of what `vexil export --json` prints. */
export function exportSchema(): JsonObject {
  return documentSchema('export', {
    ...{
      title: 'Vexil export',
      description: 'Live objects with all that a declaration could say of them.',
    },
    required: ['format_version', 'exit_code', 'objects'],
    properties: { ...documentHead, objects: { type: 'array', items: exported } },
  })
}

const exported: JsonObject = {
  type: 'object',
  required: ['kind', 'identity', 'id', 'fields'],
  properties: {
    environment: { ...text, description: 'Where it is live, where several environments are exported.' },
    kind: { enum: declarableKinds.map(({ name }) => name) },
    identity: text,
    id: text,
    fields: { type: 'object', description: 'The managed fields as they were read, without the identity.' },
    grants: {
      type: 'array',
      description: 'The roles that hold a grant on it; left out where the service has none or nobody asked.',
      items: { type: 'object', required: ['id'], properties: { id: text, name: text } },
    },
    files: { type: 'object', description: 'Source files, by name.', additionalProperties: text },
  },
}
