import { isJsonArray, isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { anything, map, maybe, members, text } from '../../model/json/json-shape.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import { oncePer } from '../../model/runtime.ts'
import type { Blocked, Change, Drift, RiskReason } from '../change.ts'
import type { Author, LiveEdit, LiveEditField, SettingRun } from '../live-edits/live-edit.ts'
import type { Redaction } from '../redaction.ts'

/**
 * A change as written in plan files, records of runs and `--json`: the same members in snake case, without the
 * version. Reading it back is exact, which a property test checks. An apply needs the same one several times.
 */
export const changeToJson = oncePer((change: Change): JsonObject => {
  const {
    fingerprint,
    dependsOn,
    filesBefore,
    source,
    exposure,
    flippedTests,
    parent,
    names,
    renameOf,
    summary,
    allowed,
    riskReasons,
    sensitive,
    hidden,
    digests,
    version: _,
    ...same
  } = change
  return {
    ...same,
    fingerprint,
    risk_reasons: riskReasons.map(reason => ({ ...reason })),
    summary: [...summary],
    allowed: [...allowed],
    depends_on: [...dependsOn],
    ...(filesBefore ? { files_before: filesBefore } : {}),
    ...(parent ? { parent: { ...parent } } : {}),
    ...(names ? { names: names.map(name => ({ ...name })) } : {}),
    ...(flippedTests ? { flipped_tests: { ...flippedTests } } : {}),
    ...(exposure ? { exposure: { ...exposure } } : {}),
    ...(renameOf ? { rename_of: { ...renameOf } } : {}),
    ...(sensitive === undefined ? {} : { sensitive: sensitive === true ? sensitive : [...sensitive] }),
    ...(hidden ? { hidden: [...hidden] } : {}),
    ...(digests ? { digests: { ...digests } } : {}),
    ...(source ? { source: { ...source } } : {}),
  }
})

/** Reads a change back from a document whose shape was checked against the plan schema. */
export function changeFromJson(json: JsonObject): Change {
  const { depends_on, files_before, rename_of, risk_reasons, flipped_tests, ...same } = json
  return {
    // The schema gives the rest the members of a change.
    ...(same as unknown as Omit<
      Change,
      'dependsOn' | 'filesBefore' | 'renameOf' | 'riskReasons' | 'flippedTests'
    >),
    dependsOn: isJsonArray(depends_on) ? depends_on.map(String) : [],
    // The schema gives it the members of reasons.
    riskReasons: risk_reasons as unknown as RiskReason[],
    ...flippedFrom(flipped_tests),
    // The schema gives it the members of a reference.
    ...(rename_of === undefined ? {} : { renameOf: rename_of as unknown as Change['renameOf'] }),
    // The schema allows only texts and null in it.
    ...(files_before === undefined ? {} : { filesBefore: files_before as Change['filesBefore'] }),
  }
}

function flippedFrom(flipped: Json | undefined): Pick<Change, 'flippedTests'> {
  if (flipped === undefined) return {}
  // The schema gives it the two counts.
  return { flippedTests: flipped as unknown as NonNullable<Change['flippedTests']> }
}

export function blockedToJson({ summary, source, ...same }: Blocked): JsonObject {
  return { ...same, summary: [...summary], ...(source ? { source: { ...source } } : {}) }
}

export function blockedFromJson(json: JsonObject): Blocked {
  // The schema gives it the members of something blocked.
  return json as unknown as Blocked
}

export function driftToJson({ summary, fields, source, ...same }: Drift): JsonObject {
  return { ...same, fields: [...fields], summary: [...summary], ...(source ? { source: { ...source } } : {}) }
}

/** Reads drift back, as a change is read. */
export function driftFromJson(json: JsonObject): Drift {
  // The schema gives it the members of drift.
  return json as unknown as Drift
}

/** The members of a change that hold values, as a document names them. */
const valueMembers = ['before', 'after', 'files', 'files_before', 'fingerprint'] as const

/** The values of changes, by address, as a separate file holds them. */
export function valuesToJson(changes: readonly Change[], redaction: Redaction): JsonObject {
  const hidden = changes.filter(change => redaction.of(change))
  return Object.fromEntries(hidden.map(change => [change.address, valuesIn(changeToJson(change))]))
}

/** A change with its values instead of placeholders; unchanged if it has none, or those of another change. */
export function withValues(change: Change, values: JsonObject): Change {
  const own = Object.hasOwn(values, change.address) ? values[change.address] : undefined
  const { hidden: _, digests: __, ...shown } = changeToJson(change)
  if (!isJsonObject(own) || !isOfSameFields(own, shown)) return change
  const others = pickMembers(shown, (_, name) => !isValueMember(name))
  return changeFromJson({ ...others, ...valuesIn(own) })
}

/** If its fields differ from those with placeholders, an undo would put back less than was written. */
function isOfSameFields(own: JsonObject, shown: JsonObject): boolean {
  const namesOf = (side: Json | undefined) => (isJsonObject(side) ? Object.keys(side).sort().join() : '')
  return valueMembers.every(member => namesOf(own[member]) === namesOf(shown[member]))
}

function valuesIn(change: JsonObject): JsonObject {
  return pickMembers(change, (_, name) => isValueMember(name))
}

function isValueMember(name: string): boolean {
  return valueMembers.some(member => member === name)
}

const format = '1.0'

/** The text of a file of values. */
export function valuesText(content: JsonObject, write: (value: JsonObject) => string): string {
  return `${write({ format_version: format, ...content })}\n`
}

/** Reads such a file back; returns a reason if it is not one. */
export function valuesFrom(written: string): JsonObject | string {
  const content = readJsonIfAny(written)
  if (content === undefined) return 'it is no JSON, or was cut off'
  const why = valuesShape(content, '')
  if (why !== undefined || !isJsonObject(content)) return `it is no file of values: ${why}`
  if (content.format_version === format) return content
  return `it has format ${JSON.stringify(content.format_version)}, and this version reads ${format}`
}

const files = maybe(map(maybe(text)))

const valuesShape = members({
  format_version: text,
  changes: map(
    members({
      before: map(anything),
      after: map(anything),
      files,
      files_before: files,
      fingerprint: maybe(text),
    }),
  ),
})

/** A live edit as written in plan files and `--json`: the same members in snake case, times as texts. */
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
    // The schema gives the rest the members of a live edit.
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
    // The schema gives the rest the members of a field.
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
  // The schema allows only texts in it.
  return { ...(said as Omit<Author, 'at'>), ...(at === undefined ? {} : { at: timeOf(at) }) }
}

function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOf(text: Json): number {
  return Date.parse(String(text))
}
