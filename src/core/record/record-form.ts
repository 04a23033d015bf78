import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { oncePer } from '../../model/runtime.ts'

/**
 * How a value is written in plan files, in records of runs and by `--json`: the same members, apart from these.
 * A document is checked against its schema before it is read back, so reading is exact.
 */
export interface Form {
  /** The members with another name in a document. */
  readonly names?: Readonly<Record<string, string>>
  /** The members that are milliseconds since 1970, and texts in a document. */
  readonly times?: readonly string[]
  /** The members with a form of their own: one value, or a list. */
  readonly parts?: Readonly<Record<string, Form>>
  /** A member whose own members stand in its place in a document. */
  readonly spread?: { readonly member: string; readonly of: readonly string[] }
  /** The members that are not written. */
  readonly omits?: readonly string[]
}

export function toDocument(value: object, form: Form): JsonObject {
  const { names = {}, times = [], parts = {}, spread, omits = [] } = form
  const members = Object.entries(value).flatMap(([name, member]): (readonly [string, Json])[] => {
    if (member === undefined || omits.includes(name)) return []
    if (name === spread?.member) return Object.entries(member)
    const written = names[name] ?? name
    const part = parts[name]
    if (times.includes(name)) return [[written, new Date(member).toISOString()]]
    if (!part) return [[written, member]]
    return [
      [written, Array.isArray(member) ? member.map(one => toDocument(one, part)) : toDocument(member, part)],
    ]
  })
  return Object.fromEntries(members)
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
  // The schema of the document gives it the members of the value.
  return Object.fromEntries([...members, ...whole]) as Value
}

const namesIn = oncePer(
  ({ names = {} }: Form) => new Map(Object.entries(names).map(([name, written]) => [written, name])),
)
