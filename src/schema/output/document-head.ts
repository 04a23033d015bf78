import type { JsonObject } from '../../model/json/json.ts'
import { dialect, schemaBase } from '../json-schema.ts'

/** The schema of a document that a command prints. */
export function documentSchema(name: string, members: JsonObject): JsonObject {
  return { $schema: dialect, $id: `${schemaBase}/${name}.schema.json`, type: 'object', ...members }
}

/** What documents begin with. */
export const documentHead: JsonObject = {
  format_version: { type: 'string', description: 'Major and minor.' },
  exit_code: { type: 'integer', description: 'What the command ends with.' },
}
