import { isJsonObject, type JsonObject, pickMembers } from '../../model/json/json.ts'
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

/** A change with its values in place of what stands for them; as it is where there are none of it. */
export function withValues(change: Change, values: JsonObject): Change {
  const own = Object.hasOwn(values, change.address) ? values[change.address] : undefined
  if (!isJsonObject(own)) return change
  const { hidden: _, digests: __, ...shown } = changeToJson(change)
  const others = pickMembers(shown, (_, name) => !isValueMember(name))
  return changeFromJson({ ...others, ...valuesIn(own) })
}

function valuesIn(change: JsonObject): JsonObject {
  return pickMembers(change, (_, name) => isValueMember(name))
}

function isValueMember(name: string): boolean {
  return valueMembers.some(member => member === name)
}

const format = '1.0'

/** The text of a file of values. `salt` is what the digests in the document were made with. */
export function valuesText(content: JsonObject, write: (value: JsonObject) => string): string {
  return `${write({ format_version: format, ...content })}\n`
}

/** Reads such a file back; undefined where it is none. */
export function valuesFrom(text: string): JsonObject | undefined {
  const content = readJsonIfAny(text)
  if (!isJsonObject(content) || content.format_version !== format) return undefined
  return typeof content.salt === 'string' && isJsonObject(content.changes) ? content : undefined
}
