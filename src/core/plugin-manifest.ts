import { isJsonObject, isSameJson, type Json, type JsonObject } from '../model/json.ts'
import { readStrictJson } from '../model/strict-json.ts'

/** The source file that describes a plugin. */
export const manifestName = 'plugin.json'

/** A field that says something else than the plugin's own file, of which the service takes that of the file. */
export interface ManifestConflict {
  readonly field: string
  /** The member of the file. */
  readonly member: string
  readonly taken: Json
}

/** What a manifest says in place of fields; throws what is wrong with text that is no JSON object. */
export function readManifestText(text: string): JsonObject {
  const described = readStrictJson(text)
  if (isJsonObject(described)) return described
  throw new SyntaxError('it is not an object')
}

/**
 * The fields that a manifest says otherwise. The service takes what the file says over what was sent, so a plugin that
 * is declared by one name and described by another would be another plugin with each apply. [service-behaviour 4]
 */
export function manifestConflicts(described: JsonObject, fields: JsonObject): readonly ManifestConflict[] {
  return Object.entries(describedFields).flatMap(([field, member]) => {
    const [given, taken] = [fields[field] ?? null, described[member] ?? null]
    return given === null || taken === null || isSameJson(given, taken) ? [] : [{ field, member, taken }]
  })
}

const describedFields = { name: 'name', config_schema: 'config' } as const
