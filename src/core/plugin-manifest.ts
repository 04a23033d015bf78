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

/** What there is to say of a manifest beside the fields that are declared. */
export interface ManifestFindings {
  /** Why it cannot be read, on one line. */
  readonly unreadable?: string
  readonly conflicts: readonly ManifestConflict[]
}

/**
 * Compares a manifest with fields. The service takes what the file says over what was sent, so a plugin that is declared
 * by one name and described by another would be another plugin with each apply. [service-behaviour 4]
 */
export function compareManifest(text: string, fields: JsonObject): ManifestFindings {
  let described: Json
  try {
    described = readStrictJson(text)
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : 'it is not JSON', conflicts: [] }
  }
  if (!isJsonObject(described)) return { unreadable: 'it is not an object', conflicts: [] }
  const members = described
  const conflicts = Object.entries(describedFields).flatMap(([field, member]) => {
    const [given, taken] = [fields[field] ?? null, members[member] ?? null]
    return given === null || taken === null || isSameJson(given, taken) ? [] : [{ field, member, taken }]
  })
  return { conflicts }
}

const describedFields = { name: 'name', config_schema: 'config' } as const
