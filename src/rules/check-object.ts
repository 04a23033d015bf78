import { isJsonObject, type JsonObject } from '../model/json.ts'
import { type DeclarableKind, isTargeting, managedFields } from '../model/kind.ts'
import { checkField } from './check-field.ts'
import { checkTargeting, type Spelling } from './check-targeting.ts'
import type { ObjectProblem } from './object-problem.ts'

/**
 * The rules that the fields of an object break, in the order of the kind's fields: `object` holds those that are
 * declared under their names on the wire, the identity among them where it is to be checked as well.
 */
export function checkObject(
  kind: DeclarableKind,
  object: JsonObject,
  spelling: (field: string) => Spelling | undefined = () => undefined,
): ObjectProblem[] {
  return managedFields(kind).flatMap(name => {
    const value = object[name]
    if (value === undefined) return []
    const broken = checkField(kind, name, value)
    if (!isTargeting(kind, name) || !isJsonObject(value)) return broken
    return [...broken, ...checkTargeting(name, value, spelling(name))]
  })
}
