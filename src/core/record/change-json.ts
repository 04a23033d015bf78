import { isJsonArray, type JsonObject } from '../../model/json/json.ts'
import type { Change, Drift, Withheld } from '../change.ts'

/**
 * A change as it stands in plan files, records of runs and `--json`: the same members in snake case. Reading it back is
 * exact, which a property test holds.
 */
export function changeToJson(change: Change): JsonObject {
  const { fingerprint, dependsOn, filesBefore, source, exposure, parent, renameOf, words, allowed, ...same } =
    change
  return {
    ...same,
    base: fingerprint,
    words: [...words],
    allowed: [...allowed],
    depends_on: [...dependsOn],
    ...(filesBefore ? { files_before: filesBefore } : {}),
    ...(parent ? { parent: { ...parent } } : {}),
    ...(exposure ? { exposure: { ...exposure } } : {}),
    ...(renameOf ? { rename_of: { ...renameOf } } : {}),
    ...(source ? { source: { ...source } } : {}),
  }
}

/** Reads a change back from a document whose shape was checked against the plan schema. */
export function changeFromJson(json: JsonObject): Change {
  const { base, depends_on, files_before, rename_of, ...same } = json
  return {
    // The schema gives what is left the members of a change.
    ...(same as unknown as Omit<Change, 'fingerprint' | 'dependsOn' | 'filesBefore' | 'renameOf'>),
    fingerprint: typeof base === 'string' ? base : null,
    dependsOn: isJsonArray(depends_on) ? depends_on.map(String) : [],
    // The schema gives it the members of a reference.
    ...(rename_of === undefined ? {} : { renameOf: rename_of as unknown as Change['renameOf'] }),
    // The schema lets nothing into it but texts and null.
    ...(files_before === undefined ? {} : { filesBefore: files_before as Change['filesBefore'] }),
  }
}

export function withheldToJson({ wayPast, words, source, ...same }: Withheld): JsonObject {
  return { ...same, way_past: wayPast, words: [...words], ...(source ? { source: { ...source } } : {}) }
}

export function withheldFromJson({ way_past, ...same }: JsonObject): Withheld {
  // The schema gives what is left the members of what was withheld.
  return { ...(same as unknown as Omit<Withheld, 'wayPast'>), wayPast: String(way_past) }
}

export function driftToJson({ words, fields, source, ...same }: Drift): JsonObject {
  return { ...same, fields: [...fields], words: [...words], ...(source ? { source: { ...source } } : {}) }
}
