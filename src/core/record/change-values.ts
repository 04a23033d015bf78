import { isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { anything, map, maybe, members, text } from '../../model/json/json-shape.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import type { Change } from '../change.ts'
import type { Redaction } from '../redaction.ts'
import { changeFromJson, changeToJson } from './change-json.ts'

/** The members of a change that hold values, as they stand in a document. */
const valueMembers = ['before', 'after', 'files', 'files_before', 'fingerprint'] as const

/** The values of changes, by address, as a file of their own holds them. */
export function valuesToJson(changes: readonly Change[], redaction: Redaction): JsonObject {
  const hidden = changes.filter(change => redaction.of(change))
  return Object.fromEntries(hidden.map(change => [change.address, valuesIn(changeToJson(change))]))
}

/** A change with its values in place of what stands for them; as it is where there are none of it, or those of another. */
export function withValues(change: Change, values: JsonObject): Change {
  const own = Object.hasOwn(values, change.address) ? values[change.address] : undefined
  const { hidden: _, digests: __, ...shown } = changeToJson(change)
  if (!isJsonObject(own) || !isOfSameFields(own, shown)) return change
  const others = pickMembers(shown, (_, name) => !isValueMember(name))
  return changeFromJson({ ...others, ...valuesIn(own) })
}

/** With other fields than something stands for, an undo would put back less than was written. */
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

/** Reads such a file back; what is wrong with it where it is none. */
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
