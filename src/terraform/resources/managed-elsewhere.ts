import { membersElsewhere } from '../../model/field.ts'
import { isEmptyJson, isJsonObject, type Json, pickMembers } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'

/**
 * A value that the service holds, without those members that other parts of the product write and that `declared` does
 * not name: they are left alone, so nothing compares or shows them.
 */
export function withoutManagedElsewhere(
  kind: DeclarableKind,
  name: string,
  held: Json,
  declared: Json = null,
): Json {
  const left = new Set(undeclaredElsewhere(kind, name, held, declared))
  return left.size > 0 && isJsonObject(held) ? pickMembers(held, (_, member) => !left.has(member)) : held
}

/** The names of those members. */
export function undeclaredElsewhere(
  kind: DeclarableKind,
  name: string,
  held: Json,
  declared: Json,
): readonly string[] {
  const isDeclared = (member: string) => isJsonObject(declared) && !isEmptyJson(declared[member])
  return membersElsewhere(kind.fields[name], held).filter(member => !isDeclared(member))
}
