import type { JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import type { Change } from '../change.ts'
import { isSameField } from '../diff.ts'
import { canonicalIdentity, type Live } from '../live.ts'

/** Whether the object holds already everything that the change would write. */
export function isAsWanted(kind: DeclarableKind, { identity, after, files }: Change, live: Live): boolean {
  const name = after[identityField(kind)] ?? identity
  // Renamed by somebody else, it is another object by now, whatever else it holds.
  if (live.isSoftDeleted || live.identity !== canonicalIdentity(kind, String(name))) return false
  if (!sameFields(kind, after, live.record)) return false
  return Object.entries(files ?? {}).every(([name, text]) => (live.files?.[name] ?? null) === text)
}

/** Whether a record has all the wanted values, each in its canonical form. */
export function sameFields(kind: DeclarableKind, wanted: JsonObject, record: JsonObject): boolean {
  return Object.keys(wanted).every(name =>
    isSameField(kind, name, wanted[name] ?? null, record[name] ?? null),
  )
}

/**
 * The fields of a creation, with the level that it means where none was said and what is there turns out to have one: the
 * plan may be from before the service had levels.
 */
export function meantFields(
  { fields, lifecycle }: DeclarableKind,
  wanted: JsonObject,
  record: JsonObject,
): JsonObject {
  const level = lifecycle.levels?.field
  if (level === undefined || level in wanted || !(level in record)) return wanted
  return { ...wanted, [level]: fields[level]?.assumed ?? null }
}

/** Fields that were sent and that the answer holds otherwise, or lacks as services do that do not have them. */
export function fieldsNotKept(kind: DeclarableKind, sent: JsonObject, record: JsonObject): string[] {
  return Object.keys(sent).filter(
    name =>
      (name in record || kind.fields[name]?.offered) &&
      kind.fields[name] &&
      !isSameField(kind, name, sent[name] ?? null, record[name] ?? null),
  )
}
