import type { JsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import type { Change } from '../change.ts'

/** The fields of a change as they are written over the live ones. */
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

/** The fields of a new object, with those that services would otherwise fill in each in its own way. */
export function createdFields(kind: DeclarableKind, after: JsonObject): JsonObject {
  const said = Object.entries(kind.fields).flatMap(([name, { complete }]) =>
    complete ? [[name, complete(after[name] ?? null, undefined)] as const] : [],
  )
  return { ...after, ...Object.fromEntries(said) }
}
