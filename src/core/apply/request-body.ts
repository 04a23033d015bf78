import type { DeclarableKind } from '../../model/kind.ts'
import type { JsonObject } from '../../model/text/json.ts'
import type { Change } from '../change.ts'

/** The body of a PATCH: the fields of a change, merged over the live ones. */
export function sentFields(
  kind: DeclarableKind,
  { before, after }: Pick<Change, 'before' | 'after'>,
): JsonObject {
  const fields = Object.entries(after).map(([name, value]) => {
    const { complete } = kind.fields[name] ?? {}
    return [name, complete ? complete(value, before[name] ?? null) : value] as const
  })
  return Object.fromEntries(fields)
}

/** The body of a POST: the fields of a new object, with those that each service would otherwise fill in differently. */
export function createdFields(kind: DeclarableKind, after: JsonObject): JsonObject {
  const whole = Object.entries(kind.fields).flatMap(([name, { complete }]) =>
    complete ? [[name, complete(after[name] ?? null, undefined)] as const] : [],
  )
  return { ...after, ...Object.fromEntries(whole) }
}
