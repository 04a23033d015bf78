import { oncePer } from '../../model/runtime.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/text/json.ts'
import { anything, map, maybe, members, text } from '../../model/text/json-shape.ts'
import { readJsonIfAny } from '../../model/text/json-text.ts'
import type { Change } from '../change.ts'
import type { LiveEdit } from '../live-edits/live-edit.ts'
import type { Redaction } from '../redaction.ts'

/**
 * The form of a value in plan files, records of runs and `--json`. It has the same members, except for these.
 * Documents are checked against their schema before they are read.
 */
export interface Form {
  /** The members with another name in a document. */
  readonly names?: Readonly<Record<string, string>>
  /** The members with milliseconds since 1970, which are texts in a document. */
  readonly times?: readonly string[]
  /** The members with their own form: one value, or a list. */
  readonly parts?: Readonly<Record<string, Form>>
  /** A member that is replaced by its own members in a document. */
  readonly spread?: { readonly member: string; readonly of: readonly string[] }
  /** The members that are not written. */
  readonly omits?: readonly string[]
}

export function toDocument(value: object, form: Form): JsonObject {
  const { names = {}, times = [], parts = {}, spread, omits = [] } = form
  const document: Record<string, Json> = {}
  for (const [name, member] of Object.entries(value)) {
    const [written, part] = [names[name] ?? name, parts[name]]
    if (member === undefined || omits.includes(name)) continue
    if (name === spread?.member) Object.assign(document, member)
    else if (times.includes(name)) document[written] = new Date(member).toISOString()
    else if (Array.isArray(member) && part) document[written] = member.map(one => toDocument(one, part))
    else document[written] = part ? toDocument(member, part) : member
  }
  return document
}

export function fromDocument<Value>(document: JsonObject, form: Form): Value {
  const { times = [], parts = {}, spread } = form
  const ownNames = namesIn(form)
  const inside: Record<string, Json> = {}
  const members = Object.entries(document).flatMap(([written, value]): (readonly [string, unknown])[] => {
    if (spread?.of.includes(written)) {
      inside[written] = value
      return []
    }
    const name = ownNames.get(written) ?? written
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (times.includes(name)) return [[name, Date.parse(String(value))]]
    if (!part) return [[name, value]]
    if (isJsonObject(value)) return [[name, fromDocument(value, part)]]
    return [
      [name, isJsonArray(value) ? value.filter(isJsonObject).map(one => fromDocument(one, part)) : value],
    ]
  })
  const whole = spread && Object.keys(inside).length > 0 ? [[spread.member, inside] as const] : []
  // The document was checked against its schema.
  return Object.fromEntries([...members, ...whole]) as Value
}

const namesIn = oncePer(
  ({ names = {} }: Form) => new Map(Object.entries(names).map(([name, written]) => [written, name])),
)

/** A change in plan files, records of runs and `--json`. The version of its object is not written. */
export const changeForm: Form = {
  names: {
    riskReasons: 'risk_reasons',
    dependsOn: 'depends_on',
    filesBefore: 'files_before',
    flippedTests: 'flipped_tests',
    renameOf: 'rename_of',
  },
  omits: ['version'],
}

/** Cached, because an apply needs it several times. */
export const changeToJson = oncePer((change: Change): JsonObject => toDocument(change, changeForm))

export const changeFromJson = (json: JsonObject): Change => fromDocument(json, changeForm)

/** Blocked objects and drift have the same members in a document. */
export const sameForm: Form = {}

export const liveEditForm: Form = {
  parts: {
    fields: {
      names: { isOnBothSides: 'on_both_sides', setBy: 'set_by', heldSince: 'held_since' },
      times: ['heldSince'],
      parts: { author: { times: ['at'] } },
    },
  },
}

export const liveEditToJson = (edit: LiveEdit): JsonObject => toDocument(edit, liveEditForm)

/** A target in a plan file. Records of runs do not contain the source of the profile. */
export const targetForm: Form = {
  names: { baseUrl: 'base_url', projectId: 'project_id', organizationId: 'organization_id' },
}

/** The members of a change that contain values, by their names in a document. */
const valueMembers = ['before', 'after', 'files', 'files_before', 'fingerprint'] as const

/** The values of changes, by address, as a separate file holds them. */
export function valuesToJson(changes: readonly Change[], redaction: Redaction): JsonObject {
  const hidden = changes.filter(change => redaction.of(change))
  return Object.fromEntries(hidden.map(change => [change.address, valuesIn(changeToJson(change))]))
}

/** A change with its values instead of placeholders; unchanged if they belong to another change. */
export function withValues(change: Change, values: JsonObject): Change {
  const own = Object.hasOwn(values, change.address) ? values[change.address] : undefined
  const { hidden: _, digests: __, ...shown } = changeToJson(change)
  if (!isJsonObject(own) || !isOfSameFields(own, shown)) return change
  const others = pickMembers(shown, (_, name) => !isValueMember(name))
  return changeFromJson({ ...others, ...valuesIn(own) })
}

/** Whether both have the same fields; else an undo would restore less than was written. */
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

/** Reads such a file; returns a reason if it is not one. */
export function valuesFrom(written: string): JsonObject | string {
  const content = readJsonIfAny(written)
  if (content === undefined) return 'it is not JSON, or was cut off'
  const why = valuesShape(content, '')
  if (why !== undefined || !isJsonObject(content)) return `it is not a file of values: ${why}`
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
