import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import type { Author, LiveEdit, LiveEditField, SettingRun } from '../live-edits/live-edit.ts'

/** A live edit as it stands in plan files and `--json`: the same members in snake case, times as texts. */
export function liveEditToJson({ fields, remedies, source, ...same }: LiveEdit): JsonObject {
  return {
    ...same,
    fields: fields.map(fieldToJson),
    remedies: [...remedies],
    ...(source ? { source: { ...source } } : {}),
  }
}

/** Reads one back from a document whose shape was checked against the plan schema. */
export function liveEditFromJson(json: JsonObject): LiveEdit {
  const { fields, ...same } = json
  return {
    // The schema gives what is left the members of a live edit.
    ...(same as unknown as Omit<LiveEdit, 'fields'>),
    fields: isJsonArray(fields) ? fields.filter(isJsonObject).map(fieldFromJson) : [],
  }
}

function fieldToJson({
  author,
  setBy,
  heldSince,
  summary,
  isOnBothSides,
  ...same
}: LiveEditField): JsonObject {
  return {
    ...same,
    summary: [...summary],
    ...(author ? { author: authorToJson(author) } : {}),
    ...(isOnBothSides ? { on_both_sides: true } : {}),
    ...(setBy ? { set_by: { ...setBy } } : {}),
    ...(heldSince === undefined ? {} : { held_since: timeText(heldSince) }),
  }
}

function fieldFromJson({ author, set_by, held_since, on_both_sides, ...same }: JsonObject): LiveEditField {
  return {
    // The schema gives what is left the members of a field.
    ...(same as unknown as Omit<LiveEditField, 'author' | 'setBy' | 'heldSince' | 'isOnBothSides'>),
    ...(on_both_sides === true ? { isOnBothSides: true } : {}),
    ...(isJsonObject(author) ? { author: authorFromJson(author) } : {}),
    // The schema gives it the members of one.
    ...(isJsonObject(set_by) ? { setBy: set_by as unknown as SettingRun } : {}),
    ...(held_since === undefined ? {} : { heldSince: timeOf(held_since) }),
  }
}

function authorToJson({ at, ...said }: Author): JsonObject {
  return { ...said, ...(at === undefined ? {} : { at: timeText(at) }) }
}

function authorFromJson({ at, ...said }: JsonObject): Author {
  // The schema lets nothing into it but texts.
  return { ...(said as Omit<Author, 'at'>), ...(at === undefined ? {} : { at: timeOf(at) }) }
}

function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOf(text: Json): number {
  return Date.parse(String(text))
}
